"""Other people's referees, where their rules are ours: which tries stand, what is taken, the pawn tries."""

import chess
import numpy as np
import pyspiel
from kriegspiel import KriegspielMove, MainAnnouncement, QuestionAnnouncement, Wild16Game

from rookery.games.kriegspiel import KRIEGSPIEL, Heard


def random_tries(seed: int, most: int):
    """States of a random game, each with a try and the state after it."""
    rng = np.random.default_rng(seed)
    state = KRIEGSPIEL.start()
    for _ in range(most):
        moves = state.moves()
        if not moves:
            return
        move = moves[rng.integers(len(moves))]
        after = state.play(move)
        yield state, state.text(move), after
        state = after


def test_wild16_of_the_kriegspiel_package():
    accepted = 0
    for seed in range(3):
        referee = Wild16Game()
        for before, text, after in random_tries(seed, 150):
            asked = KriegspielMove(QuestionAnnouncement.COMMON, chess.Move.from_uci(text))
            # It does not answer what its own list of askable moves leaves out; those are never legal.
            answer = referee.ask_for(asked)
            heard = Heard.read(after.view(before.seat).events[-1])
            assert answer.move_done == (heard.move is not None)
            if heard.move is None or heard.end:
                continue
            accepted += 1
            assert (answer.main_announcement == MainAnnouncement.CAPTURE_DONE) == bool(heard.captured)
            if heard.captured:
                assert chess.square_name(answer.capture_at_square) == heard.square
                assert answer.captured_piece_announcement.name == (
                    "PAWN" if heard.captured == "p" else "PIECE"
                )
            assert (answer.next_turn_pawn_tries or 0) == heard.tries
    assert accepted > 100


def test_boards_of_open_spiel():
    accepted = 0
    for seed in range(6):
        peer = pyspiel.load_game("kriegspiel").new_initial_state()
        for before, text, after in random_tries(100 + seed, 400):
            actions = {peer.action_to_string(action): action for action in peer.legal_actions()}
            stands = after.seat != before.seat
            if not stands and text not in actions:
                continue
            peer.apply_action(actions[text])
            assert peer.is_terminal() or (peer.current_player() == 1) == (after.seat == 0)
            if peer.is_terminal():
                break
            if stands:
                accepted += 1
                theirs, ours = chess.Board(str(peer)), chess.Board(after.native.fen)
                assert theirs.board_fen() == ours.board_fen()
                assert {m.uci() for m in theirs.legal_moves} == {m.uci() for m in ours.legal_moves}
    assert accepted > 200
