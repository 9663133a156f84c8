"""Cards say who is the default and how strong levels are, and nobody says it a second time."""

from pathlib import Path

import pytest

from rookery import games, players, roster
from rookery.cards import ZOO, cards, measured, zoo
from rookery.errors import BadOption
from rookery.weights import find

STRENGTH = (Path(__file__).parents[2] / "docs" / "strength.md").read_text()
MEASURED = [(card, game) for card in cards().values() for game in card.levels]


@pytest.mark.parametrize(("card", "game"), MEASURED, ids=[f"{card.name} {game}" for card, game in MEASURED])
def test_the_page_about_strength_has_the_figures_of_the_cards(card, game):
    levels = card.levels[game]
    apart = [" | ".join(map(str, figures)) for figures in (levels.elo, levels.error)]
    together = " | ".join(f"{elo} ± {error}" for elo, error in zip(levels.elo, levels.error, strict=True))
    assert together in STRENGTH or all(f"| {row} |" in STRENGTH for row in apart)
    assert f"    {levels.command}\n" in STRENGTH


@pytest.mark.parametrize("game", games.names())
def test_a_game_has_one_default_and_it_plays_the_game(game):
    chosen = [card for card in cards().values() if game in card.default_for]
    assert len(chosen) == 1 and game in chosen[0].games


def test_what_a_card_says_is_of_its_own_games():
    for card in cards().values():
        assert {*card.default_for, *card.levels, *card.trained} <= set(card.games) <= set(games.names())


def test_levels_are_found_however_the_search_is_set():
    card, game = next((card, game) for card, game in MEASURED if card.player.options)
    assert measured(game, card.player.without_options()) is card.levels[game]
    assert measured("chess", card.player) is None


def test_weights_are_small_and_lie_in_one_place():
    files = [path for path in ZOO.rglob("*") if path.suffix in (".onnx", ".safetensors")]
    assert all(path.stat().st_size <= 12e6 for path in files)
    assert sum(path.stat().st_size for path in files) <= 32e6
    assert find("chess/policy-best", "policy.onnx") == find("chess/human", "policy.onnx")
    for card in zoo().values():
        assert not card.weights or card.weights in zoo()


def test_a_card_says_what_its_knowledge_is_told():
    chess = games.get("chess")
    state = chess.start()

    def shares(name):
        return players.know(name, chess).evaluate([state]).policy.of(0).tolist()

    assert shares("chess/human") == shares("chess/human:elo=1500")
    assert shares("chess/policy-best") == shares("chess/human:elo=2700") != shares("chess/human")
    assert shares("chess/policy-best:elo=1200") == shares("chess/human:elo=1200")


def test_who_plays_like_people_of_a_rating_is_named_by_it():
    card = roster.like_people(games.get("chess"))
    assert card is not None and list(card.ratings.offered()) == list(range(1000, 2501, 100))
    at = card.ratings.at(1500)
    named = f"pikl:kl={at.kl:g},nodes={at.nodes}+chess/human:elo=1500"
    assert players.rated(str(card.player), 1500) == named
    # What a name says itself is kept; other searches are told the rating alone.
    assert players.rated("pikl:kl=0.5+chess/human:elo=1000,temperature=0.25", 1500) == (
        f"pikl:kl=0.5,nodes={at.nodes}+chess/human:temperature=0.25,elo=1500"
    )
    assert players.rated("sample+chess/human", 1500) == "sample+chess/human:elo=1500"
    assert players.rated(str(card.player), 4000) == players.rated(str(card.player), 2500)
    ways = [card.ratings.at(elo) for elo in card.ratings.offered()]
    costs = [way.kl for way in ways]
    assert costs == sorted(costs, reverse=True)
    assert roster.like_people(games.get("go9")) is None
    with pytest.raises(BadOption, match="cannot imitate people"):
        players.rated("alphabeta+classical", 1500)
