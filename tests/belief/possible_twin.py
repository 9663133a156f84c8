"""Slow twins of the metaposition.

`information_set` has every board that fits what a seat was told, by trying all moves on all of them: exact,
and only for small boards. `spread` is the simplest update by itself: where enemy pieces may be after a silent
move.
"""

from rookery.games.kriegspiel import KRIEGSPIEL

KINDS = "PNBRQK"
EMPTY = 1 << len(KINDS)


def board(state):
    """The true board, by square from a1."""
    found = []
    for row in reversed(state.native.fen.split(" ")[0].split("/")):
        for mark in row:
            found += [None] * int(mark) if mark.isdigit() else [mark]
    return found


def information_set(states, seat, event):
    """The states that are possible after one more event of that seat, from all that were before."""
    after = []
    for state in states:
        for move in state.chess().moves() if state.seat != seat else [state.parse(event.split(" ")[1])]:
            following = state.play(move)
            if following.view(seat).events[len(state.view(seat).events) :] == [event]:
                after.append(following)
    # Boards that are equal in everything have the same future.
    return list({following.native.fen: following for following in after}.values())


def union(states, seat):
    """The masks of a set of boards: by square, a bit for each kind of enemy piece and one for empty."""
    masks = [0] * 64
    for state in states:
        for square, mark in enumerate(board(state)):
            if mark is None:
                masks[square] |= EMPTY
            elif mark.islower() == (seat == 0):
                masks[square] |= 1 << KINDS.index(mark.upper())
    return masks


def silent(text, moves):
    """A game from a position, after moves that stood."""
    state = KRIEGSPIEL.start(text)
    for move in moves.split():
        state = state.play(state.parse(move))
    return state


def spread(masks):
    """Masks after a silent move of an enemy who has a King and Knights alone."""
    leaps = {"N": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]}
    leaps["K"] = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    after = list(masks)
    for kind, ways in leaps.items():
        bit = 1 << KINDS.index(kind)
        for square in range(64):
            if not masks[square] & bit:
                continue
            for up, right in ways:
                rank, file = square // 8 + up, square % 8 + right
                if 0 <= rank < 8 and 0 <= file < 8 and masks[8 * rank + file] & EMPTY:
                    after[8 * rank + file] |= bit
                    after[square] |= EMPTY
    return after
