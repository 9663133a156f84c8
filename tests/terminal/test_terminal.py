"""Games at the terminal, played by script as a person would type them."""

import io

import pytest
from rich.console import Console
from typer.testing import CliRunner

from rookery import games, players, roster
from rookery.cli import app
from rookery.errors import BadOption
from rookery.interfaces.screen import Screen
from rookery.interfaces.terminal import Table, fill_seats, find_seat, tell_outcome
from sticks import Sticks


def play(*typed: str, arguments: tuple[str, ...] = ("chess", "--with", "human")) -> list[str]:
    """What the terminal shows while all this is typed; the input ends after it."""
    result = CliRunner().invoke(app, ["play", *arguments], input="".join(f"{line}\n" for line in typed))
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout.splitlines()


def last(shown: list[str], start: str) -> str:
    return next(line for line in reversed(shown) if line.startswith(start))


def test_a_whole_game_to_mate():
    shown = play("f3", "e5", "g2g4", "Qh4#")
    assert "Black wins: checkmate." in shown
    assert last(shown, "Last moves:") == "Last moves: f3 e5 g4 Qh4#"
    assert shown[-1] == "Goodbye."


def test_each_person_sees_the_board_from_the_own_side():
    shown = play("e2e4", "quit")
    assert shown.index("8  r n b q k b n r") < shown.index("1  R N B K Q B N R")
    assert "Black> quit" in shown


def test_a_game_against_a_player_is_the_same_for_the_same_seed():
    arguments = ("chess", "--with", "rollouts:games=2", "--seed", "7")
    once = play("e2e4", "d2d4", "hint", "quit", arguments=arguments)
    assert once == play("e2e4", "d2d4", "hint", "quit", arguments=arguments)
    assert sum(line.startswith("Black (Random playouts (games 2)) plays ") for line in once) >= 1
    assert any(line.startswith("Rookery at full strength would play ") for line in once)


def test_a_hint_does_not_change_what_the_player_does():
    arguments = ("chess", "--with", "random", "--seed", "7")
    plain = play("e2e4", "d2d4", arguments=arguments)
    hinted = play("hint", "e2e4", "hint", "d2d4", arguments=arguments)
    assert last(plain, "Last moves") == last(hinted, "Last moves")


def test_a_person_may_sit_anywhere():
    shown = play("quit", arguments=("chess", "--with", "random", "--seat", "black", "--seed", "1"))
    assert any(line.startswith("White (Random mover) plays ") for line in shown)
    assert shown[0].startswith("Chess: Random mover is White, you are Black.")
    assert "Black> quit" in shown


@pytest.mark.parametrize("name", games.names())
def test_somebody_plays_every_game_by_default(name):
    game = games.get(name)
    shown = play("moves", "quit", arguments=(name,))
    usual = " rated 1500 is " if name == "chess" else " level 2 is "
    assert f"you are {game.spec.seat_names[0]}, " in shown[0] and usual in shown[0]


def test_somebody_may_play_like_people_of_a_rating():
    shown = play("quit", arguments=("chess", "--elo", "1300"))
    assert "Like people rated 1300 is Black" in shown[0]
    assert "Plays like people rated 1300 (FIDE)" in shown[1]
    for wrong, words in (
        (["chess", "--elo", "900"], "--elo must be between 1000 and 2500 (got 900)"),
        (["chess", "--elo", "1500", "--level", "3"], "--elo takes the place of --level"),
        (["chess", "--elo", "1500", "--with", "random"], "--elo takes the place of --with"),
        (["go5", "--elo", "1500"], "no player of go5 imitates people of a rating"),
    ):
        refused = CliRunner().invoke(app, ["play", *wrong])
        assert refused.exit_code and words in " ".join(refused.output.split()), refused.output


def test_without_a_runtime_for_networks_the_usual_opponent_has_levels(monkeypatch):
    def missing(word):
        raise BadOption(f"{word} needs onnxruntime")

    monkeypatch.setattr("rookery.nets.backend.require_onnxruntime", missing)
    assert "Rookery level 2 is Black" in play("quit", arguments=("chess",))[0]


def test_the_level_of_the_others():
    full = roster.default(games.get("chess"))
    shown = play("quit", arguments=("chess", "--level", "3"))
    assert "Rookery level 3 is Black" in shown[0]
    assert shown[1].startswith("Rookery level 3: ") and "Elo" in shown[1]
    assert "Rookery is Black" in play("quit", arguments=("chess", "--with", full))[0]
    named = play("quit", arguments=("chess", "--with", "uct", "--level", "1"))
    assert "level 1 is Black" in named[0]
    for level, words in (("11", "between 1 and 10 (got 11)"), ("0", "")):
        refused = CliRunner().invoke(app, ["play", "chess", "--level", level])
        assert refused.exit_code == 2 and words in refused.stderr


def test_a_position_to_start_from():
    shown = play("Ra8#", arguments=("chess", "--position", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"))
    assert "White wins: checkmate. You win!" in shown


def test_losing():
    shown = play("e2e4", arguments=("chess", "--with", "rollouts:games=1", "--seat", "Black", "--position",
                                    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"))  # fmt: skip
    assert "White wins: checkmate. You lose." in shown


def test_moves_and_their_beginnings():
    shown = play("moves", "moves e2", "moves x", "quit")
    at = shown.index("White> moves")
    assert {"Nf3", "a3", "e4"} < set(" ".join(shown[at + 1 : at + 4]).split())
    assert shown[shown.index("White> moves e2") + 1].split() == ["e3", "e4"]
    assert "No move begins with 'x'." in shown


def test_bad_input_is_one_line_and_the_game_goes_on():
    shown = play("e2e5", "xyz", "", "  ", "e4 e5", "Nd2", "\t?", "e2e4", "quit")
    assert "e2e5 is not a legal move; `moves` lists those that are." in shown
    assert any(line.startswith("cannot read 'xyz' as a move") for line in shown)
    assert "  resign           give the game up" in shown
    assert "Last moves: e4" in shown


def test_undo_goes_back_to_the_persons_turn():
    arguments = ("chess", "--with", "random", "--seed", "1")
    shown = play(
        "undo", "e2e4", "d2d4", "undo", "history", "undo", "history", "undo", "c2c4", arguments=arguments
    )
    assert shown.count("There is nothing to take back.") == 2
    assert shown[shown.index("White> history") + 1].startswith("e4 ")
    assert len(shown[shown.index("White> history") + 1].split()) == 2
    assert "Nothing has happened yet." in shown
    assert last(shown, "Last moves").startswith("Last moves: c4 ")


def test_two_people_undo_one_move():
    shown = play("e2e4", "e7e5", "undo", "c7c5")
    assert last(shown, "Last moves") == "Last moves: e4 c5"


def test_a_mate_can_be_taken_back():
    shown = play("f3", "e5", "g2g4", "Qh4#", "hint", "moves", "e2e4", "undo", "d7d6")
    assert "The game is over: `new` starts another, `undo` takes back, `quit` leaves." in shown
    assert "There is nothing to play: the game is over." in shown
    assert last(shown, "Last moves") == "Last moves: f3 e5 g4 d6"


def test_resigning_and_taking_it_back():
    shown = play("e2e4", "resign", "resign", "undo", "e7e5")
    assert "White wins: Black resigned." in shown
    assert "The game is over already." in shown
    assert last(shown, "Last moves") == "Last moves: e4 e5"


def test_a_new_game_begins_at_the_beginning():
    arguments = ("chess", "--with", "random", "--seed", "1")
    shown = play("e2e4", "new", "history", "board", arguments=arguments)
    assert shown[shown.index("White> history") + 1] == "Nothing has happened yet."
    assert shown.count("2  P P P P P P P P") == 3


def test_the_position_as_text():
    shown = play("e2e4", "position")
    assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" in shown


def test_no_input_at_all():
    assert play()[-1] == "Goodbye."


@pytest.mark.parametrize("word", ["quit", "exit", "QUIT"])
def test_leaving(word):
    assert play(word, "e2e4")[-1] == "Goodbye."


def test_an_interrupt_leaves_politely(monkeypatch):
    monkeypatch.setattr(Screen, "ask", lambda screen, prompt: (_ for _ in ()).throw(KeyboardInterrupt))
    assert play()[-1] == "Goodbye."


# --- games that hide something -----------------------------------------------------------------------


def test_a_hidden_game_shows_the_seats_own_men_and_what_it_heard():
    shown = play("e2e5", "e2e4", "position", "undo", "history", arguments=("kriegspiel", "--seed", "1"))
    assert "Illegal move: e2e5." in shown and "Black's move." in shown
    assert "8  . . . . . . . ." in shown and not any(
        set("rnbqk") & set(line[3:]) for line in shown if line[:1] in list("8765")
    )
    assert "That is the referee's secret until the game is over." in shown
    assert "What has been heard cannot be unheard: there is no undo in this game." in shown
    assert shown[shown.index("White> history") + 1].startswith("ILLEGAL e2e5")
    assert not any("plays" in line for line in shown)


def test_a_refused_try_keeps_the_turn_and_the_board_is_not_shown_again():
    shown = play("e2e5", "e2e6", "quit", arguments=("kriegspiel", "--seed", "1"))
    assert shown.count("1  R N B Q K B N R") == 1
    at = shown.index("White> e2e5")
    assert shown[at : at + 4] == ["White> e2e5", "Illegal move: e2e5.", "White> e2e6", "Illegal move: e2e6."]


def test_a_hidden_game_is_laid_open_at_its_end():
    shown = play("resign", "position", arguments=("kriegspiel", "--seed", "1"))
    assert "The board, as the referee saw it:" in shown and "8  r n b q k b n r" in shown
    assert "Black wins: White resigned. You lose." in shown


def test_a_hidden_game_tells_on_request_what_follows_from_what_was_heard():
    shown = play(
        *("e2e5", "conclusions", "conclusions 1", "conclusions all", "conclusions " + "9" * 5000),
        *("belief", "belief king", "belief dog"),
        *("help", "quit"),
        arguments=("kriegspiel", "--seed", "1"),
    )
    at = shown.index("White> conclusions")
    assert shown[at + 1 : at + 3] == [
        "Illegal move: e2e5.",
        "  No board would allow this try: nothing follows.",
    ]
    assert "all is no number of lines; `conclusions 20` goes back twenty." in shown
    assert "9" * 37 + "... is no number of lines; `conclusions 20` goes back twenty." in shown
    at = shown.index("White> belief")
    assert shown[at + 3].split() == ["8", *["100"] * 8] and shown[at + 10].split() == ["1", *["--"] * 8]
    assert "  queen    1.0 left, possible on  1: d8 100%" in shown
    at = shown.index("White> belief king")
    assert shown[at + 3].split() == ["8", "--", "--", "--", "--", "100", "--", "--", "--"]
    assert any(line.startswith("no piece is called 'dog'; there are pawn, knight,") for line in shown)
    assert any(line.startswith("  belief [PIECE]  ") for line in shown)


def test_a_belief_is_told_from_the_own_side():
    arguments = ("kriegspiel", "--seat", "black", "--seed", "1", "--with", "random")
    shown = play("belief pawn", "conclusions 1", arguments=arguments)
    at = shown.index("Black> belief pawn")
    assert shown[at + 3].split()[0] == "1" and shown[at + 11].split() == list("hgfedcba")
    assert shown[shown.index("Black> conclusions 1") + 1].startswith("Black's move.")


def test_a_game_that_hides_nothing_has_no_belief():
    shown = play("belief", "help")
    assert any(line.startswith("cannot read 'belief' as a move") for line in shown)
    assert not any(line.startswith("  belief") for line in shown)


def test_two_people_at_one_screen_hand_over():
    shown = play("e2e4", "", "", "e7e5", arguments=("kriegspiel", "--with", "human"))
    hidden = shown.index("Press Enter to hide this and hand over to Black.")
    assert shown[hidden + 1] == "Black, press Enter when you alone can see this."
    assert not any("r n b" in line for line in shown[:hidden]) and "1  . . . . . . . ." in shown[hidden:]
    assert not any("R N B" in line for line in shown[hidden:])


# --- more than two seats -----------------------------------------------------------------------------


def at_table(monkeypatch, *typed: str, seat: str = "0", names: tuple[str, ...] = ("random",)) -> list[str]:
    game = Sticks()
    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    seated = fill_seats(game, find_seat(game.spec, seat), names)
    Table(game, game.start(), seated, 1, Screen(Console(file=out, width=100))).play()
    return out.getvalue().splitlines()


def test_a_seat_that_cannot_move_passes_by_itself(monkeypatch):
    shown = at_table(monkeypatch, "take1", "quit")
    assert "South cannot move, and passes." in shown
    assert [line.split()[0] for line in shown if "plays" in line or "passes" in line] == [
        "East",
        "South",
        "West",
    ]


def test_a_person_whose_seat_cannot_move_is_not_asked(monkeypatch):
    shown = at_table(monkeypatch, "quit", seat="south")
    assert "South cannot move, and passes." in shown
    assert last(shown, "South>") == "South> quit"


def test_undo_skips_everybody_else_and_passes(monkeypatch):
    shown = at_table(monkeypatch, "take1", "undo", "history", names=("random", "human", "random"))
    assert shown[shown.index("North> history") + 1] == "Nothing has happened yet."


def test_a_team_wins_together(monkeypatch):
    shown = at_table(monkeypatch, *["take2"] * 6, "take1", names=("human",))
    assert "East and West win: the last stick is taken." in shown


def test_seats_are_filled_by_one_name_or_by_enough():
    game = Sticks()
    assert [player and player.name for player in fill_seats(game, 1, ["random"])] == [
        "random",
        None,
        "random",
        "random",
    ]
    assert fill_seats(game, 1, ["human", "random", "human"])[0] is None
    with pytest.raises(BadOption, match="one for each of 3 seats \\(got 2\\)"):
        fill_seats(game, 0, ["random", "random"])


def test_outcomes_for_people():
    from rookery.api import Outcome

    spec = games.get("chess").spec
    assert tell_outcome(spec, Outcome((1.0, -1.0), "checkmate")) == "White wins: checkmate."
    assert tell_outcome(spec, Outcome((0.0, 0.0), "stalemate")) == "Draw: stalemate."
    assert tell_outcome(Sticks.spec, Outcome((-1.0, 1.0), "last stick")) == "East and West win: last stick."


# --- the count of Go -----------------------------------------------------------------------------------

HOPELESS = ".....XO../.....XO../.....XO../.....XO../..O..XO../.....XO../.....XO../....XXO../.....XO.. b"
TWO = ("go9", "--with", "human", "--position", HOPELESS)


def test_dead_stones_are_shown_changed_and_agreed_on():
    shown = play("pass", "pass", "agree", arguments=(*TWO, "--komi", "7"))
    assert " 5 b b o b b X O w w 5" in shown
    assert "Black 54, White 34: Black leads by 20" in shown
    assert "Black wins by 20 points." in shown
    shown = play("pass", "pass", "c5", "agree", arguments=(*TWO, "--komi", "7"))
    assert any(line.startswith("White wins by ") for line in shown)


def test_play_can_be_resumed_at_the_count():
    shown = play("pass", "pass", "A9", "xyz", "resume", "c4", "quit", arguments=TWO)
    assert "A9: no stone stands there; `agree`, `resume`, or `help`." in shown
    assert "The passes are taken back." in shown
    assert "White> quit" in shown


def test_a_program_does_not_agree_to_what_costs_it_points():
    arguments = ("go9", "--with", "random", "--seat", "white", "--position", HOPELESS.replace(" b", " w"))
    settled = ".X.X.XO.O/XXXXXXOO./.X.X.XO.O/XXXXXXOO./..O..XO.O/XXXXXXOO./.X.X.XO.O/XXXXXXOO./.X.X.XO.O w"
    shown = play("pass", "c5", "agree", arguments=(*arguments[:-1], settled))
    assert "Black (Random mover) plays pass" in shown
    assert "Black does not agree; play it out." in shown
    shown = play("pass", "agree", arguments=(*arguments[:-1], settled))
    assert "Black wins by 19.5 points. You lose." in shown


def test_seats_are_counted_from_nought():
    chess = games.get("chess").spec
    assert [find_seat(chess, text) for text in ("0", "1", "black")] == [0, 1, 1]
    with pytest.raises(BadOption, match="chess has no seat '2'"):
        find_seat(chess, "2")
    with pytest.raises(BadOption, match="chess has no seat '9999"):
        find_seat(chess, "9" * 5000)


def test_rules_komi_and_handicap_are_chosen_and_shown():
    shown = play("quit", arguments=("go9", "--rules", "japanese", "--komi", "5.5", "--handicap", "2"))
    assert "komi 5.5 · handicap 2 · Japanese rules" in shown
    assert any(line.startswith("White (") for line in shown)  # who moves first
    assert "komi 7.5 · Chinese rules" in play("quit", arguments=("go9",))
    for arguments, says in (
        (("chess", "--komi", "1"), "leave out komi"),
        (("go9", "--rules", "ing"), "no rules of Go"),
        (("go9", "--rules", "japanesse"), "did you mean japanese?"),
        (("go5", "--handicap", "2"), "5x5 takes no handicap; leave it out (got 2)"),
    ):
        result = CliRunner().invoke(app, ["play", *arguments])
        assert result.exit_code != 0 and says in result.stderr


def test_where_every_stone_counts_nothing_is_agreed_on():
    shown = play("pass", "pass", "quit", arguments=(*TWO, "--rules", "tromp-taylor"))
    assert "White wins: passes." in shown and not any("count>" in line for line in shown)


def test_the_tries_of_a_turn_share_its_time(monkeypatch):
    now, limits = [0.0], []
    monkeypatch.setattr("rookery.interfaces.terminal.perf_counter", lambda: now[0])
    monkeypatch.setattr("sys.stdin", io.StringIO("e2e4\nd2d4\nquit\n"))
    game = games.get("kriegspiel")
    black = players.make("random", game)
    tries = iter(["e7e4", "d8d5", "e7e5", "d7d5"])

    def choose(view, limit):
        limits.append(limit)
        now[0] += 2.0
        return view.parse(next(tries))

    monkeypatch.setattr(black, "choose", choose)
    Table(game, game.start(), [None, black], 1, Screen(Console(file=io.StringIO(), width=100))).play()
    assert [limit.spent for limit in limits] == [0, 2, 4, 0]
