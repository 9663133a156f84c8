"""Plots are well-formed SVG, and a value lands where it should."""

import re
from math import inf
from xml.etree import ElementTree

import pytest

from rookery.papers.plot import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Line, Plot, ticks

SVG = "{http://www.w3.org/2000/svg}"


def plot(**more) -> Plot:
    up = Line("up & <away>", [0, 50, 100], [0.0, 0.5, 1.0], [0.1, 0.1, 0.1])
    flat = Line("flat", [0, 100], [0.25, 0.25])
    return Plot("A & B", "games", "strength", [up, flat], **{"y_from": 0.0, "y_to": 1.0, **more})


def points(element) -> list[tuple[float, float]]:
    return [tuple(map(float, pair.split(","))) for pair in element.get("points").split()]


def test_values_land_where_they_should():
    root = ElementTree.fromstring(plot().svg())
    up, flat = map(points, root.iter(f"{SVG}polyline"))
    assert up[0] == (LEFT, HEIGHT - BOTTOM) and up[-1] == (WIDTH - RIGHT, TOP)
    assert up[1] == ((LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2)
    assert {y for _, y in flat} == {HEIGHT - BOTTOM - 0.25 * (HEIGHT - TOP - BOTTOM)}


def test_the_band_is_the_spread_to_both_sides_within_the_axes():
    picture = plot()
    (band,) = map(points, ElementTree.fromstring(picture.svg()).iter(f"{SVG}polygon"))
    assert band[1] == picture.place(50, 0.6) and band[4] == picture.place(50, 0.4)
    assert all(TOP <= y <= HEIGHT - BOTTOM for _, y in band)


def test_every_line_has_a_name_and_every_point_its_value():
    svg = plot().svg()
    texts = [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert {"up & <away>", "flat", "A & B", "games", "strength", "0.2", "100"} <= set(texts)
    assert "flat: 100, 0.250" in svg
    assert "prefers-color-scheme: dark" in svg


@pytest.mark.parametrize("bounds", [(0, 1), (0.37, 0.52), (50_000, 1_000_000), (-3, 12)])
def test_ticks_are_few_round_and_within(bounds):
    low, high = bounds
    found = ticks(low, high)
    assert 3 <= len(found) <= 10 and low - 1e-9 <= found[0] and found[-1] <= high + 1e-9
    assert all(len(f"{tick:.10g}".strip("0.-").replace(".", "")) <= 3 for tick in found)


def test_one_point_or_none_is_no_reason_to_fail():
    for lines in ([], [Line("a", [1], [0.5])], [Line("a", [1, 2], [0.5, 0.5])]):
        svg = Plot("t", "x", "y", lines).svg()
        ElementTree.fromstring(svg)
        assert not re.search(r"\b(nan|inf)\b", svg)


def test_a_papers_level_is_a_dashed_line_in_the_colour_of_its_own():
    picture = plot(levels={"flat": 0.3}, y_from=None, y_to=None)
    svg = picture.svg()
    (_, down), (line,) = (
        picture.place(0, 0.3),
        re.findall(r'<path stroke="([^"]+)"[^>]*dashoffset[^>]*>', svg),
    )
    assert f"M{LEFT} {down}H" in svg and "the paper&#x27;s flat: 0.3" in svg
    assert line in re.findall(r'<polyline[^>]*stroke="([^"]+)"', svg)[1]
    assert picture.y_bounds == (-0.1, 1.1), "what is not said follows from all that is drawn, bands too"


def test_a_band_may_differ_to_both_sides_and_be_open_to_one():
    line = Line("up", [0, 1], [0.2, 0.4], band=[(0.1, 0.6), (-inf, 0.5)])
    picture = Plot("A", "x", "y", [line])
    assert picture.y_bounds == (0.1, 0.6), "what has no end takes no room"
    (points,) = re.findall(r'<polygon[^>]*points="([^"]+)"', picture.svg())
    corners = [tuple(map(float, point.split(","))) for point in points.split()]
    assert corners == [picture.place(*each) for each in ((0, 0.6), (1, 0.5), (1, 0.1), (0, 0.1))]


def test_powers_of_ten_are_as_far_apart_as_each_other():
    picture = Plot("A", "x", "y", [Line("up", [1, 10, 100], [0.0, 0.5, 1.0])], x_log=True)
    places = [picture.place(x, 0)[0] for x in (1, 10, 100)]
    assert places == [LEFT, (LEFT + WIDTH - RIGHT) / 2, WIDTH - RIGHT]


def test_a_long_name_has_room_in_the_legend():
    name = "after many games of training"
    root = ElementTree.fromstring(Plot("A", "x", "y", [Line(name, [0, 1], [0.0, 1.0])]).svg())
    (told,) = [element for element in root.iter(f"{SVG}text") if element.text == name]
    assert float(told.get("x")) + 6.5 * len(name) < WIDTH
