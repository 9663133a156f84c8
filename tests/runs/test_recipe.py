import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.errors import BadOption, UnknownName
from rookery.runs import Recipe
from rookery.runs import recipe as recipes

PLAIN = 'learner = "counting"\n'


def read(more: str = "", *changes: str) -> Recipe:
    return Recipe.read(PLAIN + more, "it", changes)


def test_a_recipe_says_only_what_differs() -> None:
    recipe = read('seed = 3\nrate = 2\nopponents = ["naive", "gojen"]\n')
    assert (recipe.seed, recipe.options.rate, recipe.options.length) == (3, 2.0, 10)
    assert recipe.options.opponents == ("naive", "gojen")
    assert isinstance(recipe.options.rate, float)


def test_what_it_writes_it_reads() -> None:
    recipe = read('mode = "down"\nfast = true\nceiling = 0.25')
    assert Recipe.read(recipe.toml(), "again") == recipe
    assert Recipe.read(read().toml(), "again") == read()


def test_changes_come_on_top_and_bare_words_are_text() -> None:
    recipe = read("rate = 1", "rate=0.25", "mode=down", 'opponents=["a","b"]', "length=7")
    options = recipe.options
    assert (options.rate, options.mode, options.opponents, options.length) == (0.25, "down", ("a", "b"), 7)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("lenght = 3", "it: counting has no key 'lenght'; did you mean length?"),
        ("length = 0.5", "it: length must be a whole number of 64 bits (got 0.5)"),
        ("length = true", "it: length must be a whole number of 64 bits (got true)"),
        ('rate = "fast"', 'it: rate must be a finite number (got "fast")'),
        ("rate = inf", "it: rate must be a finite number (got inf)"),
        ("rate = nan", "it: rate must be a finite number (got nan)"),
        (f"rate = 1{'0' * 400}", "it: rate must be a finite number (got 1000"),
        ("rate = 1979-05-27", "it: rate must be a finite number (got 1979-05-27)"),
        ("length = 9223372036854775808", "it: length must be a whole number of 64 bits (got 92233"),
        (
            f"length = 0x{'f' * 5000}",
            "it: length must be a whole number of 64 bits (got a number that is too",
        ),
        (f"length = 1{'0' * 5000}", "it cannot be read: "),
        ("fast = 1", "it: fast must be true or false (got 1)"),
        ('mode = "left"', 'it: mode must be "up" or "down" (got "left")'),
        ("mode = 1979-05-27T07:32:00", 'it: mode must be "up" or "down" (got 1979-05-27 07:32:00)'),
        ("mode = {a = 1}", """it: mode must be "up" or "down" (got {'a': 1})"""),
        ("phases = true", "it: phases must be 1 or 3 (got true)"),
        ("opponents = [1]", "it: opponents must be some text (got 1)"),
        ("opponents = [[]]", "it: opponents must be some text (got [])"),
        ("seed = -1", "it: seed must be 0 or more (got -1)"),
        ("length = 0", "it: length must be 1 or more (got 0)"),
        ("length = " + "[" * 20000, "it cannot be read: "),
        ("length == 0", "it cannot be read: "),
        ("extra = {a = 1.0}", "it: extra is nothing that a recipe can say; leave it out"),
        ("data = 3", "it: data must be a table of hashes (got 3)"),
        ("data = {store = 3}", "it: data must be a table of hashes (got {'store': 3})"),
    ],
)
def test_what_is_wrong_is_said(more: str, words: str) -> None:
    with pytest.raises((BadOption, UnknownName)) as error:
        read(more)
    assert str(error.value).startswith(words)


def test_a_learner_must_be_named_rightly() -> None:
    with pytest.raises(BadOption, match="names no learner"):
        Recipe.read("seed = 1", "it")
    with pytest.raises(UnknownName, match="did you mean counting"):
        Recipe.read('learner = "countin"', "it")


def test_unknown_recipes_are_told_from_files(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipes, "FOLDER", tmp_path)
    (tmp_path / "go-koten.toml").write_text(PLAIN)
    assert recipes.names() == ["go-koten"]
    assert recipes.find("go-koten") == recipes.find(str(tmp_path / "go-koten.toml")) == read()
    with pytest.raises(UnknownName, match="did you mean go-koten"):
        recipes.find("go-kotem")


def test_names_that_no_file_can_have() -> None:
    for name in ("x" * 300, "\ud800", "\0", "a/" * 5000, "/proc/self/mem", "/"):
        with pytest.raises((BadOption, UnknownName)) as error:
            recipes.find(name)
        assert len(str(error.value)) < 400 and "\n" not in str(error.value)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_bytes(b"\xff\xfe\0")
    with pytest.raises(BadOption, match="cannot be read as a recipe"):
        recipes.find(str(tmp_path / "r.toml"))


def test_one_that_is_damaged_does_not_empty_the_list(tmp_path: Path, monkeypatch, caplog) -> None:
    monkeypatch.setattr(recipes, "FOLDER", tmp_path)
    for name, content in {"a": b"", "b": PLAIN.encode(), "c": b"\xff", "d": b"learner = 1979-05-27"}.items():
        (tmp_path / f"{name}.toml").write_bytes(content)
    assert [name for name, _, _ in recipes.catalogue()] == ["b"]
    assert len(caplog.messages) == 3 and all("is left out" in message for message in caplog.messages)


# --- whatever is accepted can be read back -----------------------------------------------------------

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(st.characters())
    | st.text(st.characters(codec=None), max_size=5)
    | st.sampled_from(["up", "down", "\x7f", "\r\n", '"\\', "\U0001f600", "\ud800", "a" * 500])
    | st.dates()
    | st.datetimes()
    | st.times(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(string.ascii_letters), inner, max_size=2)
    ),
    max_leaves=4,
)
KEYS = ("seed", "length", "rate", "mode", "opponents", "fast", "ceiling", "phases")


@settings(max_examples=400, deadline=None)
@given(said=st.dictionaries(st.sampled_from((*KEYS, "learner", "")), anything, max_size=4))
def test_any_values_are_refused_in_one_line_or_read_back_equal(said) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recipes.tomllib, "loads", lambda text: {"learner": "counting", **said})
        try:
            recipe = Recipe.read("", "it")
        except (BadOption, UnknownName) as error:
            assert "\n" not in str(error) and len(str(error)) < 400
            return
    text = recipe.toml().encode().decode()
    assert Recipe.read(text, "again") == recipe


@settings(max_examples=300, deadline=None)
@given(key=st.sampled_from(KEYS), value=st.text(st.characters(codec=None)) | anything.map(str))
def test_any_change_is_refused_in_one_line_or_read_back_equal(key: str, value: str) -> None:
    try:
        recipe = read("", f"{key}={value}")
    except (BadOption, UnknownName) as error:
        assert "\n" not in str(error) and len(str(error)) < 400
    else:
        assert Recipe.read(recipe.toml().encode().decode(), "again") == recipe


def test_a_change_says_one_thing() -> None:
    with pytest.raises(BadOption, match="rate must be a finite number"):
        read("", "rate=1\nlength = 3")
