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


serve({"name": "open_spiel", "version": version("open_spiel")}, {"playouts": playouts})
