"""One grammar of players' names: read and written alike, bounded, and known to one module alone."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery
from rookery import players, roster
from rookery.errors import BadOption, RookeryError
from rookery.names import LONGEST, PROTOCOLS, KnowledgeName, PlayerName

ROOT = Path(rookery.__file__).parent
TEXT = st.text(alphabet=st.sampled_from("abz09_-./:+@=, \\~'\"é雪"), max_size=12)
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=4).map(tuple)
KNOWN = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["1", "no", ""])), max_size=3).map(tuple)
SOURCE = st.lists(st.sampled_from(["runs/", "x", ":", "a=1", ",b=2", "/"]), min_size=1, max_size=6).map(
    "".join
)
ELSEWHERE = {
    "arena/openings.py": "names of openings",
    "games/kriegspiel.py": "what the referee says",
    "interfaces/arena/commands.py": "clocks: 5+3",
    "interfaces/web/guard.py": "hosts and their ports",
    "interfaces/web/serve.py": "addresses",
    "names.py": "the grammar itself",
}
"""Who takes texts apart at the same marks, and what they are."""


@given(
    TEXT,
    PAIRS,
    TEXT | st.none(),
    TEXT | SOURCE | st.none(),
    PAIRS | KNOWN,
    TEXT | st.none(),
    st.sampled_from([*PROTOCOLS, ""]),
)
def test_whatever_can_be_said_is_read_back(word, options, known, source, told, program, protocol):
    try:
        knowledge = KnowledgeName(known, source, told) if known is not None else None
        name = PlayerName(protocol or word, options, knowledge, program if protocol else None)
    except BadOption as error:
        assert "\n" not in str(error)
        return
    assert PlayerName.parse(str(name)) == name


@given(st.text(alphabet=st.sampled_from("auci:+@=,x1 /"), max_size=30) | st.text(max_size=30))
def test_whatever_can_be_read_is_written_alike(text):
    try:
        name = PlayerName.parse(text)
    except BadOption as error:
        assert str(error).isprintable() and len(str(error)) < 300
        return
    # A colon and nothing after it is the one other spelling: "alphabeta:", "alphabeta:+pieces:".
    plain = text.replace(":+", "+", 1)
    assert str(name) in (text, text.removesuffix(":"), plain, plain.removesuffix(":"))
    assert PlayerName.parse(str(name)) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("random", PlayerName("random")),
        ("epsilon:0.1", PlayerName("epsilon", (("", "0.1"),))),
        ("uct:c=0.3,nodes=8", PlayerName("uct", (("c", "0.3"), ("nodes", "8")))),
        (
            "greedy:level=2+td@runs/a+b@c,d=1",
            PlayerName("greedy", (("level", "2"),), KnowledgeName("td", "runs/a+b@c,d=1")),
        ),
        (
            "top:k=2+chess/human:elo=1500,band=wide",
            PlayerName(
                "top", (("k", "2"),), KnowledgeName("chess/human", None, (("elo", "1500"), ("band", "wide")))
            ),
        ),
        (
            "puct+zero@runs/a:t=2",
            PlayerName("puct", (), KnowledgeName("zero", "runs/a", (("t", "2"),))),
        ),
        # What is no option at the end of a source belongs to it, as it ever did.
        *(
            (f"x+td@{source}", PlayerName("x", (), KnowledgeName("td", source)))
            for source in ("C:/runs/a", "runs/10:30", "lr:a=1/last", "a,b=1", "runs/a:b", "a:b=1@c")
        ),
        # One that ends like options, or in a colon, is followed by a colon.
        ("x+td@a:b=1:", PlayerName("x", (), KnowledgeName("td", "a:b=1"))),
        ("x+td@a::", PlayerName("x", (), KnowledgeName("td", "a:"))),
        ("x+td@a:b=1:c=2", PlayerName("x", (), KnowledgeName("td", "a:b=1", (("c", "2"),)))),
        (
            "uci:/opt/a+b,Skill Level=3,File=a=b+c",
            PlayerName("uci", (("Skill Level", "3"), ("File", "a=b+c")), None, "/opt/a+b"),
        ),
    ],
)
def test_names_are_taken_apart(text, name):
    assert PlayerName.parse(text) == name and str(name) == text


@pytest.mark.parametrize(
    "text",
    [
        *("uci:", "uci:a=b", "gtp:,level=1", "uci:stockfish,depth", "uci:stockfish,=3", "uci:sf,a=1,a=2"),
        *(
            "x:=3",
            "x:a=1,b",
            "x:a=1,a=2",
            "x:,",
            "x+td@",
            "x+td:a",
            "x+td:a=1,a=2",
            "a\nb",
            "a\0",
            "\ud83d",
            "\u202e",
        ),
        *("x+td:a=1,b", "x+td:a=1@runs", "x+td:a=b/c", "x+td:=1", "x+td@r:a=1,a=2", "x+td:a b=1"),
        *("x" * (LONGEST + 1), "alphabeta+td@" + "a" * LONGEST, "\x1b[31m"),
    ],
)
def test_what_is_no_name_is_refused_in_a_line(text):
    with pytest.raises(BadOption) as refused:
        PlayerName.parse(text)
    assert str(refused.value).isprintable() and len(str(refused.value)) < 250


@pytest.mark.parametrize("number", ["9" * 30, "-" + "9" * 20, str(2**63), "9" * 5000])
def test_numbers_that_no_machine_holds_are_refused(number):
    from rookery import games

    for name in (
        "alphabeta:depth={}+classical",
        "uct:nodes={}",
        "topk:k={}+pieces",
        "alphabeta:hash={}+pieces",
    ):
        with pytest.raises(RookeryError) as refused:
            players.make(name.format(number), games.get("chess"))
        assert len(str(refused.value)) < 250


def test_the_protocols_are_those_that_are_spoken():
    assert set(roster.engines()) == PROTOCOLS


def takes_apart(node: ast.AST) -> bool:
    """Whether this is `text.partition("+")` or the like, or `"@" in text`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        cuts = node.func.attr in ("partition", "rpartition", "split", "rsplit", "find", "index", "startswith")
        mark = node.args[0]
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        cuts, mark = isinstance(node.comparators[0], ast.Name), node.left
    else:
        return False
    return cuts and isinstance(mark, ast.Constant) and mark.value in ("+", "@", ":")


def test_nobody_else_takes_a_name_apart():
    found = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if any(takes_apart(node) for node in ast.walk(ast.parse(path.read_text())))
    }
    assert found <= set(ELSEWHERE), f"{found - set(ELSEWHERE)} take apart what may be players' names"
