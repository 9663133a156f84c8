"""Knowledge: how good is a position? Every module here with a dict `KNOWLEDGE` adds to the players' names.

`KNOWLEDGE` maps the name people type to what makes an `Evaluator` or a `Comparator` for a game: a class or
function of `(game)`, or of `(game, source)` where people may name weights or a run, `name@source`. Its
`source` is None where they name none. Each keyword is an option that people may give, `name:elo=1500`, as in
`rookery.searches`. `title` names it to people, and the first line of the docstring
describes it. It raises `UnsupportedGame` for a game that it does not know.
"""
