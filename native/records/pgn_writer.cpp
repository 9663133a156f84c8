#include "records/pgn_writer.hpp"

#include <map>

#include "games/chess/san.hpp"

namespace rookery::records {
namespace {

constexpr std::size_t columns = 80;

std::string date_text(std::uint32_t date) {
    if (!date) return "????.??.??";
    const auto part = [](std::uint32_t number, std::size_t width) {
        std::string text = number ? std::to_string(number) : std::string(width, '?');
        return std::string(width - std::min(width, text.size()), '0') + text;
    };
    return part(date / 10000, 4) + '.' + part(date / 100 % 100, 2) + '.' + part(date % 100, 2);
}

const char* result_text(int result) {
    return result == 1 ? "1-0" : result == 0 ? "1/2-1/2" : result == -1 ? "0-1" : "*";
}

std::string tag(std::string_view name, std::string_view value) {
    std::string line = "[" + std::string(name) + " \"";
    for (const char c : value) {
        if (c == '"' || c == '\\') line += '\\';
        line += c;
    }
    return line + "\"]\n";
}

std::map<std::string, std::string> kept_tags(std::string_view text) {
    std::map<std::string, std::string> tags;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (const std::size_t space = line.find(' '); space != line.npos)
            tags.emplace(line.substr(0, space), line.substr(space + 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return tags;
}

// Words on lines that are not too long.
class Lines {
  public:
    void add(const std::string& word) {
        if (!text.empty()) {
            const bool fits = used_ + 1 + word.size() <= columns;
            text += fits ? ' ' : '\n';
            used_ = fits ? used_ + 1 : 0;
        }
        text += word;
        used_ += word.size();
    }
    std::string text;

  private:
    std::size_t used_ = 0;
};

}  // namespace

std::string write_pgn(const ChessStore& store, std::size_t game) {
    const Header h = store.header(game);
    auto tags = kept_tags(store.text(game));
    const auto said = [&](const char* name) { return tags.contains(name) ? tags[name] : std::string("?"); };
    std::string text;
    for (const char* name : {"Event", "Site"}) text += tag(name, said(name));
    text += tag("Date", date_text(h.date));
    for (const char* name : {"Round", "White", "Black"}) text += tag(name, said(name));
    text += tag("Result", result_text(h.result));
    if (h.white_elo) text += tag("WhiteElo", std::to_string(h.white_elo));
    if (h.black_elo) text += tag("BlackElo", std::to_string(h.black_elo));
    for (const char* name : {"ECO", "TimeControl", "Termination"})
        if (tags.contains(name)) text += tag(name, tags[name]);
    chess::Position position = store.start(game);
    if (h.set_up) text += tag("SetUp", "1") + tag("FEN", position.str());

    Lines lines;
    bool first = true;
    for (const Move m : store.moves(game)) {
        const std::string number = std::to_string(position.number());
        if (position.turn() == chess::white)
            lines.add(number + '.');
        else if (first)
            lines.add(number + "...");
        first = false;
        lines.add(chess::san(position, m));
        position.play(m);
    }
    lines.add(result_text(h.result));
    return text + '\n' + lines.text + "\n\n";
}

}  // namespace rookery::records
