"""Files of weights that somebody else made: refused in one line, whatever they are."""

from __future__ import annotations

import json
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from rookery import cards, games, players, weights
from rookery.errors import RookeryError
from rookery.evaluators import linear
from rookery.evaluators.features import linear_games

SOUND = {
    "linear": (
        {"kind": "linear", "version": 1, "game": "chess"},
        {"weights": np.zeros((1, 920), np.float32)},
    ),
    "td": weights.read(weights.find("go5/koten"), "td", 1),
    "deepchess": (
        {"kind": "deepchess", "version": 1, "game": "chess", "embed": [773, 8], "compare": [16, 8, 2]},
        {
            "embed.0.weight": np.ones((8, 773), np.float32),
            "embed.0.bias": np.zeros(8, np.float32),
            "embed.ranges": np.ones(1, np.float32),
            "compare.0.weight": np.ones((8, 16), np.float32),
            "compare.0.bias": np.zeros(8, np.float32),
            "compare.1.weight": np.ones((2, 8), np.float32),
            "compare.1.bias": np.zeros(2, np.float32),
            "compare.ranges": np.ones(1, np.float32),
        },
    ),
}
PLAYERS = {
    "linear": ("chess", "alphabeta:depth=1+linear@"),
    "td": ("go5", "greedy+td@"),
    "deepchess": ("chess", "comparison:depth=1+deepchess@"),
}
KINDS = tuple(SOUND)


def make(kind: str, path: Path) -> Any:
    game, name = PLAYERS[kind]
    return players.make(f"{name}{path}", games.get(game))


def refused(kind: str, path: Path, *words: str) -> None:
    with pytest.raises(RookeryError) as error:
        make(kind, path)
    told = str(error.value)
    assert "\n" not in told and len(told) < 500 + len(str(path)), told
    for word in words:
        assert word in told


def put(path: Path, kind: str, facts: dict[str, Any] | str | None = None, **arrays: Any) -> Path:
    said, sound = SOUND[kind]
    facts = said if facts is None else facts
    save_file({**sound, **arrays}, path, {"rookery": facts if isinstance(facts, str) else json.dumps(facts)})
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_sound_is_read(tmp_path: Path, kind: str) -> None:
    make(kind, put(tmp_path / "w", kind))


def a_pickle() -> bytes:
    class Evil:
        def __reduce__(self):
            return Path.touch, (Path("executed"),)

    return pickle.dumps(Evil())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 100,
        b"PK\x03\x04" + b"\0" * 100,
        a_pickle(),
        struct.pack("<Q", 2**63) + b"{}",
        struct.pack("<Q", 100_000_000) + b"{" * 1000,
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 60) + b'{"weights":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}',
        struct.pack("<Q", 89)
        + b'{"weights":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}'.ljust(89),
    ],
    ids=["empty", "zeros", "zip", "pickle", "huge", "long", "list", "short", "overflow"],
)
def test_what_is_no_safetensors_file(tmp_path: Path, kind: str, content: bytes, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w").write_bytes(content)
    refused(kind, tmp_path / "w", "cannot be read as weights")
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "facts",
    ["", "{", "[]", "3", "null", '"text"', "{}", "[" * 100_000, '{"kind": [], "version": {}}', "x" * 10**6],
)
def test_what_does_not_say_what_it_is(tmp_path: Path, kind: str, facts: str) -> None:
    refused(kind, put(tmp_path / "w", kind, facts))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", [None, 3, "", "go9", ["chess"], "duchess4", "\ud800", "x" * 10**6])
def test_another_game_or_none(tmp_path: Path, kind: str, game: object) -> None:
    facts = dict(SOUND[kind][0])
    del facts["game"]
    refused(
        kind, put(tmp_path / "w", kind, facts if game is None else {**facts, "game": game}), "knows", "not"
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38, -3e38])
def test_numbers_beyond_all_use(tmp_path: Path, kind: str, bad: float) -> None:
    name, array = next(iter(SOUND[kind][1].items()))
    array = array.copy()
    array.flat[-1] = bad
    refused(kind, put(tmp_path / "w", kind, **{name: array}), "NaN or numbers beyond")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int32, np.uint8, np.bool_])
def test_another_type(tmp_path: Path, kind: str, dtype: type) -> None:
    name, array = next(iter(SOUND[kind][1].items()))
    refused(kind, put(tmp_path / "w", kind, **{name: array.astype(dtype)}), "must be float32")


def test_types_that_numpy_does_not_have(tmp_path: Path) -> None:
    header = json.dumps({"weights": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    (tmp_path / "w").write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 4)
    refused("linear", tmp_path / "w")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "shape", [(), (0,), (1, 0), (920,), (1, 919), (920, 1), (2, 460), (3, 920), (1, 1, 920)]
)
def test_another_shape(tmp_path: Path, kind: str, shape: tuple[int, ...]) -> None:
    name = next(iter(SOUND[kind][1]))
    refused(kind, put(tmp_path / "w", kind, **{name: np.zeros(shape, np.float32)}))


@pytest.mark.parametrize("kind", KINDS)
def test_more_arrays_than_there_should_be(tmp_path: Path, kind: str) -> None:
    refused(kind, put(tmp_path / "w", kind, more=np.zeros((1, 1), np.float32)))


def test_a_representation_that_nobody_knows(tmp_path: Path) -> None:
    for said in ("", "katana", 3, None, ["koten"]):
        refused("td", put(tmp_path / "w", "td", {**SOUND["td"][0], "representation": said}), "koten")


@pytest.mark.parametrize("game", ["duchess4", "duchess6"])
def test_rows_of_duchess_are_two_or_six(tmp_path: Path, game: str) -> None:
    count = linear_games()[game].evaluation.features
    for rows in (1, 2, 3, 6, 12):
        linear.write(tmp_path / "w", game, np.zeros((rows, count), np.float32))
        if rows in (2, 6):
            assert linear.read(tmp_path / "w", game).shape == (rows, count)
        else:
            with pytest.raises(RookeryError, match=f"{rows} x {count}"):
                linear.read(tmp_path / "w", game)


@pytest.mark.parametrize(
    "sizes",
    [
        {"embed": None},
        {"embed": 3},
        {"embed": [773]},
        {"embed": [773, 0]},
        {"embed": [773, 8.0]},
        {"embed": [773, True]},
        {"embed": [773, -8]},
        {"embed": [773, 10**30]},
        {"embed": [773] * 100},
        {"embed": [773, 8, 8]},
        {"embed": [773, 9]},
        {"compare": [16, 2]},
        {"compare": [15, 8, 2]},
        {"compare": "16"},
        {"scalar": [8, 1]},
        {"scalar": []},
    ],
    ids=str,
)
def test_sizes_of_deepchess_that_its_arrays_have_not(tmp_path: Path, sizes: dict[str, Any]) -> None:
    refused("deepchess", put(tmp_path / "w", "deepchess", {**SOUND["deepchess"][0], **sizes}))


@pytest.mark.parametrize(
    "change",
    [
        {"embed": [772, 8], "embed.0.weight": (8, 772)},
        {
            "embed": [773, 1025],
            "embed.0.weight": (1025, 773),
            "embed.0.bias": (1025,),
            "compare": [2050, 8, 2],
        },
        {"compare": [17, 8, 2], "compare.0.weight": (8, 17)},
        {"compare": [16, 8, 3], "compare.1.weight": (3, 8), "compare.1.bias": (3,)},
        {"compare": [16, 2], "compare.0.weight": (2, 16), "compare.0.bias": (2,), "compare.ranges": (0,)},
    ],
)
def test_networks_that_are_whole_but_no_deepchess(tmp_path: Path, change: dict[str, Any]) -> None:
    facts, arrays = SOUND["deepchess"]
    facts = {**facts, **{name: said for name, said in change.items() if isinstance(said, list)}}
    arrays = {
        **arrays,
        **{n: np.ones(said, np.float32) for n, said in change.items() if isinstance(said, tuple)},
    }
    if facts["compare"] == [16, 2]:
        arrays = {name: array for name, array in arrays.items() if not name.startswith("compare.1")}
    save_file(arrays, tmp_path / "w", {"rookery": json.dumps(facts)})
    refused("deepchess", tmp_path / "w")


def test_ranges_below_zero(tmp_path: Path) -> None:
    refused(
        "deepchess",
        put(tmp_path / "w", "deepchess", **{"embed.ranges": -np.ones(1, np.float32)}),
        "must be 0 or more",
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "source", ["x" * 300, "x/" * 3000, "\ud800", "\0", "a\nb", "/dev/null", "/proc/self/mem"]
)
def test_sources_that_no_file_can_be(kind: str, source: str) -> None:
    with pytest.raises(RookeryError) as error:
        players.make(f"{PLAYERS[kind][1]}{source}", games.get(PLAYERS[kind][0]))
    assert "\n" not in str(error.value) and len(str(error.value)) < 300


def test_a_damaged_card_of_the_zoo_is_named_and_the_others_stay(tmp_path: Path, monkeypatch, caplog) -> None:
    sound = (cards.ZOO / "go5/koten/card.toml").read_bytes()
    bad = [b"", b"\xff\xfe\0", b"title = ", b'title = "no more"', sound.replace(b'["go5"]', b"3")]
    bad += [sound.replace(b"[60, 282,", b"[60, 'x',"), sound.replace(b"[60, 282,", b"[282,")]
    bad += [sound.replace(b'"greedy+', b'"uci:,')]
    for number, content in enumerate([sound, *bad]):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "card.toml").write_bytes(content)
    monkeypatch.setattr(cards, "ZOO", tmp_path)
    assert list(cards.cards.__wrapped__()) == ["0"]
    assert len(caplog.messages) == len(bad) and all("left out" in message for message in caplog.messages)
