"""Knowledge: how good is a position? Every module here with a dict `KNOWLEDGE` adds to the players' names.

`KNOWLEDGE` maps the name people type to a class that derives from `rookery.api.NamedKnowledge` and from the
protocols there that it keeps: `Evaluator` or `Comparator`, `PolicyEvaluator`, `Explainer` and so on.

- It is built from `(game)`, or from `(game, source)` where people name weights or a run, `name@source`; they
  may leave out a source that has a default.
- Each keyword is an option that people may give, `name:elo=1500`, as in `rookery.searches`.
- `title` names it to people, and the first line of the docstring describes it.
- `check_game` raises `UnsupportedGame` for a game that it does not know, before anything is built,
  and `check_installed` raises `BadOption` where something that it needs is not there.
"""
