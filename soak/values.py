"""Good and hostile values for each type of the native module, as expressions over `soak.scene`."""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from soak.surface import Callable, Parameter, Surface

SUBJECTS = {
    "AnyPosition": "ChessState().any()",
    "ProbeCounts": "Probe().counts",
    "RootMove": "ChessState().uct(1.0, 1, 1, 20, 1.0, [], Stop(), None).moves[0]",
    "ChessLinear": "chess_linear()",
    "ChessGuidedGames": "ChessGuidedGames([ChessState()] * 2, 10, 1, 2)",
    "ChessStore": "ChessStore(*stored())",
    "ChessTreeStrap": "strap()",
    "Duchess4Linear": "Duchess4Linear(rows(Duchess4Linear))",
    "Duchess4TreeStrap": "strap('Duchess4')",
    "Duchess6Linear": "Duchess6Linear(rows(Duchess6Linear))",
    "Duchess6TreeStrap": "strap('Duchess6')",
    "DuchessSquare": "Duchess4State.squares()[5]",
    "Duel": "duel(Random(), Naive(), go(5), 2, 1)",
    "KriegspielRanking": "kriegspiel_minimax(KriegspielState().view(0), 2, 100, 0.0, [], Stop(), [])",
    "KriegspielView": "KriegspielState().view(0)",
    "MctsNode": "MctsTree(KriegspielState().view(0)).node(0)",
    "MctsEdge": "MctsTree(KriegspielState().view(0)).node(0).edges[0]",
    "MctsReply": (
        "(lambda t: (t.grow(200), next(r for i in range(len(t)) for e in t.node(i).edges for a in e.answers"
        " for r in a[2]))[1])(MctsTree(KriegspielState().view(0)))"
    ),
    "SampledTry": "KriegspielSampling('hs', 4, 1, 10).choose(KriegspielState().view(0), 4, 0.0, [], 1).ranked[0]",
    "TryChance": "KriegspielBelief(KriegspielState().view(0)).chance(KriegspielState().moves()[0])",
    "Calibration": "calibrate_belief(KriegspielState(), 0)",
    "KriegspielSampling": "KriegspielSampling('hs', 4, 1, 10)",
    "SampledChoice": "KriegspielSampling('hs', 4, 1, 10).choose(KriegspielState().view(0), 4, 0.0, [], 1)",
    "KriegspielMcts": "KriegspielMcts('c', 1, 0.3, 0.5, 'paper', 'corrected', 'weighted', 'best', True, 1)",
    "Soundness": "possible_violations(1, 1)",
    "GuidedGames": "GuidedGames([ChessState().any()] * 2, 10, 1)",
    "GoOwnership": "go_ownership(str(go(5)), 5, 4, 1)",
    "GoSelfPlay5": "selfplay(5)",
    "GoSelfPlay7": "selfplay(7)",
    "GoSelfPlay9": "selfplay(9)",
    "TreeReport": "ChessState().uct(1.0, 1, 1, 20, 1.0, [], Stop(), None)",
    "TreeStrapStats": "strap().play(1)",
    "Line": "look(crew()).lines[0]",
    "Method": "Method.treestrap",
    "Windows": "Windows.null",
    "UnfinishedGame": "UnfinishedGame(0, [], [], [])",
    "Playouts": "ChessState().playouts(2, 1)",
    "ProbabilityTree": "likely()",
    "PgnImporter": "importer()",
    "PuctTree": "puct()",
    "Report": "look(crew())",
    "TreeStrapConfig": "treestrap_config()",
    "GoSelfPlayTally": "selfplay().tally()",
    "GumbelTree": "gumbel()",
    "TdStats": "TdLearner(go(5), 'koten', 1).play(1)",
    "TdNet": "net()",
    "Search": "crew()",
    "Asked": "Asked(flat)",
    "AskedComparator": "AskedComparator(returns(False), returns(0.0))",
}
"""How to come by a good object of a class; the others are built from good arguments."""

CALLED_ON = {
    "GumbelTree.absorb": "(lambda tree: (tree.collect(), tree)[1])(gumbel())",
    "GumbelTree.chosen": "searched()",
    "GumbelTree.improved": "searched()",
    "PuctTree.absorb": "collected()",
    "PuctTree.follow": "grown()",
    "PuctTree.priors": "grown()",
    "PuctTree.mix_priors": "grown()",
    "PuctTree.report": "grown()",
    "ProbabilityTree.close": "(lambda tree: (tree.expand(None, 0.01), tree)[1])(likely())",
    "ProbabilityTree.settle": "closed()",
    "ProbabilityTree.solve": "closed(settled=True)",
    "TdLearner.replay": "TdLearner(go(5), 'koten', 1)",
}
"""Calls that want an object in a certain condition."""

ARGUMENTS = {
    "read_uci.text": "'e2e4'",
    "uci.move": "ChessState().moves()[0]",
    "ChessState.fen": "None",
    "Asked.value": "flat",
    "AskedComparator.better": "returns(False)",
    "AskedComparator.above_draw": "returns(0.0)",
    "alphabeta.knowledge": "ChessPieces()",
    "alphabeta.options": "pruning(qdepth=1)",
    "comparison.knowledge": "ChessPieces()",
    "comparison.options": "ComparisonOptions()",
    "Search.search.state": "ChessState()",
    "ChessStore.headers": "stored()[0]",
    "ChessStore.moves": "stored()[1]",
    "ChessStore.texts": "stored()[2]",
    **{
        f"ChessStore.{call}.games": "np.arange(2, dtype=np.uint32)"
        for call in ("sample", "sample_features", "features", "moves", "positions", "pgn")
    },
    **{
        f"ChessStore.{call}.plies": "np.arange(2, dtype=np.uint16)"
        for call in ("features", "moves", "positions")
    },
    **{
        f"{games}.play.{name}": value
        for games in ("GuidedGames", "ChessGuidedGames")
        for name, value in {
            "offsets": "np.array([0, 20, 40])",
            "shares": "np.full(40, 1 / 20, np.float32)",
        }.items()
    },
    "ChessStarts.moves": "np.zeros(0, np.uint16)",
    "ChessStarts.begins": "np.zeros(2, np.int64)",
    "ChessStarts.won": "np.ones(1, np.int8)",
    "ChessSelfPlay.step.logits": "np.zeros((2, 1968), np.float32)",
    "ChessSelfPlay.step.planes": "np.zeros((2, 41 * 64), np.uint8)",
    "ChessSelfPlay.step.sides": "np.zeros(2, np.int8)",
    "blindfold.fen": "str(ChessState())",
    "blindfold.move": "ChessState().moves()[0]",
    "exchange_gain.attackers": "[0.1, 0.2]",
    "exchange_gain.first": "0.2",
    "KriegspielLoneKing.men": "[(4, 'K'), (0, 'R')]",
    "KriegspielLoneKing.squares": "1 << 60",
    "ChessStore.start.game": "0",
    "ChessStore.line.game": "0",
    "ChessStore.text.game": "0",
    "PgnImporter.min_elo": "0",
    "PgnImporter.max_elo": "0",
    "PgnImporter.results": "[-1, 0, 1, 2]",
    "PgnImporter.min_plies": "1",
    "PgnImporter.max_plies": "65535",
    "PgnImporter.since": "0",
    "PgnImporter.until": "0",
    "PgnImporter.ids": "np.zeros(0, np.uint64)",
    "PgnImporter.feed.data": "b'1. e4 e5 *'",
    "UnfinishedGame.lines": "[]",
    "UnfinishedGame.values": "[]",
    "TdLearner.bias": "False",
    "go_ownership.text": "str(go(5))",
    "go_ownership.first": "-1",
    "go_life.text": "str(go(5))",
    "td_encoding.representation": "'koten'",
    "duchess_features.players": "4",
    "GumbelTree.absorb.values": "np.zeros((1, 2), np.float32)",
    "GumbelTree.absorb.policy": "(np.array([0, 26]), np.full(26, 1 / 26, np.float32))",
    "PuctTree.absorb.values": "np.zeros((1, 2), np.float32)",
    "PuctTree.absorb.policy": "(np.array([0, 26]), np.full(26, 1 / 26, np.float32))",
    "PuctTree.mix_priors.other": "[1 / 26] * 26",
    "ProbabilityTree.expand.policy": "(np.array([0, 26]), np.full(26, 1 / 26, np.float32))",
    "ProbabilityTree.settle.values": "np.zeros((len(closed().leaves(100)), 2), np.float32)",
    "KriegspielMcts.approach": "'c'",
    "KriegspielMcts.variant": "'paper'",
    "KriegspielMcts.mode": "'corrected'",
    "KriegspielMcts.weights": "'weighted'",
    "KriegspielMcts.illegal": "'best'",
    "KriegspielSampling.method": "'hs'",
    "OpponentModel.density": "np.full((2, 6, 40, 64), 0.01, np.float32)",
    "BeliefNetwork.first": "np.full(585 * 64, 0.01, np.float32)",
    "BeliefNetwork.second": "np.full(65 * 32, 0.01, np.float32)",
    "BeliefNetwork.last": "np.full(33, 0.01, np.float32)",
    "BeliefNetwork.where": "np.full(65 * 192, 0.01, np.float32)",
    "TdNet.layers": "layers()",
    "DeepChess.embed": "dense(773, 20, 7)",
    "DeepChess.embed_ranges": "np.ones(2, np.float32)",
    "DeepChess.compare": "dense(14, 9, 2)",
    "DeepChess.compare_ranges": "np.ones(1, np.float32)",
    "DeepChess.scalar": "dense(7, 1)",
    "DeepChess.scalar_ranges": "np.ones(0, np.float32)",
    "TdLearner.set_weights.layers": "layers()",
    "TdLearner.generator.arg": "(1, 2)",
    "TdLearner.replay.moves": "[]",
    "TdLearner.replay.random": "[]",
    "TdLearner.selection": "'creative'",
    "TdLearner.skip": "'t+1|t+2'",
    "TdLearner.target": "'selected'",
    "TdLearner.ply_cap": "40",
    "GoSolver.ask.size": "3",
    "GoSolver.ask.black": "0",
    "GoSolver.ask.white": "0",
    "GoSolver.ask.moves": "4",
    "solver_moves.black": "0",
    "solver_moves.white": "0",
    "solver_play.black": "0",
    "solver_play.white": "0",
    "ChessTreeStrap.weights": "rows(ChessLinear, 1)",
    "ChessTreeStrap.set_weights.weights": "rows(ChessLinear, 1)",
    "ChessLinear.weights": "rows(ChessLinear, 1)",
    "ChessTreeStrap.learns": "[True] * ChessLinear.features",
}
"""Good arguments where neither their name nor their type tells."""

NAMED = {
    "c": "1.0", "creativity": "0.05", "depth": "2", "end": "2", "epsilon": "0.05", "games": "2", "ko": "-1",
    "learns": "[True] * {knowledge}.features", "lines": "1", "listener": "None", "megabytes": "1", "most": "4",
    "nodes": "60", "only": "[]", "options": "''", "playouts": "4", "plies": "10", "unfinished": "[]", "point": "3", "points": "1",
    "prover": "0", "representation": "'koten'", "seat": "0", "seconds": "1.0", "seed": "1", "share": "0.25",
    "side": "0", "side_by_side": "2", "size": "5", "square": "'1c1'", "text": "str({subject})", "threads": "2",
    "threshold": "0.01", "until": "8", "begun": "0", "ended": "0", "weights": "rows({knowledge})",
    "logits": "logits({subject})", "values": "verdicts({subject})", "planes": "planes({subject})",
    "workers": "Workers(2)", "states": "[{state}, {state}]", "number": "0", "first": "Random()", "second": "Naive()",
    "other": "Naive()", "round_nodes": "4", "max_plies": "30", "random_moves": "2", "learning_rate": "1e-5", "final_factor": "1e-6",
}  # fmt: skip
"""Good arguments by name."""

TYPED = {"int": "1", "float": "0.5", "bool": "True", "str": "''", "object": "None"}

INTEGERS = """-1; 0; 1; 7; 255; 256; 10**5; 2**31 - 1; 2**31; -2**31; 2**32; 2**43; 2**63 - 1; 2**63; -2**63; 2**64 - 1; 2**64;
    10**30; -10**30; True; 1.5; nan; None; '1'; Index(); BadIndex(); np.int64(5); np.array(3); []; ChessState()"""
REALS = """nan; inf; -inf; 0.0; -0.0; -1.0; 1.0; 2.0; 5e-324; 1e308; -1e308; 3e38; 10**400; None; 'x'; np.float32('nan'); Index();
    BadIndex(); np.zeros(3)"""
TRUTHS = "0; 1; 2; None; 'x'; BadIndex(); np.True_"
TEXTS = r"""''; 'x'; ' '; '\ud800'; '\0'; 'e2e4\0'; 'a' * 10**6; '\U0001f600' * 1000; b'e2e4'; None; 5; Text('e2e4'); '%s%n'; '8/' * 10**5;
    '-1'; '9' * 400; BadIndex()"""
LISTS = """[]; [-1]; [0]; [2**31 - 1]; [-2**31]; [10**30]; [None]; ['x']; [1.5]; range(10**6); [0] * 10**6; forever(); {}; 'abc'; None;
    Liar(); Shrinks([1, 2, 3]); circle; (0, 0, 0); np.arange(5); [nan]; [inf, -inf]; [[0]]; [True]; [BadIndex()]; 5"""
ARRAYS = """np.zeros((0, 0), np.float32); np.zeros((1, 1), np.float32); np.zeros((1, 0), np.float32); np.zeros((0, 2), np.float32);
    np.zeros(3, np.float32); np.zeros((1, 1, 1), np.float32); np.float32(1); np.full_like({good}, 255); np.full_like({good}, nan);
    np.full_like({good}, inf); np.full_like({good}, -inf); np.full_like({good}, 3e38); np.full_like({good}, 1e-45);
    {good}.astype(np.float64); {good}.astype(np.int32); {good}.astype(complex); {good}.astype(object); {good}.astype('>f4');
    strided({good}); backwards({good}); readonly({good}); shorter({good}); longer({good}); fewer({good}); endless({good});
    unaligned({good}); np.asfortranarray({good}); {good}.tolist(); {good}.tobytes(); memoryview({good}); np.ma.array({good});
    {good}.reshape(-1); None; 'x'; []; Tensor(); [[nan]]; np.zeros((2, 10**6), np.float32)"""
MAPS = """{{}}; None; []; {{'board': None}}; {{'x': np.zeros((1, 1), np.float32)}}; layers(nan); layers(inf); layers(3e38);
    {{k: shorter(v) for k, v in layers().items()}}; {{k: longer(v) for k, v in layers().items()}};
    {{k: v[:0] for k, v in layers().items()}}; {{k: strided(v) for k, v in layers().items()}}; layers(None, 'roban');
    {{'\\ud800': np.zeros((1, 1), np.float32)}}; {{5: 5}}; {{k: v.reshape(-1) for k, v in layers().items()}};
    dict(layers(), extra=np.zeros((1, 1), np.float32)); dict(list(layers().items())[:1])"""
CALLS = """None; 5; raises; interrupts; leaves; recurses; reenters; returns(None); returns('x'); returns(nan); returns(inf);
    returns(-inf); returns([]); returns(10**400); returns(True); returns(ChessState()); lambda: 0; BadIndex(); ChessState;
    ChessState().play"""
OBJECTS = "None; 5; 'x'; object(); ChessState(); go(5); go(9); Duchess4State(); Stop(); BadIndex(); Index"


def split(expressions: str) -> list[str]:
    return [part.strip() for part in re.split(r";(?=\s)", expressions)]


class Values:
    """Expressions for the arguments of one surface."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._inits = {each.owner: each for each in surface.callables if each.how == "init"}

    @cache  # noqa: B019
    def subject(self, owner: str) -> str:
        """A good object of a class."""
        if owner in SUBJECTS:
            return SUBJECTS[owner]
        if owner.endswith("State"):
            return f"{owner}()"
        if found := re.fullmatch(r"Go(\d+)", owner):
            return f"go({found[1]})"
        if owner not in self._inits:
            raise KeyError(f"no way to an object of {owner}: add one to SUBJECTS")
        return self.call(self._inits[owner])

    def on(self, target: Callable) -> str:
        """A good object to make the call on."""
        return CALLED_ON.get(target.title) or self.subject(target.owner)

    def good(self, target: Callable, parameter: Parameter) -> str:
        told = ARGUMENTS.get(f"{target.title}.{parameter.name}")
        if told is not None:
            return told
        kind = parameter.kind.split(" | ")[0]
        if parameter.name == "move":
            return f"{self.on(target)}.moves()[0]"
        if parameter.name == "text" and target.name == "parse":
            subject = self.on(target)
            return f"{subject}.text({subject}.moves()[0])"
        if parameter.name in NAMED and not (parameter.name == "other" and "float" in kind):
            found = re.match(r"Duchess[46]", target.owner)
            family = found[0] if found else "Chess"
            subject = self.subject(target.owner) if "{subject}" in NAMED[parameter.name] else ""
            words = {"subject": subject, "knowledge": f"{family}Linear", "state": f"{family}State()"}
            return NAMED[parameter.name].format(**words)
        if kind in TYPED:
            return TYPED[kind]
        if kind.startswith("Callable"):
            return "returns(False)" if parameter.name == "stop" else "flat"
        if kind.startswith(("Sequence", "list")):
            return "[]"
        if kind in self._surface.classes:
            return self.subject(kind)
        raise KeyError(f"no good value for {target.title}.{parameter.name}: {parameter.kind}")

    def hostile(self, target: Callable, parameter: Parameter) -> list[str]:
        kind, good = parameter.kind, self.good(target, parameter)
        if "Mapping" in kind:
            return [each.format() for each in split(MAPS)]
        if "NDArray" in kind:
            return [each.replace("{good}", good) for each in split(ARRAYS)]
        if kind.startswith("Callable"):
            return split(CALLS)
        if kind.startswith(("Sequence", "tuple", "list")):
            members = re.findall(r"\w+", kind)[1:]
            more = [f"[{self.subject(each)}] * 3" for each in members if each in self._surface.classes]
            more += [f"[bare({each})]" for each in members if each in self._surface.classes]
            if "UnfinishedGame" in members:
                more += [
                    f"[UnfinishedGame({number}, {moves}, {lines}, {values})]"
                    for number in ("-1", "0", "2**62")
                    for moves in ("[10**9]", "[-1]", "[0] * 5000", "[]")
                    for lines, values in (("[]", "[]"), ("[[10**9]]", "[nan]"), ("[[-1]] * 9", "[]"))
                ]
            return split(LISTS) + more
        if kind.startswith("int"):
            return split(INTEGERS)
        if kind.startswith("float"):
            return split(REALS)
        if kind.startswith("bool"):
            return split(TRUTHS)
        if kind.startswith("str") or parameter.name in ("text", "fen"):
            return split(TEXTS)
        own = [each for each in kind.split(" | ") if each in self._surface.classes]
        more = [form.format(each) for each in own for form in ("bare({})", "type('Sub', ({},), {{}})")]
        more += [f"over({good})" for each in own if each.endswith("State") or re.fullmatch(r"Go\d+", each)]
        more += [f"far({good})" for each in own if each.endswith("State") or re.fullmatch(r"Go\d+", each)]
        return split(OBJECTS) + more

    def call(self, target: Callable, changed: Mapping[str, str] | None = None) -> str:
        """The call as an expression, good but for what is changed."""
        changed, given = dict(changed or {}), []
        for parameter in target.parameters:
            value = changed.pop(parameter.name, None) or self.good(target, parameter)
            given.append(value if parameter.position or target.how == "set" else f"{parameter.name}={value}")
        assert not changed, f"{target.title} has no {', '.join(changed)}"
        if target.how == "function":
            return f"{target.name}({', '.join(given)})"
        if target.how == "init":
            return f"{target.owner}({', '.join(given)})"
        subject = target.owner if target.how == "static" else f"expose({self.on(target)})"
        if target.how == "get":
            return f"{subject}.{target.name}"
        if target.how == "set":
            return f"setattr({subject}, {target.name!r}, {given[0]})"
        return f"{subject}.{target.name}({', '.join(given)})"
