"""What an enemy who does not see may take, as slowly and readably as can be: native/belief/blindfold.hpp by
python-chess."""

import chess

WORTH = {1: 100, 2: 320, 3: 335, 4: 500, 5: 950, 6: 2000}
RETAKE, PAWN_RETAKE, USE_TRY, CHECKER, ACCIDENT = 0.65, 0.96, 0.93, 0.5, 1.5 * 1.5


def attackers(board, square, colour, gone):
    """The squares of the men of a colour that attack a square, if the men on `gone` were lifted."""
    bare = board.copy(stack=False)
    for s in gone:
        bare.remove_piece_at(s)
    return [s for s in bare.attackers(colour, square) if s != square]


def regain(board, square, side, gone, victim):
    """What `side` wins by taking on a square what is worth `victim`, if it pays."""
    found = attackers(board, square, side, gone)
    if not found:
        return 0
    cheapest = min(found, key=lambda s: (board.piece_type_at(s), s))
    kind, left = board.piece_type_at(cheapest), [*gone, cheapest]
    if kind == chess.KING and attackers(board, square, not side, left):
        return 0
    return max(0, victim - regain(board, square, not side, left, WORTH[kind]))


def losses(board, took, to):
    """In centipawns, on a board where the enemy is to move."""
    him = board.turn
    tries = {
        (m.from_square, m.to_square)
        for m in board.legal_moves
        if board.piece_type_at(m.from_square) == chess.PAWN and board.is_capture(m)
    }
    answers = board.legal_moves.count()
    total = 0.0
    for square, man in board.piece_map().items():
        if man.color == him or man.piece_type == chess.KING:
            continue
        takers = attackers(board, square, him, [])
        if board.is_check() and square not in board.checkers():
            continue
        king = board.king(him)
        if king in takers and attackers(board, square, not him, [king]):
            takers.remove(king)
        if not takers:
            continue
        costs = [
            WORTH[man.piece_type] - regain(board, square, not him, [s], WORTH[board.piece_type_at(s)])
            for s in takers
        ]
        cost = sum(costs) / len(costs)
        pawns = sum(board.piece_type_at(s) == chess.PAWN for s in takers)
        if took and square == to:
            chance = PAWN_RETAKE if pawns else 1 - (1 - RETAKE) ** len(takers)
        elif board.is_check():
            chance = CHECKER
        elif pawns and tries:
            chance = USE_TRY * pawns / len(tries)
        else:
            chance = min(0.9, ACCIDENT * len(takers) / answers)
        total += min(1.0, chance) * max(cost, 0)
    return total
