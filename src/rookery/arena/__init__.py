"""Players meet here, and only here is it said who is better.

`game` plays one game, `contest` says which games are to be played, `workers` plays them, `record` keeps them;
`tally`, `rating`, `sprt` and `ladder` say what they mean; `match` and `tournament` put it together.
"""
