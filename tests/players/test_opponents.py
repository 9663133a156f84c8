"""Players as people speak of them."""

import re

import pytest

from rookery import cards, games, opponents, players, roster, strength

PROGRAM_TEXT = re.compile(r"[:+=@]|\b(hash|quiescence|alphabeta)\b")


def meet(name: str, game: str) -> opponents.Opponent:
    return opponents.meet(name, games.get(game))


@pytest.mark.parametrize("name", games.names())
def test_everybody_listed_has_a_title_and_a_sentence_without_program_text(name: str) -> None:
    game = games.get(name)
    titles = []
    for entry in roster.for_game(game):
        for spelling in (
            entry.name,
            *(players.vary(entry.name, {"level": 1}) for _ in range(players.levels(entry.name) > 0)),
        ):
            one = opponents.meet(spelling, game)
            assert not PROGRAM_TEXT.search(one.title), one
            assert one.description.endswith(".") and one.strength
            titles.append(one.title)
    assert len(set(titles)) == len(titles)


def test_who_plays_like_people_says_of_which_rating() -> None:
    for elo in (1200, 1500, 2400):
        one = meet(players.rated("pikl+chess/human", elo), "chess")
        assert one.title == f"Like people rated {elo}"
        assert re.fullmatch(
            rf"Plays like people rated {elo} \(FIDE\); about \d+ on Stockfish's scale", one.strength
        )
        assert one.measured
    # With settings of its own nobody has measured it.
    other = meet("pikl:kl=0.5,nodes=1000+chess/human:elo=1700,temperature=0.45", "chess")
    assert other.title == "Like people rated 1700 (temperature 0.45, kl 0.5, nodes 1000)"
    assert not other.measured
    assert meet("sample+chess/human", "chess").title == "Policy sampling, Like people"
    searching = meet("puct:nodes=50+chess/human:elo=1700", "chess")
    assert "rated" not in searching.title and not searching.measured


def test_whom_people_meet_is_called_rookery() -> None:
    assert meet("alphabeta:level=4+classical", "chess").title == "Rookery level 4"
    assert meet("puct:fpu=0.2,nodes=400+go/zero", "go9").title == "Rookery"
    assert meet("kriegspiel-hybrid:level=2+kriegspiel/best", "kriegspiel").title == "Rookery level 2"
    assert meet("sergeant:level=2", "kriegspiel").title == "Sergeant (rule-based) level 2"
    assert meet("random", "chess").title == "Random mover"
    assert (
        meet("alphabeta:depth=3+classical", "chess").title
        == "Alpha-beta search, hand-made evaluation (depth 3)"
    )
    assert meet("alphabeta:level=2,depth=3+classical", "chess").title.endswith("(depth 3) level 2")


def test_other_peoples_programs_and_names_that_mean_nothing() -> None:
    assert meet("uci:stockfish,UCI_LimitStrength=true,UCI_Elo=1500", "chess").title.startswith("Stockfish (")
    assert meet("gtp:gnugo", "go9").title == "GNU Go"
    for name in ("alphabet", "alphabeta:hush=3+classical", "", "+", "a:b:c+@", "alphabeta+nobody@nowhere"):
        assert meet(name, "chess").title == name


def test_words_are_bound_to_what_was_measured() -> None:
    assert meet("alphabeta:level=7+classical", "chess").strength == "club player, about 1440 Elo"
    assert meet("alphabeta:level=1+classical", "chess").strength == "beginner, about 460 Elo"
    assert meet("alphabeta:level=10+classical", "chess").strength == "master, about 2350 Elo"
    assert meet("alphabeta:level=7+pieces", "chess").strength == strength.UNMEASURED
    assert (
        meet("sergeant:level=6", "kriegspiel").strength
        == "about 540 Elo on this game's scale (random mover = 0)"
    )
    assert meet("puct:fpu=0.2,nodes=400,level=8+go/zero", "go9").strength == strength.UNMEASURED
    for size in ("go13", "go19"):
        untrained = meet("puct:fpu=0.2,nodes=400,level=5+go/zero", size).strength
        assert untrained == "not measured; the network was not trained on this size"


def test_what_is_measured_is_told_so() -> None:
    assert meet("sergeant:level=6", "kriegspiel").measured
    assert not meet("sergeant", "kriegspiel").measured and not meet("uct:level=1", "chess").measured
    assert not meet("puct:level=5+go/zero", "go13").measured


def test_only_ratings_of_people_have_words() -> None:
    for card in cards.cards().values():
        for game, levels in card.levels.items():
            for level in range(1, len(levels.elo) + 1):
                told = strength.words(game, card.player, level)
                assert told and ("scale" in told) == (levels.scale == "random")


def test_other_knowledge_is_not_what_was_measured() -> None:
    assert meet("puct:level=3+go/zero", "go5").measured
    warm = meet("puct:level=3+go/zero:temperature=2", "go5")
    assert not warm.measured
    assert warm.title == "Guided tree search, Self-play network (temperature 2) level 3"
