"""External programs as players: `uci:PROGRAM,...`, `xboard:PROGRAM,...`, `gtp:PROGRAM,...`.

Every module here that has a dict `ENGINES` adds to the players' names: it maps a protocol to a class that
keeps `rookery.api.Player` and is built by `(name, game, program, options)`. Its `check_game` raises
`UnsupportedGame` for a game that such programs do not play. Its `limits` are the options that bound a move;
`arguments` are the program's own; all other options are the program's too, and are checked when it first
starts. Programs are started when a game begins and ended by `close`.
"""
