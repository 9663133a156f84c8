"""Cards say who is the default and how strong levels are, and nobody says it a second time."""

from pathlib import Path

import pytest

from rookery import games
from rookery.cards import cards, measured

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
