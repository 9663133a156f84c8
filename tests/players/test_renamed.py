"""Names with options that were renamed since go on meaning the same player, with one line of warning."""

import pytest

from rookery import games, options, players, renamed, roster
from rookery.errors import BadOption

OLD = [
    (
        "alphabeta:hash=1,selective=no,beyond=4,depth=2+classical",
        "alphabeta:hash=1,pruning=no,qdepth=4,depth=2+classical",
    ),
    ("puct:reduction=0.2,nodes=9+pieces", "puct:fpu=0.2,nodes=9+pieces"),
    (
        "gumbel:considered=4,visit=40,scale=0.5,nodes=9+pieces",
        "gumbel:max_considered=4,c_visit=40,c_scale=0.5,nodes=9+pieces",
    ),
]


@pytest.fixture(autouse=True)
def nobody_was_told():
    renamed._tell.cache_clear()


@pytest.mark.parametrize(("old", "new"), OLD)
def test_an_old_name_makes_the_same_player(old, new):
    assert players.make(old, games.get("chess")).name == players.vary(old, {}) == new


def test_the_warning_is_one_line_and_comes_once(caplog):
    for _ in range(2):
        players.vary("puct:reduction=0.2+pieces", {})
    assert caplog.messages == ["rookery: puct: reduction is now called fpu"]


def test_old_and_new_at_once_are_one_too_many():
    with pytest.raises(BadOption, match="puct: fpu is given twice"):
        players.settings("puct:reduction=0.2,fpu=0.3+pieces")


def test_every_old_name_leads_to_an_option_and_is_none_itself():
    for search in roster.searches().values():
        offered = roster.search_options(search)
        assert set(search.renamed.values()) <= set(offered), search
        assert not set(search.renamed) & set(offered), search
        assert {old for option in offered.values() for old in option.formerly} == set(search.renamed)


def test_without_old_names_there_are_none():
    assert all(not option.formerly for option in options.declared(roster.searches()["puct"]).values())
