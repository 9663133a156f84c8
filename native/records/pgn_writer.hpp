// Games of a store as PGN.
#pragma once

#include "records/chess_store.hpp"

namespace rookery::records {

// One game with its tags and a blank line behind it; several one after the other make a file.
std::string write_pgn(const ChessStore& store, std::size_t game);

}  // namespace rookery::records
