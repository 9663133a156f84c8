"""Tries that no table of values comes to by itself: conditions, orders of calls, threads, the end of a program.

Each is a line of Python over `soak.scene`; it may raise, but must end, and must not take the process along.
"""

# ruff: noqa: E501 (one try a line)
from __future__ import annotations

# Evaluations that are no numbers, from weights and from Python, through every search that reads them.
_FILLS = ("nan", "inf", "-inf", "3e38", "-3e38", "1e30", "1e-45")
EVALUATIONS = [
    *(f"look(crew(fill={fill}))" for fill in _FILLS),
    *(f"look(crew(fill={fill}, threads=2), depth=4)" for fill in _FILLS[:4]),
    *(f"look(crew(fill={fill}), lines=5)" for fill in _FILLS[:4]),
    *(f"look(alphabeta(net({fill}), pruning(qdepth=4)))" for fill in _FILLS),
    *(f"look(alphabeta(net({fill}, 'roban'), pruning(qdepth=4)))" for fill in _FILLS),
    *(f"look(asked({fill}), depth=2)" for fill in _FILLS),
    *(f"look(asked({fill}), state=go(5), depth=2, lines=3)" for fill in _FILLS[:4]),
    *(f"look(asked(lambda leaf: next(odd)), depth=3) if (odd := iter([0.0, {fill}] * 10**5)) else 0" for fill in _FILLS[:4]),
    *(f"look(asked({value}), depth=2)" for value in ("raises", "interrupts", "leaves", "recurses", "returns(None)", "returns('x')")),
    *(
        f"look(alphabeta(Duchess4Linear(rows(Duchess4Linear, 2, {fill})), pruning(qdepth=4)), Duchess4State())"
        for fill in _FILLS[:4]
    ),
    *(f"look(comparison(AskedComparator(returns({value}), returns({score})), ComparisonOptions()))" for value in ("True", "nan", "None") for score in ("nan", "inf", "0")),
    *(f"net({fill}).look(go(5), 2, False)" for fill in _FILLS[:4]),
    *(f"td_duel(net({fill}), Naive(), go(5), 2, 1)" for fill in _FILLS[:4]),
    *(f"td_duel(net({fill}), net({fill}), go(5), 2, 1, depth=2)" for fill in _FILLS[:4]),
]  # fmt: skip

# Bounds of a search that leave nothing to do, or everything.
BOUNDS = [
    *(f"look(crew(), lines={lines})" for lines in ("0", "-1", "-2**31", "2**31 - 1", "500")),
    *(f"look(crew(threads=2), lines={lines})" for lines in ("0", "-5", "500")),
    *(f"look(crew(), depth={depth})" for depth in ("0", "-1", "-2**31", "64", "10**6", "2**31 - 1")),
    *(f"look(crew(), nodes={nodes})" for nodes in ("0", "-1", "1", "2**63 - 1")),
    *(f"look(crew(), seconds={seconds})" for seconds in ("0.0", "-1.0", "nan", "inf", "-inf", "1e308", "5e-324")),
    "look(crew(), only=[10**9])",
    "look(crew(), only=[0] * 10**5)",
    "look(crew(), state=over(ChessState()))",
    "look(comparison(ChessPieces(), ComparisonOptions()), state=over(ChessState()))",
    "look(asked(), state=over(go(5)))",
    *(f"player().think(view(), limit(depth=3, lines={lines}))" for lines in ("0", "-1")),
    *(f"ChessState().uct(1.0, {threads}, 1, {nodes}, 0.2, [], Stop(), None)"
      for threads in ("0", "-1", "300") for nodes in ("0", "-1", "50")),
    *(f"ChessState().uct({c}, 1, 1, 50, {seconds}, [], Stop(), None)"
      for c in ("nan", "inf", "-inf", "-1.0") for seconds in ("nan", "inf", "0.1")),
    *(f"over({state}).uct(1.0, 1, 1, 50, 0.1, [], Stop(), None)" for state in ("ChessState()", "go(5)", "Duchess4State()")),
    *(f"over({state}).playouts(10, 1)" for state in ("ChessState()", "go(5)", "Duchess4State()", "KriegspielState()")),
    *(f"{state}.perft({depth})" for state in ("ChessState()", "KriegspielState()", "go(19)", "go(2)", "Duchess4State()", "Duchess6State()")
      for depth in ("-1", "-2**31", "0")),
    *(f"{state}.text({move})" for state in ("ChessState()", "KriegspielState()", "go(5)", "Duchess4State()", "Duchess6State()")
      for move in ("-1", "10**9", "2**31 - 1", "-2**31")),
    *(f"{state}.{method}({number})" for state in ("go(2)", "go(5)", "go(19)") for method in ("stones", "chain", "liberties")
      for number in ("-1", "400", "10**9")),
    *(f"KriegspielState().{method}({number})" for method in ("heard", "men", "accepts") for number in ("-1", "2", "10**9")),
    *(f"games.get({game!r}).start().view({seat}).picture()" for game in ("chess", "kriegspiel", "go5", "duchess4") for seat in ("-1", "99", "10**30", "None")),
    "Duchess4State().attackers('9z9')",
    "Duchess4State().attackers('')",
]  # fmt: skip

# Tables, threads and boards that cannot be had.
ROOM = [
    *(f"crew(megabytes={size})" for size in ("2**43", "2**63", "2**64 - 1", "2**40", "2**20")),
    *(f"GoSolver({size})" for size in ("2**43", "2**63", "2**64 - 1", "2**40", "0")),
    *(f"look(crew(threads={threads}), depth=4)" for threads in ("0", "-1", "256", "1000", "100000")),
    *(f"look(asked(0.0, threads={threads}), depth=2)" for threads in ("0", "-1", "256", "100000")),
    *(f"Workers({threads})" for threads in ("0", "-1", "256", "2000", "2**31 - 1")),
    *(f"go(5).uct(1.0, {threads}, 1, 1000, 0.2, [], Stop(), None)" for threads in ("256", "1000", "100000")),
    *(f"strap(threads={threads}, side_by_side=4).play(4)" for threads in ("0", "-1", "256", "2000")),
    *(f"strap(side_by_side={count}).play(1)" for count in ("0", "-1", "2**31 - 1")),
    *(f"strap(megabytes={size}).play(1)" for size in ("2**43", "2**63", "0")),
    "player('alphabeta:threads=256+classical').think(view(), limit(depth=5))",
    "player('uct:threads=256', 'go5').think(view('go5'), limit(nodes=1000))",
    *(f"GoSolver(1).ask({size}, {black}, {white}, 0, -1, 0, 1, 4, 100, {threads}, False, True)"
      for size, black, white, threads in (("0", "0", "0", "1"), ("6", "0", "0", "1"), ("3", "2**32 - 1", "0", "1"), ("3", "3", "3", "1"),
                                          ("5", "2**25 - 1", "0", "1"), ("3", "0", "0", "257"), ("3", "0", "0", "256"))),
    *(f"solver_play({black}, {white}, {seat}, {ko}, {point})"
      for black, white, seat, ko, point in (("0", "0", "2", "-1", "0"), ("0", "0", "0", "99", "0"), ("0", "0", "0", "-1", "25"),
                                            ("0", "0", "0", "-1", "-5"), ("2**32 - 1", "2**32 - 1", "0", "-1", "0"), ("0", "0", "-1", "-1", "3"))),
    *(f"go_ownership({text}, {size}, {playouts}, 1, {first})" for text, size, playouts, first in (
        ("str(go(5))", "9", "4", "-1"), ("str(go(9))", "5", "4", "-1"), ("str(go(5))", "0", "4", "-1"), ("str(go(5))", "2**31 - 1", "4", "-1"),
        ("str(go(5))", "5", "-1", "-1"), ("str(go(5))", "5", "2**31 - 1", "-1"), ("str(go(5))", "5", "4", "99"), ("''", "5", "4", "-1"),
        ("str(over(go(5)))", "5", "4", "-1"))),
    *(f"go_life({text}, {size})" for text, size in (("str(go(5))", "9"), ("str(go(5))", "-1"), ("'X' * 10**6", "19"), ("'\\ud800'", "5"))),
    "solver_moves(2**25 - 1, 0, 0, -1)",
    "solver_moves(0, 0, 5, 99)",
]  # fmt: skip

# Moves and counts from a file that somebody has changed, and learning that runs away.
_MOVES = ("[10**9]", "[-1]", "[2**31 - 1]", "[0]", "[0] * 100", "Duchess4State().moves()[:1] * 40")
LEARNING = [
    *(f"(lambda t: (t.resume({begun}, {ended}, [UnfinishedGame({number}, {moves}, [], [])]), t.play(2)))(strap({game!r}))"
      for game in ("Chess", "Duchess4", "Duchess6") for moves in _MOVES
      for begun, ended, number in (("1", "0", "0"),)),
    *(f"(lambda t: (t.resume({begun}, {ended}, []), t.play(2)))(strap())"
      for begun, ended in (("-1", "0"), ("0", "-1"), ("0", "5"), ("10**18", "0"), ("2**63 - 1", "2**63 - 1"), ("101", "101"))),
    "(lambda t: (t.resume(0, 0, []), t.play(2)))(strap())",
    "(lambda t: (t.resume(1, 0, [UnfinishedGame(0, [], [[10**9]], [0.0])]), t.play(2)))(strap(method=Method.tdleaf))",
    "(lambda t: (t.resume(1, 0, [UnfinishedGame(0, [], [[-1] * 500], [nan])]), t.play(2)))(strap(method=Method.tdleaf))",
    "(lambda t: (t.resume(5, 0, [UnfinishedGame(n, [], [], []) for n in range(5)]), t.play(2)))(strap())",
    "(lambda t: (t.resume(2, 0, [UnfinishedGame(0, [], [], []), UnfinishedGame(0, [], [], [])]), t.play(2)))(strap())",
    *(f"strap({game!r}, fill={fill}).play(2)" for game in ("Chess", "Duchess4") for fill in ("nan", "inf", "-inf", "3e38")),
    *(f"strap({name}={value}).play(2)" for name in ("learning_rate", "final_factor", "discount", "max_update", "lambda_") for value in ("nan", "inf", "-1.0", "1e30")),
    *(f"strap({name}={value}).play(2)" for name in ("depth", "random_moves", "max_plies", "round_nodes")
      for value in ("0", "-1", "2**31 - 1")),
    *(f"strap().play({games})" for games in ("0", "-1", "2**63 - 1")),
    *(f"TdLearner(go(5), 'koten', 1, {name}={value}).play(3)"
      for name in ("init", "init_input", "epsilon", "creativity", "tie_reward", "eta", "eta_input") for value in ("nan", "inf", "-inf", "1e30")),
    *(f"TdLearner(go(5), 'koten', 1, ply_cap={value}).play(3)" for value in ("0", "-1", "2**31 - 1")),
    "TdLearner(go(5), 'koten', 1, bias=True, eta=10.0, init=100.0).play(50)",
    "(lambda t: (t.set_weights(layers(nan)), t.play(3), t.watch()))(TdLearner(go(5), 'koten', 1))",
    *(f"TdLearner(go(5), 'koten', 1).replay({moves}, {random})" for moves, random in (
        ("[10**9]", "[True]"), ("[-1]", "[False]"), ("[0, 0]", "[True, True]"), ("[0]", "[]"), ("[]", "[True] * 9"), ("[25] * 500", "[False] * 500"))),
    *(f"TdLearner(over(go(5)), 'koten', 1).{call}" for call in ("play(2)", "watch()")),
    *(f"selfplay_steps(selfplay({name}={value}))" for name in ("simulations", "max_considered", "cap", "pass_from", "opening")
      for value in ("0", "-1", "2**31 - 1")),
    *(f"selfplay_steps(selfplay({name}={value}))" for name in ("visit", "scale", "score_weight", "uniform_share", "wide_share")
      for value in ("nan", "inf", "-inf", "1e308")),
    *(f"selfplay_steps(selfplay(games={games}))" for games in ("0", "-1", "2**31 - 1")),
    *(f"selfplay_steps(selfplay(), 30, {logit}, {value})" for logit, value in (
        ("nan", "0.0"), ("inf", "0.0"), ("-inf", "0.0"), ("3e38", "0.0"), ("0.0", "nan"), ("0.0", "inf"), ("nan", "nan"), ("-3e38", "-3e38"))),
    *(f"(lambda p: (p.set_komi({centre}, {spread}), selfplay_steps(p)))(selfplay())" for centre, spread in (
        ("nan", "0.0"), ("inf", "1.0"), ("0.0", "nan"), ("0.0", "-1.0"), ("1e300", "1e300"), ("0.0", "inf"))),
]  # fmt: skip

# Trees that are called out of order, or fed with rows that do not fit.
TREES = [
    "likely().close()",
    "likely().solve()",
    "likely().leaves(10)",
    "likely().settle(np.zeros((0, 2), np.float32))",
    "likely().settle(np.zeros((50, 2), np.float32))",
    "closed().solve()",
    "closed().close()",
    "closed().expand(None, 0.01)",
    "closed().settle(np.zeros((10**5, 2), np.float32))",
    "closed(settled=True).settle(np.zeros((3, 2), np.float32))",
    "(lambda t: [t.expand(None, 0.0) for n in range(9)])(likely())",
    *(f"likely().expand(None, {threshold})" for threshold in ("nan", "inf", "-1.0", "0.0")),
    *(f"likely().expand((np.array([0, {columns}]), np.full({columns}, {fill}, np.float32)), 0.01)" for columns in ("0", "1", "25", "27") for fill in ("0.5", "nan")),
    *(f"likely().leaves({most})" for most in ("-1", "0", "2**64 - 1")),
    "puct().report()",
    "puct().priors()",
    "puct().absorb(np.zeros((0, 2), np.float32), None)",
    "puct().absorb(np.zeros((1, 2), np.float32), None)",
    "collected().collect(5, 100)",
    "collected().report()",
    "(lambda t: (t.collect(8, 2**62), t.collect(8, 2**62)))(grown())",
    *(f"puct().collect({most}, {until})" for most, until in (("0", "5"), ("-1", "5"), ("5", "0"), ("5", "-1"), ("2**31 - 1", "3"))),
    *(f"collected().absorb(np.full((1, 2), {value}, np.float32), (np.array([0, {columns}]), np.full({columns}, {fill}, np.float32)))"
      for value, columns, fill in (("0", "0", "0"), ("0", "1", "1"), ("0", "25", "1"), ("0", "27", "1"), ("nan", "26", "nan"),
                                   ("inf", "26", "inf"), ("0", "26", "0"), ("0", "26", "-1"))),
    *(f"(lambda t: [(t.absorb(np.full((len(l), 2), {fill}, np.float32), None) if (l := t.collect(4, 200)) else 0) for n in range(50)])(puct())"
      for fill in ("nan", "inf", "-inf", "3e38")),
    *(f"grown().mix_priors({other}, {share})" for other, share in (
        ("[]", "0.5"), ("[1.0]", "0.5"), ("[nan] * 26", "0.5"), ("[1.0] * 10**5", "0.5"), ("[1 / 26] * 26", "nan"), ("[1 / 26] * 26", "inf"))),
    *(f"(lambda t: (t.collect(1, 10), t.report()))(PuctTree(go(5).any(), [], {c}, {reduction}))"
      for c, reduction in (("nan", "None"), ("inf", "None"), ("-1.0", "None"), ("1.0", "nan"), ("1.0", "-5.0"), ("1.0", "inf"))),
    "puct(over(go(5))).collect(4, 10)",
    *(f"{tree}.follow({state}.any())" for tree in ("puct()", "collected()", "grown()") for state in ("go(5)", "go(5).play(3)", "go(9)", "ChessState()")),
    *(f"PuctTree(go(5).any(), [], 1.0, None, {memory})" for memory in ("0", "-1", "2**63", "2**44")),
    *(f"gumbel().{call}" for call in ("chosen()", "improved()", "report()", "absorb(np.zeros((0, 2), np.float32), None)", "absorb(np.zeros((1, 2), np.float32), None)")),
    "(lambda t: (t.collect(), t.collect(), t.absorb(np.zeros((1, 2), np.float32), None), t.chosen()))(gumbel())",
    "(lambda t: (t.collect(), t.absorb(np.full((1, 2), np.inf, np.float32), (np.array([0, 26]), np.zeros(26, np.float32))), t.collect(), t.collect(), t.chosen()))(gumbel())",
    "ProbabilityTree(over(go(5)).any(), []).expand(None, 0.01)",
]  # fmt: skip

# One object from several threads, and calls that call back.
THREADS = [
    "(lambda p: together(*[lambda: p.think(view(), limit(time=0.03))] * 4))(player())",
    "(lambda p: together(*[lambda: p.think(view('go5'), limit(nodes=200))] * 4))(player('uct', 'go5'))",
    "(lambda s: together(*[lambda: look(s)] * 4))(crew())",
    "(lambda s: together(*[lambda: look(s)] * 3))(crew(threads=2))",
    "(lambda s: together(*[lambda: look(s)] * 3, s.forget, s.stop))(crew())",
    "(lambda s: together(*[lambda: look(s, depth=2)] * 3, s.forget, s.stop))(asked())",
    "(lambda s: together(*[lambda: look(s, depth=2)] * 3, s.forget))(comparison(ChessPieces(), ComparisonOptions()))",
    "(lambda s: together(*[lambda: look(s)] * 3, s.forget))(alphabeta(net(), pruning(qdepth=2)))",
    "(lambda t: together(*[lambda: t.play(1)] * 3, t.weights, t.unfinished))(strap())",
    "(lambda t: together(lambda: t.play(1), lambda: t.set_weights(rows(ChessLinear, 1)), lambda: t.resume(0, 0, [])))(strap())",
    "(lambda t: together(*[lambda: t.play(5)] * 3, t.weights, t.watch))(TdLearner(go(5), 'koten', 1))",
    "(lambda t: together(lambda: t.play(5), lambda: t.set_weights(layers()), lambda: setattr(t, 'generator', (1, 2))))(TdLearner(go(5), 'koten', 1))",
    "(lambda p: together(*[lambda: selfplay_steps(p, 3)] * 3, p.take, p.tally))(selfplay())",
    "(lambda p, q, w: together(lambda: p.step(logits(p), verdicts(p), planes(p), w), lambda: q.step(logits(q), verdicts(q), planes(q), w), times=300))(selfplay(), selfplay(), Workers(2))",
    "(lambda t: together(*[lambda: t.collect(4, 10**4)] * 3, t.report, t.priors))(grown())",
    "(lambda t: together(*[lambda: t.absorb(np.zeros((len(t.collect(1, 10**4)), 2), np.float32), None)] * 4, t.report))(puct())",
    "(lambda t: together(*[lambda: t.expand(None, 0.001)] * 3, t.level, t.close, t.solve))(likely())",
    "(lambda s: together(*[lambda: s.ask(3, 0, 0, 0, -1, 0, 1, 9, 2000, 1, False, True)] * 4))(GoSolver(1))",
    "(lambda s, w: together(*[lambda: s.uct(1.0, 2, 1, 300, 0.1, [], w, None)] * 3, w.set, w.clear))(go(9), Stop())",
    "(lambda k: together(*[lambda: k.drift(ChessState(), 500, 1)] * 3, lambda: k.weigh_moves([ChessState()] * 9, True)))(chess_linear())",
    "(lambda n: together(*[lambda: n.look(go(5), 2, False)] * 3, n.weights))(net())",
    "(lambda s: look(s, listener=lambda r: look(s, depth=1)))(crew())",
    "(lambda s: look(s, listener=lambda r: s.forget()))(crew())",
    "(lambda s: look(s, listener=lambda r: s.stop()))(crew(threads=2))",
    "look(expose(asked(reenters)), depth=2)",
    "look(expose(asked(reenters, threads=2)), depth=2)",
    "look(expose(comparison(AskedComparator(reenters, returns(0.0)), ComparisonOptions())), depth=2)",
    *(f"look(crew(threads={threads}), listener={listener})" for threads in (1, 2) for listener in ("raises", "interrupts", "leaves", "recurses")),
    *(f"go(5).uct(1.0, {threads}, 1, 5000, 1.0, [], Stop(), {listener})" for threads in (1, 2) for listener in ("raises", "interrupts", "leaves", "recurses")),
]  # fmt: skip

# A program that ends while native code is at work, or with objects that nobody lets go.
_BUSY = (
    "(lambda s: lambda: look(s, depth=50, nodes=10**9, seconds=60.0))(crew())",
    "(lambda s: lambda: look(s, depth=50, nodes=10**9, seconds=60.0))(crew(threads=2))",
    "(lambda s: lambda: look(s, depth=50, nodes=10**9, seconds=60.0, listener=flat))(crew())",
    "(lambda s: lambda: look(s, depth=50, nodes=10**9, seconds=60.0))(asked())",
    "(lambda s: lambda: look(s, depth=50, nodes=10**9, seconds=60.0))(asked(threads=2))",
    "(lambda s: lambda: look(s, depth=50, nodes=10**9, seconds=60.0))(comparison(AskedComparator(returns(True), returns(0.0)), ComparisonOptions()))",
    "lambda: go(9).uct(1.0, 1, 1, 10**9, 60.0, [], Stop(), None)",
    "lambda: go(9).uct(1.0, 2, 1, 10**9, 60.0, [], Stop(), flat)",
    "lambda: ChessState().perft(7)",
    "lambda: ChessState().playouts(10**7, 1)",
    "(lambda t: lambda: t.play(100))(strap(depth=4))",
    "(lambda t: lambda: t.play(100))(strap(depth=4, threads=2))",
    "(lambda t: lambda: t.play(10**6))(TdLearner(go(5), 'koten', 1))",
    "(lambda p: lambda: selfplay_steps(p, 1000))(selfplay(games=64))",
    "(lambda s: lambda: s.ask(5, 0, 0, 0, -1, 0, 1, 60, 10**9, 1, True, False))(GoSolver(1))",
    "lambda: td_duel(net(), Naive(), go(5), 10**6, 1)",
    "lambda: duel(Gojen(), Gojen(), go(9), 10**5, 1)",
    "lambda: chess_linear().drift(ChessState(), 10**9, 1)",
    "(lambda p: lambda: p.think(view('go5'), limit(time=60.0)))(player('puct+rollouts', 'go5'))",
    "(lambda p: lambda: p.think(view('go9'), limit(time=60.0)))(player('uct', 'go9'))",
    "(lambda p: lambda: p.think(view(), limit(time=60.0)))(player())",
)
EXITS = [
    *(f"left_running({busy})" for busy in _BUSY),
    "kept = [crew(threads=2), asked(), strap(threads=2), selfplay(), Workers(4), grown(), likely(), net()]",
    "import builtins; builtins.kept = Workers(8)",
    "import atexit; atexit.register(lambda: look(crew()))",
    "import atexit; atexit.register(lambda: look(asked(), depth=2))",
    "import atexit; atexit.register(lambda: Workers(4))",
]

# What Python lets anybody do to an object.
OBJECTS = [
    *(f"duplicate({thing})" for thing in ("ChessState()", "go(5)", "Duchess4State()", "KriegspielState()", "crew()", "net()", "strap()", "puct()",
                                          "Stop()", "Method.treestrap", "ChessState().any()")),
    "class Odd(ChessState):\n    def __init__(self): pass\nOdd().moves()",
    "class Odd(Asked):\n    def __init__(self): pass\nalphabeta(Odd(), AlphaBetaOptions())",
    "(lambda s: (s.__init__(), s.moves()))(ChessState())",
    "(lambda s: (s.__init__(*(True, True, 4, True, True, 1, 2)), look(s)))(crew(threads=2))",
    "(lambda t: (t.__init__(go(5).any(), [], 1.5), t.report()))(grown())",
    "ChessState.moves(5)",
    "ChessState.play(go(5), 0)",
    "ChessState() == 5, ChessState() == go(5), hash(ChessState()) == hash(go(5))",
    "[far(ChessState(), 5000).previous() for n in range(3)]",
    "(lambda s: [s := s.play(s.moves()[-1]) if s.moves() else s for n in range(10**5)])(go(19))",
]  # fmt: skip

HAZARDS: dict[str, list[str]] = {
    "evaluations": EVALUATIONS,
    "bounds": BOUNDS,
    "room": ROOM,
    "learning": LEARNING,
    "trees": TREES,
    "threads": THREADS,
    "exits": EXITS,
    "objects": OBJECTS,
}
