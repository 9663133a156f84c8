"""The rules that players read: what they promise holds."""

import re

import pytest

from rookery import games
from rookery.errors import UnknownName


def test_an_unknown_game_has_no_rules():
    with pytest.raises(UnknownName, match="did you mean"):
        games.rules("ches")
    with pytest.raises(UnknownName):
        games.rules("../../../README")


@pytest.mark.parametrize("name", ["chess", "duchess4"])
def test_the_rules_tell_of_every_piece(name):
    rows = dict(re.findall(r"^\| (\w+) \| (.+) \|$", games.rules(name), re.MULTILINE))
    pieces = {"King", "Queen", "Rook", "Bishop", "Knight", "Pawn"}
    assert pieces | ({"Wizard", "Duchess", "Fortress"} if name == "duchess4" else set()) <= set(rows)


def test_the_rules_tell_the_teams_of_duchess():
    text = games.rules("duchess")
    for name in ("duchess4", "duchess6"):
        spec = games.get(name).spec
        teams = [
            [seat for seat, side in zip(spec.seat_names, spec.side_of, strict=True) if side == one]
            for one in (0, 1)
        ]
        assert all(f"{', '.join(team[:-1])} and {team[-1]}" in text for team in teams)


def test_the_rules_use_every_word_of_the_referee():
    from rookery.games.kriegspiel import Heard

    text = games.rules("kriegspiel")
    said = [
        "OPP cap=p@d5 chk=R tries=1 turn=b end=-",
        "OPP cap=P@d5 chk=F tries=2 turn=b end=-",
        "OPP cap=- chk=L tries=0 turn=b end=mate",
        "OPP cap=- chk=S tries=0 turn=b end=stale",
        "OPP cap=- chk=N tries=0 turn=b end=mate",
    ]
    for line in said:
        for words in Heard.read(line).spoken().rstrip(".").split(". "):
            assert words in text or words == "Black's move", words
