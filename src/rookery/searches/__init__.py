"""Thought: which move is best? Every module here that has a dict `SEARCHES` adds to the players' names.

`SEARCHES` maps the name people type to a class that derives from `rookery.api.NamedSearch` and is built by::

    def __init__(self, game: Game, knowledge: Evaluator, *, width: int = 2) -> None:

- `knowledge` is left out by a search that needs none, and has a default in one that can do without.
- Each keyword is an option that people may give: `search:width=3`. Its type is int, float, str or bool,
  perhaps with None; it is read from the annotation. One without a default is typed first and bare.
- `limits` names the fields of `Limit` that the search obeys; each is an option of its players too.
- `takes` names the protocols of which its knowledge must keep one.
- `bench` says what `rookery bench` tries of it: options as they are typed, `("nodes=9", "nodes=9,width=3")`.
- `fallback` says how readily it stands in where no card names a player for a game.
- `title` names it to people, and the first line of the docstring describes it.
- `check_game` raises `UnsupportedGame` for a game that it does not fit, before anything is built, and so does
  `__init__`, which raises `BadOption` for a value out of range.
"""
