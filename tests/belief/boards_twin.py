"""Slow readable twins of whole boards that may be the true one, on top of python-chess."""

from __future__ import annotations

from collections.abc import Iterable

import chess
from referee_twin import direction, end, pawn_tries

from rookery.games.kriegspiel import Heard


def sounds(board: chess.Board, move: chess.Move, heard: Heard) -> chess.Board | None:
    """The board after a move, if the referee would have said what was heard; else None."""
    captured, square = None, None
    if board.is_capture(move):
        at = move.to_square
        if board.is_en_passant(move):
            at = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        captured = "p" if board.piece_type_at(at) == chess.PAWN else "P"
        square = chess.square_name(at)
    if (captured, square) != (heard.captured, heard.square):
        return None
    after = board.copy()
    after.push(move)
    if directions(after) != heard.checks or pawn_tries(after) != heard.tries:
        return None
    word = end(after)
    return after if (None if word == "-" else word) == heard.end else None


def directions(board: chess.Board) -> tuple[str, ...]:
    king = board.king(board.turn)
    assert king is not None
    return tuple(sorted((direction(king, s, board) for s in board.checkers()), key="RFLSN".index))


def legal(board: chess.Board, text: str) -> chess.Move | None:
    return next((move for move in board.legal_moves if move.uci() == text), None)


def follow(boards: Iterable[chess.Board], line: str) -> list[chess.Board]:
    """All boards that one more line leaves possible."""
    heard = Heard.read(line)
    if heard.refused:
        return [board for board in boards if not legal(board, heard.refused)]
    found: dict[str, chess.Board] = {}
    for board in boards:
        moves = [legal(board, heard.move)] if heard.move else list(board.legal_moves)
        for move in moves:
            if move and (after := sounds(board, move, heard)):
                found.setdefault(name(after.fen()), after)
    return list(found.values())


def name(fen: str) -> str:
    """A board without its counters, and with en passant only where it can be taken."""
    return chess.Board(fen).epd(en_passant="legal")
