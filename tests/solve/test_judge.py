"""Moves are judged against the best there was."""

from rookery.games.go import Go, GoState
from rookery.solve import judge, sum_up


def states(size: int, *moves: str) -> list[GoState]:
    found = [Go(size, scoring="area").start()]
    for text in moves:
        found.append(found[-1].play(found[-1].parse(text)))
    return found


def test_a_blunder_costs_what_it_costs() -> None:
    judged = judge(states(3, "B2", "A1", "A2"), 10**6)
    assert [(j.seat, j.kept, j.lost) for j in judged[:2]] == [(0, True, 0), (1, True, 0)]
    corner = judge(states(3, "A1", "B2"), 10**6)
    assert corner[0].kept is False and corner[0].lost is not None and corner[0].lost >= 9
    assert corner[1].lost == 0


def test_a_record_sums_up_what_was_settled() -> None:
    records = sum_up(judge(states(3, "A1", "B2", "B1"), 10**6))
    assert records[0].moves == 2 and records[0].judged == 2
    assert records[0].kept == 1 and records[0].share_kept == 0.5
    assert records[0].lost_per_move is not None and records[0].lost_per_move > 4
    assert records[1].share_kept == 1 and records[1].lost_per_move == 0


def test_what_is_not_settled_is_not_counted() -> None:
    record = sum_up(judge(states(5, "C3", "C2"), 10))[0]
    assert record.moves == 1 and record.judged == 0
    assert record.share_kept is None and record.lost_per_move is None
