// The belief of Ciancarini and Favini, "Monte Carlo tree search in Kriegspiel" (AIJ 174, 2010): three matrices over
// the squares. king sums to 1, pawn to the number of enemy pawns left, piece to that of his other men.
//
// Matrices is a value: 1 KB, copied freely, no heap; a tree keeps one a node. What changes it are the members that
// are not const; every one of them keeps the three sums. Free functions here are pure functions of their arguments.
// Squares are those of chess (a1 = 0), whichever colour we have.
//
// The same members serve the root, with real messages, and simulations, with drawn ones. At the root, Belief
// (belief.hpp) follows each with `fit`, which brings the exact masks in.
#pragma once

#include "belief/grid.hpp"
#include "belief/opponent_model.hpp"
#include "belief/possible.hpp"
#include "games/kriegspiel/view.hpp"

namespace rookery::belief {

// Where the paper's formulas and our corrections differ: control as a probability, pins, how many men move a turn.
enum class Mode : std::uint8_t { corrected, paper };
// How his pieces spread. fast: evenly along runs of squares without own men, as in the paper. gated: through
// squares as far as they are likely empty, knights' jumps too.
enum class Kernel : std::uint8_t { fast, gated };

// Every constant of the belief, by name. The reaction constants are not published.
struct Constants {
    Mode mode = Mode::corrected;

    // Of seven pieces three can use a given line; two are knights.
    float line_share = 3.0f / 7.0f, knight_share = 2.0f / 7.0f;
    // How often each man moves, where 1 is as often as any other.
    float king_rate = 1, pawn_rate = 1, piece_rate = 1;
    float en_passant = 0.1f;  // that the pawn beside ours has just made a double step
    float least_legal = 0.01f, most_legal = 0.99f;
    float attraction = 0.8f;  // beta: how much a model's differences count
    float least_attraction = 0.05f;
    float doubt = 0.002f;       // the share of each matrix that `fit` spreads over all that is possible
    float kind_doubt = 0.1f;    // the share of each piece that may be of any possible kind
    float pinned_pawn = 0.05f;  // that an enemy pawn which could take may not, by a pin

    // Who took our man, if a pawn may have been it.
    float taker_pawn = 0.9f, taker_piece = 0.09f, taker_king = 0.01f;

    // Reactions of the enemy to our moves, for simulations.
    float retake = 0.85f;        // our capturing man is retaken at once
    float take_checker = 0.35f;  // a man of ours that gives check is taken
    float use_pawn_try = 0.95f;  // he takes when pawn tries were announced to him
    float suffer = 0.10f;        // an ordinary move of his takes something; which: in proportion to control

    // That he takes back in an exchange that is open, where so many of his men attack the square: the paper's second
    // and subsequent captures.
    float retake_again(float control) const;

    // Those that may be tuned, with the bounds of what makes sense; a model of the opponent has its own attraction.
    struct Number {
        const char* name;
        float Constants::* value;
        float least, most;
    };
    static const std::array<Number, 18> numbers;
};

inline constexpr std::array<Constants::Number, 18> Constants::numbers{{
    {"line_share", &Constants::line_share, 0, 1},
    {"knight_share", &Constants::knight_share, 0, 1},
    {"piece_rate", &Constants::piece_rate, 0, 16},
    {"en_passant", &Constants::en_passant, 0, 1},
    {"least_legal", &Constants::least_legal, 0, 1},
    {"most_legal", &Constants::most_legal, 0, 1},
    {"doubt", &Constants::doubt, 0, 1},
    {"kind_doubt", &Constants::kind_doubt, 0, 1},
    {"pinned_pawn", &Constants::pinned_pawn, 0, 1},
    {"taker_pawn", &Constants::taker_pawn, 0, 1},
    {"taker_piece", &Constants::taker_piece, 0, 1},
    {"taker_king", &Constants::taker_king, 0, 1},
    {"retake", &Constants::retake, 0, 1},
    {"take_checker", &Constants::take_checker, 0, 1},
    {"use_pawn_try", &Constants::use_pawn_try, 0, 1},
    {"suffer", &Constants::suffer, 0, 1},
    {"king_rate", &Constants::king_rate, 0, 16},
    {"pawn_rate", &Constants::pawn_rate, 0, 16},
}};

struct Matrices {
    Grid king, pawn, piece;
    float pawns = 0, pieces = 0;    // what `pawn` and `piece` sum to: expected numbers, so not always whole
    std::array<Bitboard, 6> own{};  // our men by kind
    chess::Colour us = chess::white;
    std::uint8_t castling = 0;  // ours: bit 0 the short side, bit 1 the long one
    std::uint8_t checks = 0;    // a set of Check, against us, as announced
    std::int8_t tries = 0;      // pawn captures of ours, as announced; Message::unknown in simulations
    std::int8_t enemy_tries = 0;
    std::int16_t turn = 0;  // moves of the enemy since the start of the game
    Square doubled = -1;    // where a pawn of ours stands that has just made a double step
    Square exchange = -1;   // where he has just taken a piece of ours: taking back goes on with an exchange

    static Matrices of(const kriegspiel::Start& start, chess::Colour us);

    // --- following a game
    void stood(Move move, const Message& message, const Constants& constants);
    void refused(Move move, const Constants& constants);
    // A move of the enemy, of which the message was heard.
    void meta(const Message& message, const Constants& constants, Kernel kernel, const OpponentModel* model = nullptr,
              Bitboard barred = 0);  // barred: where his King cannot go for certain

    // --- the parts of it that simulations use alone
    void spread(const Constants& constants, Kernel kernel, const OpponentModel* model = nullptr, Bitboard barred = 0);
    // Our man on a square was taken: no spreading this turn.
    void lose(Square s, const Constants& constants);
    // Moves our men, castling's rook too. Nothing is concluded.
    void move_own(Move move);

    // --- what is exactly known
    void fit(const Possible& possible, const Constants& constants);

    // --- reading
    Bitboard men() const { return own[0] | own[1] | own[2] | own[3] | own[4] | own[5]; }
    int kind_at(Square s) const;  // of an own man; -1: none
    Square king_square() const { return chess::first(own[chess::king]); }
    int up() const { return us == chess::white ? 8 : -8; }  // the way our pawns go
    float occupied(Square s) const { return king[s] + pawn[s] + piece[s]; }
    // How likely the square is empty, if no man of ours stands there.
    float empty(Square s) const { return std::clamp(1 - occupied(s), 0.0f, 1.0f); }

  private:
    void hear_no_check();
    void hear_check(Move move, std::uint8_t directions, Square opened);  // opened: by a capture in passing, or -1
    void hear_enemy_tries(const Constants& constants);
    void hear_tries(const Constants& constants);
    Bitboard hear_checks(const Constants& constants);
    void empty_out(Bitboard squares);
    void rescale(Bitboard sure = 0);  // brings the matrices back to their sums, squares that are sure aside
};

// --- pure functions of matrices (control.cpp)

// How likely each square is empty; 0 where our men stand.
Grid emptiness(const Matrices& m);
// Control: the expected number of enemy men that attack each square, by emptiness `e`.
Grid control(const Matrices& m, const Grid& e, const Constants& constants);
// The same of one square, if our men were `own`: a King's target is to be asked for without the King.
float control_of(const Matrices& m, Square t, Bitboard own, const Constants& constants);
// Who gives a check that was announced in one direction: shares of 1 over the squares of the line, or the
// knight's squares.
struct Attackers {
    Grid share, pawn_share;  // the second: that part of the first which a pawn has
    float pawn = 0;          // what the pawns have in all
};
Attackers attackers(const Matrices& m, Check direction, const Constants& constants);

}  // namespace rookery::belief
