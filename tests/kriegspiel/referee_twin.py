"""A slow referee on top of python-chess, written from the rules: what each seat must hear, and no more."""

from __future__ import annotations

import chess

LENGTH = 600


def direction(king: int, checker: int, board: chess.Board) -> str:
    if board.piece_type_at(checker) == chess.KNIGHT:
        return "N"
    x, y = chess.square_file(king), chess.square_rank(king)
    cx, cy = chess.square_file(checker), chess.square_rank(checker)
    if y == cy:
        return "R"
    if x == cx:
        return "F"
    rising_length, falling_length = 8 - abs(x - y), 8 - abs(x + y - 7)
    rising = (cx - x) * (cy - y) > 0
    return "L" if rising == (rising_length > falling_length) else "S"


def pawn_tries(board: chess.Board) -> int:
    return len(
        {
            (move.from_square, move.to_square)
            for move in board.legal_moves
            if board.piece_type_at(move.from_square) == chess.PAWN and board.is_capture(move)
        }
    )


def end(board: chess.Board) -> str:
    if board.is_checkmate():
        return "mate"
    if board.is_stalemate():
        return "stale"
    if board.is_insufficient_material():
        return "material"
    if board.halfmove_clock >= 100:
        return "fifty"
    if board.is_repetition(3):
        return "rep3"
    return "length" if board.ply() >= LENGTH else "-"


class Referee:
    """Holds the board and what both seats have heard, White's first."""

    def __init__(self, fen: str = chess.STARTING_FEN) -> None:
        self.board = chess.Board(fen)
        self.heard: tuple[list[str], list[str]] = ([], [])

    def attempt(self, text: str) -> None:
        board = self.board
        seat = 0 if board.turn else 1
        # By text, since python-chess also takes a King's move onto its own Rook for castling.
        move = next((move for move in board.legal_moves if move.uci() == text), None)
        if move is None:
            self.heard[seat].append(f"ILLEGAL {text}")
            return
        captured = "-"
        if board.is_capture(move):
            square = move.to_square
            if board.is_en_passant(move):
                square = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
            kind = "p" if board.piece_type_at(square) == chess.PAWN else "P"
            captured = f"{kind}@{chess.square_name(square)}"
        board.push(move)
        king = board.king(board.turn)
        checks = sorted((direction(king, s, board) for s in board.checkers()), key="RFLSN".index)
        umpire = (
            f"cap={captured} chk={'+'.join(checks) or '-'} tries={pawn_tries(board)} "
            f"turn={'w' if board.turn else 'b'} end={end(board)}"
        )
        self.heard[seat].append(f"OK {text} {umpire}")
        self.heard[1 - seat].append(f"OPP {umpire}")
