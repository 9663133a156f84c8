"""OpenSpiel from Python. Its own loop over two random bots, `evaluate_bots`, is slower than this one."""

import random
from importlib.metadata import version

import pyspiel
from protocol import repeat, serve

NAMES = {"chess": "chess", "kriegspiel": "kriegspiel", "go9": "go(board_size=9)"}


def playouts(game, seconds):
    rules = pyspiel.load_game(NAMES[game])
    choose = random.Random(1).choice

    def once():
        state = rules.new_initial_state()
        plies = 0
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
            plies += 1
        return plies, 1

    return repeat(seconds, once)


def uct(game, seconds):
    """Searches from the first position by OpenSpiel's own search in C++, with one random game a leaf."""
    rules = pyspiel.load_game(NAMES[game])
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    simulations = 2000
    bot = pyspiel.MCTSBot(
        rules,
        evaluator,
        uct_c=2.0,
        max_simulations=simulations,
        max_memory_mb=1000,
        solve=False,
        seed=1,
        verbose=False,
    )

    def once():
        bot.mcts_search(rules.new_initial_state())
        return simulations, 1

    return repeat(seconds, once)


serve({"name": "open_spiel", "version": version("open_spiel")}, {"playouts": playouts, "uct": uct})
