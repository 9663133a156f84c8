import pytest

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
        ("length = 0.5", "it: length = 0.5 does not do; it is a whole number"),
        ("length = true", "it: length = true does not do; it is a whole number"),
        ('rate = "fast"', 'it: rate = "fast" does not do; it is a number'),
        ("fast = 1", "it: fast = 1 does not do; it is true or false"),
        ('mode = "left"', 'it: mode = "left" does not do; "up" or "down" would'),
        ("opponents = [1]", "it: opponents = 1 does not do; it is some text"),
        ("seed = -1", "it: seed = -1 does not do; 0 or more would"),
        ("length = 0", "it: length = 0 does not do; 1 or more would"),
        ("length == 0", "it cannot be read: "),
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
