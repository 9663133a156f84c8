import json
import string
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery import learners, renamed
from rookery.errors import BadOption, UnknownName
from rookery.runs import Recipe, Run
from rookery.runs import recipe as recipes
from rookery.weights import FILE

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
        ("extra = {a = 1.0}", "it: extra cannot be set in a recipe; leave it out"),
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


@pytest.fixture
def once_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipes, "learners_renamed", lambda: {"counting": {"speed": "rate"}})
    renamed._tell.cache_clear()


@pytest.mark.usefixtures("once_speed")
def test_a_key_may_be_said_by_its_old_name(caplog: pytest.LogCaptureFixture) -> None:
    assert read("speed = 2").options.rate == 2.0
    assert read("speed = 2", "rate=3").options.rate == 3.0
    assert read("rate = 2", "speed=3", "rate=4", "speed=5").options.rate == 5.0
    assert caplog.messages == ["rookery: counting: speed is now called rate"]
    assert "speed" not in read("speed = 2").toml()


@pytest.mark.usefixtures("once_speed")
def test_old_and_new_name_in_one_text_are_one_too_many() -> None:
    with pytest.raises(BadOption, match="rate is said twice, once by its old name; leave one out"):
        read("speed = 2\nrate = 3")


@pytest.mark.parametrize(("name", "old_names"), learners.renamed().items())
def test_every_old_key_leads_to_a_new_one_and_is_none_itself(name: str, old_names: dict[str, str]) -> None:
    there = {each.name for each in fields(learners.learners()[name].Options)}
    assert set(old_names.values()) <= there and not set(old_names) & there


def test_a_run_from_before_its_keys_were_renamed_ends_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipes, "learners", learners.learners)
    said = {"game": "chess", "features": ["material"], "depth": 1, "games": 4, "step": 2, "round": 200}
    said |= {"learner": "treestrap", "rate": 0.1, "final": 0.5, "limit": 1.0, "quiet": True, "longest": 20}
    text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in said.items())
    ends = []
    for name in ("whole", "broken"):
        run = Run.create(tmp_path / name, Recipe.read(text, "it"))
        assert run.recipe.options.max_plies == 20 and run.recipe.options.sync_nodes == 200
        if name == "broken":
            run.train(stop=lambda: True)
            (run.folder / "config.toml").write_text(text)
            run = Run.open(run.folder)
        run.train()
        ends.append((run.checkpoints()[-1] / FILE).read_bytes())
    assert ends[0] == ends[1]
