"""Players are made from names, and a name that makes none says what would."""

import pytest

from rookery import games, players, roster
from rookery.api import Comparator, Evaluator, Game, Limit, NamedKnowledge, NamedSearch, SearchResult
from rookery.errors import BadOption, UnknownName, UnsupportedGame

CHESS = games.get("chess")
KRIEGSPIEL = games.get("kriegspiel")


class Idle(NamedSearch):
    def forget(self):
        pass


class Toy(NamedKnowledge, Evaluator):
    title = "toy"


class Thinker(Idle):
    """Thinks with what it knows."""

    title = "thinker"
    limits = ("depth", "time")
    takes = (Evaluator,)

    def __init__(
        self, game: Game, knowledge: Evaluator, *, width: int = 2, slope: float = 0.5, proud: bool = False
    ) -> None:
        self.knowledge, self.width, self.slope, self.proud = knowledge, width, slope, proud

    def search(self, view, limit, rng, on_info):
        self.limit = limit
        return SearchResult(view.moves()[0], (0.0, 0.0), 1)


class Caller(Idle):
    """Runs a program."""

    title = "caller"

    def __init__(self, game: Game, *, program: str, level: int | None = None) -> None:
        self.program, self.level = program, level


class Weights(Toy):
    """Numbers from somewhere."""

    @classmethod
    def check_game(cls, game):
        if game.spec.name not in ("chess", "kriegspiel"):
            raise UnsupportedGame(f"no weights for {game.spec.name}")

    def __init__(self, game: Game, source: str | None = None) -> None:
        self.told = f"weights from {source}"


class Rated(Toy):
    """Plays as people of a rating do."""

    def __init__(self, game: Game, source: str | None = None, *, elo: int = 1500, sure: bool = False) -> None:
        if not 600 <= elo <= 2600:
            raise BadOption(f"rated: elo must be between 600 and 2600 (got {elo})")
        self.told = f"rated {source} {elo} {sure}"


class Counting(Toy):
    """Counts the men."""

    told = "counting"

    @classmethod
    def check_game(cls, game):
        if game.spec.hidden:
            raise UnsupportedGame(f"{game.spec.name} hides the men")

    def __init__(self, game: Game) -> None: ...


class Comparing(NamedKnowledge, Comparator):
    """Only ever compares."""

    title = "comparing"

    def __init__(self, game: Game) -> None: ...


@pytest.fixture(autouse=True)
def more_names(monkeypatch):
    monkeypatch.setitem(roster.searches(), "thinker", Thinker)
    monkeypatch.setitem(roster.searches(), "caller", Caller)
    monkeypatch.setitem(roster.kinds(), "some/weights", Weights)
    monkeypatch.setitem(roster.kinds(), "rated", Rated)
    monkeypatch.setitem(roster.kinds(), "counting", Counting)
    monkeypatch.setitem(roster.kinds(), "comparing", Comparing)


def searcher(name: str):
    return players.make(name, CHESS)._searcher


@pytest.mark.parametrize(
    "name",
    [
        "random",
        "rollouts",
        "rollouts:games=40",
        "rollouts:games=3,nodes=1000,time=0.5",
        "thinker+counting",
        "thinker:width=3,slope=0.25,proud=yes,depth=4+some/weights@runs/first",
        "thinker+rated:elo=900",
        "thinker:depth=2+rated@runs/first:elo=900,sure=yes",
        "caller:stockfish",
        "caller:stockfish,level=3",
    ],
)
def test_a_name_is_read_back(name):
    assert players.make(name, CHESS).name == name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("rollouts:time=1,games=8", "rollouts:games=8,time=1"),
        ("rollouts:games=08", "rollouts:games=8"),
        ("rollouts:time=2.0", "rollouts:time=2"),
        ("rollouts:", "rollouts"),
        ("thinker:proud=TRUE+counting", "thinker:proud=yes+counting"),
        ("thinker+rated:sure=TRUE,elo=0900", "thinker+rated:elo=900,sure=yes"),
        ("thinker+rated@x:sure=0,elo=1500", "thinker+rated@x:elo=1500,sure=no"),
        ("thinker+rated:", "thinker+rated"),
        ("rollouts:time=0.1234567890123", "rollouts:time=0.1234567890123"),
        ("caller:program=stockfish", "caller:stockfish"),
    ],
)
def test_other_spellings_become_the_one(typed, name):
    assert players.make(typed, CHESS).name == name


def test_options_reach_the_search():
    made = searcher("thinker:width=7,slope=1.5,proud=yes+counting")
    assert (made.width, made.slope, made.proud, made.knowledge.told) == (7, 1.5, True, "counting")
    assert searcher("thinker+some/weights@runs/a@b").knowledge.told == "weights from runs/a@b"
    assert searcher("thinker+some/weights").knowledge.told == "weights from None"
    assert searcher("caller:gnuchess,level=2").program == "gnuchess"


def test_options_reach_the_knowledge():
    assert searcher("thinker+rated:elo=900").knowledge.told == "rated None 900 False"
    assert searcher("thinker+rated@runs/a:b:sure=yes").knowledge.told == "rated runs/a:b 1500 True"
    assert players.know("rated:elo=2000", CHESS).told == "rated None 2000 False"
    assert (
        players.vary("thinker+rated:sure=1,elo=900", {"width": 3}) == "thinker:width=3+rated:elo=900,sure=yes"
    )


def test_the_zoo_hands_options_on():
    go = games.get("go5")
    state = go.start()

    def likeliest(name):
        return players.know(name, go).evaluate([state]).policy.shares.max()

    assert likeliest("go/zero:temperature=5") < likeliest("go/zero") < likeliest("go/zero:temperature=0.5")
    assert likeliest("go/zero:temperature=1") == likeliest("go/zero")
    assert players.make("puct+go/zero:temperature=2.0", go).name == "puct+go/zero:temperature=2"
    with pytest.raises(BadOption, match=r"temperature must be between 0.05 and 20 \(got 0\)"):
        players.make("puct+go/zero:temperature=0", go)
    with pytest.raises(UnknownName, match="no option 'temprature'; did you mean temperature"):
        players.make("puct+go/zero:temprature=2", go)


def test_the_tighter_limit_counts():
    player = players.make("thinker:depth=4,time=2+counting", CHESS)
    player.choose(CHESS.start().view(0), Limit(depth=9, time=0.5, nodes=100))
    assert player._searcher.limit == Limit(depth=4, time=0.5, nodes=100)
    player.choose(CHESS.start().view(0), Limit())
    assert player._searcher.limit == Limit(depth=4, time=2.0)


@pytest.mark.parametrize(
    ("name", "error", "told"),
    [
        ("rolouts", UnknownName, "no player is called 'rolouts'; did you mean rollouts?"),
        ("xyzzy", UnknownName, "there are"),
        ("", UnknownName, "no player is called ''"),
        ("human", UnknownName, "no player"),
        ("rollouts:game=3", UnknownName, "rollouts has no option 'game'; did you mean games?"),
        ("rollouts:depth=3", UnknownName, "it has games, plies, adjudicate, nodes, time"),
        ("random:x=3", UnknownName, "it has none"),
        ("rollouts:games=many", BadOption, "games must be a whole number"),
        ("rollouts:games=1.5", BadOption, "a whole number"),
        ("rollouts:games=", BadOption, "a whole number"),
        ("rollouts:games=0", BadOption, "games must be 1 or more"),
        ("rollouts:games=1,games=2", BadOption, "given twice"),
        ("rollouts:games", BadOption, "like games=40"),
        ("rollouts:,", BadOption, "key=value"),
        ("rollouts:nodes=0", BadOption, "a whole number above 0"),
        ("rollouts:time=nan", BadOption, "a number above 0"),
        ("rollouts:time=inf", BadOption, "a number above 0"),
        ("rollouts:time=-1", BadOption, "a number above 0"),
        ("random+counting", BadOption, "leave out '+counting'"),
        ("thinker", BadOption, "thinker+NAME"),
        ("thinker+", UnknownName, "no evaluation is called ''"),
        ("thinker+comparing", UnsupportedGame, "needs an evaluator; comparing is not"),
        ("topk+counting", UnsupportedGame, "needs a policy evaluator; counting is not"),
        ("thinker+linear", BadOption, "linear needs weights: linear@FILE, or linear@DIR"),
        ("thinker+countin", UnknownName, "did you mean counting?"),
        ("thinker+counting@here", BadOption, "leave out '@here'"),
        ("thinker:proud=maybe+counting", BadOption, "yes or no"),
        ("thinker+rated:eloo=900", UnknownName, "rated has no option 'eloo'; did you mean elo?"),
        ("thinker+rated:x=900", UnknownName, "it has elo, sure"),
        ("thinker+rated:elo=high", BadOption, "rated: elo must be a whole number (got high)"),
        ("thinker+rated:elo=100", BadOption, "elo must be between 600 and 2600 (got 100)"),
        ("thinker+rated:900", BadOption, "key=value"),
        ("thinker+counting:elo=900", UnknownName, "counting has no option 'elo'; it has none"),
        ("caller", BadOption, "caller needs its program: caller:PROGRAM"),
        ("caller:", BadOption, "caller:PROGRAM"),
        ("caller:level=3", BadOption, "caller:PROGRAM"),
    ],
)
def test_bad_names_say_what_would_do(name, error, told):
    with pytest.raises(error) as raised:
        players.make(name, CHESS)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_game_that_does_not_fit_is_refused_when_the_player_is_made():
    with pytest.raises(UnsupportedGame, match="kriegspiel hides"):
        players.make("rollouts", KRIEGSPIEL)
    with pytest.raises(UnsupportedGame, match="made for chess, not for kriegspiel"):
        players.make("random", CHESS).start(KRIEGSPIEL.spec, 0, 0)


def test_everybody_listed_can_be_made():
    for name in games.names():
        game = games.get(name)
        entries = roster.for_game(game)
        assert "random" in [entry.name for entry in entries]
        assert roster.default(game) in [entry.name for entry in entries]
        for entry in entries:
            assert players.make(entry.name, game).name == entry.name
            assert entry.description.endswith(".")


def test_lists_hold_what_fits_and_nothing_else():
    chess = [entry.name for entry in roster.for_game(CHESS)]
    hidden = [entry.name for entry in roster.for_game(KRIEGSPIEL)]
    assert {"rollouts", "thinker+counting", "thinker+some/weights"} <= set(chess)
    assert not {"caller", "thinker"} & set(chess)
    assert "rollouts" not in hidden and "thinker+counting" not in hidden and "thinker+some/weights" in hidden
