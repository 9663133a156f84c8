"""How good is knowledge on games that were played? Measured without playing any.

Values and comparisons are measured by pairs of a position from a won game and one from a lost game
(pairs.py), opinions on moves by the moves that were played (moves.py), and what is understood of chess by
pairs of positions that differ in one thing (understanding.py). Errors are by games, not by positions
(clusters.py).
"""
