"""A little of `make soak`: seats are told what the rules give, and whatever is told beyond it is found."""

from dataclasses import replace

import pytest

from rookery.games.kriegspiel import KriegspielView
from soak import leaks
from soak.leaks import Told, read


def test_seats_are_told_what_the_rules_give() -> None:
    for seed in range(4):
        tries, fault = leaks.game(seed, 150)
        assert tries > 20 and not fault


def a_man_too_many(told: Told) -> Told:
    return replace(told, men=told.men.replace("8", "7p", 1))


def a_refusal_of_the_other(told: Told) -> Told:
    return replace(told, heard=(*told.heard, "ILLEGAL e7e5"))


def a_try_that_is_known_to_fail(told: Told) -> Told:
    return replace(told, moves=told.moves[1:])


def a_try_more(told: Told) -> Told:
    return replace(told, tries=told.tries + 1)


@pytest.mark.parametrize(
    "leak", [a_man_too_many, a_refusal_of_the_other, a_try_that_is_known_to_fail, a_try_more]
)
def test_a_planted_leak_is_found(leak) -> None:
    looked = 0

    def look(view: KriegspielView) -> Told:
        nonlocal looked
        looked += 1
        return leak(read(view)) if looked > 30 else read(view)

    tries, fault = leaks.game(1, 150, look)
    assert fault and tries < 25
