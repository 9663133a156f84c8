// DeepChess as the knowledge of a search: which of two positions is better for White, and how good one is.
//
// The unit of its values is the logit of being better than a drawn game. A position's colour mirror is as far below a
// draw as the position is above it, so a comparison with the mirror says twice what one with a draw would; a network
// with a scalar head (Bradley-Terry) has the number itself, of which only differences mean something: its zero is put
// where the starting position and its mirror have their middle.
//
// A Node is a handle, the plies from the root. `after` notes the move; the first layer's sums, pieces and castling
// without the side to move, are brought up to date when the position is asked for. Each thread keeps embeddings by
// position (the paper's feature hash): they are the same however they came about, so what is kept changes no result.
#pragma once

#include <cmath>
#include <memory>

#include "nets/deepchess.hpp"
#include "search/knowledge.hpp"

namespace rookery::evaluators {

class DeepChess {
    using Position = chess::Position;
    using Activation = nets::Activation;

    // What is kept of a position to be compared: the halves of the head's first layer.
    struct Record {
        explicit Record(int half) : halves(static_cast<std::size_t>(2 * half)), second(half) {}
        const std::int32_t* as_first() const { return halves.data(); }
        const std::int32_t* as_second() const { return halves.data() + second; }
        nets::Aligned<std::int32_t> halves;
        int second;
        Position position;
        search::Value above_draw = 0;
        bool knows_draw = false;
    };
    // Records to be used again, so that a search does not allocate.
    using Records = std::vector<std::unique_ptr<Record>>;

  public:
    explicit DeepChess(const nets::DeepChessWeights& weights)
        : DeepChess(std::make_shared<const nets::DeepChessNet>(weights)) {}

    // --- what a thread keeps
    using Node = int;
    class Workspace {
      public:
        std::int64_t updates() const { return updates_; }  // of the first layer's sums, a move each
        std::int64_t found() const { return found_; }      // embeddings that were kept
        std::int64_t made() const { return made_; }        // and those that were not

      private:
        friend class DeepChess;
        explicit Workspace(const nets::DeepChessNet& net)
            : slots_(search::longest + 1),
              sums_(slots_.size() * static_cast<std::size_t>(net.first().size())),
              keys_(kept, 0),
              embeddings_(kept * static_cast<std::size_t>(net.embedding())),
              records_(std::make_unique<Records>()) {}

        static constexpr std::size_t kept = 1 << 13;  // embeddings; of the small network 2 MB
        struct Slot {
            const Position* before = nullptr;
            const Position* after = nullptr;
            Move move = -1;
            bool current = false;  // whether the sums are those of `after`
        };
        std::vector<Slot> slots_;
        nets::Aligned<Activation> sums_;
        std::vector<std::uint64_t> keys_;  // 0: none
        nets::Aligned<Activation> embeddings_;
        std::unique_ptr<Records> records_;
        std::int64_t updates_ = 0, found_ = 0, made_ = 0;
    };
    Workspace workspace() const { return Workspace(*net_); }

    Node root(Workspace& w, const Position& p) const {
        add_all(p, sums(w, 0));
        w.slots_[0].current = true;
        return 0;
    }
    Node after(Workspace& w, Node n, const Position& before, Move m, const Position& after) const {
        w.slots_[index(n + 1)] = {&before, &after, m, false};
        return n + 1;
    }

    // --- how good
    search::Value value(Workspace& w, const Position& p, Node n) const {
        const Activation* embedding = embed(w, p, n);
        const search::Value white = net_->has_scalar() ? worth(embedding) : above_draw(record(w, p, embedding));
        return p.turn() == chess::white ? white : -white;
    }

    // --- which is better
    class Leaf {
      public:
        Leaf(Leaf&& other) noexcept : record_(std::move(other.record_)), home_(other.home_) {}
        Leaf& operator=(Leaf&& other) noexcept {
            std::swap(record_, other.record_);
            std::swap(home_, other.home_);
            return *this;
        }
        ~Leaf() {
            if (record_) home_->push_back(std::move(record_));
        }

      private:
        friend class DeepChess;
        Leaf(std::unique_ptr<Record> record, Records* home) : record_(std::move(record)), home_(home) {}
        std::unique_ptr<Record> record_;
        Records* home_;
    };
    // It must not outlive the workspace.
    Leaf leaf(Workspace& w, const Position& p, Node n) const { return record(w, p, embed(w, p, n)); }
    bool better(const Leaf& a, const Leaf& b) const { return compare(*a.record_, *b.record_) > 0; }
    search::Value above_draw(const Leaf& a) const {
        Record& record = *a.record_;
        if (!record.knows_draw) {
            Record mirror(net_->half());
            embed_mirror(record.position, mirror);
            record.above_draw = static_cast<search::Value>(compare(record, mirror)) * (net_->lead_unit() / 4);
            record.knows_draw = true;
        }
        return record.above_draw;
    }
    // s(a, b), of the paper's two logits.
    float lead(const Leaf& a, const Leaf& b) const {
        return static_cast<float>(compare(*a.record_, *b.record_)) * net_->lead_unit();
    }

    const nets::DeepChessNet& net() const { return *net_; }
    // The embedding of a position: kept, brought up to date along the line, or made. Good until the next is asked for.
    const Activation* embed(Workspace& w, const Position& p, Node n) const {
        const std::size_t place = p.key() & (Workspace::kept - 1);
        Activation* const at = w.embeddings_.data() + place * index(net_->embedding());
        if (w.keys_[place] == p.key() && p.key() != 0) {
            ++w.found_;
            return at;
        }
        ++w.made_;
        embed_along(w, p, n, at);
        w.keys_[place] = p.key();
        return at;
    }
    // The same, whatever is kept of positions.
    void embed_along(Workspace& w, const Position& p, Node n, Activation* out) const {
        update(w, n);
        nets::Activations first;
        activate(p, sums(w, n), first);
        net_->embed(first, out);
    }
    // What a comparison needs of a position besides its embedding.
    Leaf leaf(Workspace& w, const Position& p, const Activation* embedding) const { return record(w, p, embedding); }
    // From nothing.
    void embed_alone(const Position& p, Activation* out) const {
        nets::Activations sum, first;
        add_all(p, sum.at);
        activate(p, sum.at, first);
        net_->embed(first, out);
    }

  private:
    explicit DeepChess(std::shared_ptr<const nets::DeepChessNet> net) : net_(std::move(net)) {
        if (!net_->has_scalar()) return;
        const Position start;
        nets::Activations here, there;
        embed_alone(start, here.at);
        embed_mirror(start, there.at);
        middle_ = (net_->worth(here.at) + net_->worth(there.at)) / 2;
    }

    static std::size_t index(int n) { return static_cast<std::size_t>(n); }
    Activation* sums(Workspace& w, Node n) const { return w.sums_.data() + index(n) * index(net_->first().size()); }

    void add_all(const Position& p, Activation* sum) const {
        net_->first().begin(sum);
        encoders::each_chess_bit(p, [&](int bit) {
            if (bit != encoders::white_moves_bit) net_->first().add(sum, bit);
        });
    }
    void activate(const Position& p, const Activation* sum, nets::Activations& out) const {
        net_->first().activate(sum, p.turn() == chess::white ? encoders::white_moves_bit : -1, out.at);
    }

    void update(Workspace& w, Node n) const {
        Node from = n;
        while (!w.slots_[index(from)].current) --from;
        for (; from < n; ++from) {
            auto& next = w.slots_[index(from + 1)];
            net_->first().apply(change(*next.before, next.move, *next.after), sums(w, from), sums(w, from + 1));
            next.current = true;
            ++w.updates_;
        }
    }

    static nets::Accumulator::Change change(const Position& before, Move m, const Position& after) {
        using encoders::chess_bit;
        nets::Accumulator::Change change;
        const chess::Square from = chess::from_of(m), to = chess::to_of(m);
        const chess::Man moved = before.at(from);
        change.remove(chess_bit(moved, from));
        change.add(chess_bit(after.at(to), to));
        if (before.at(to) != chess::empty) change.remove(chess_bit(before.at(to), to));
        if (before.takes_en_passant(m)) {
            const chess::Square victim = to + (before.turn() == chess::white ? -8 : 8);
            change.remove(chess_bit(before.at(victim), victim));
        }
        if (chess::kind_of(moved) == chess::king && std::abs(to - from) == 2) {
            const chess::Square corner = to > from ? to + 1 : to - 2, beside = (from + to) / 2;
            change.remove(chess_bit(before.at(corner), corner));
            change.add(chess_bit(after.at(beside), beside));
        }
        for (unsigned lost = static_cast<unsigned>(before.castling() & ~after.castling()); lost; lost &= lost - 1)
            change.remove(encoders::castling_bits + std::countr_zero(lost));
        return change;
    }

    Leaf record(Workspace& w, const Position& p, const Activation* embedding) const {
        Records& spare = *w.records_;
        std::unique_ptr<Record> record;
        if (spare.empty()) {
            record = std::make_unique<Record>(net_->half());
        } else {
            record = std::move(spare.back());
            spare.pop_back();
        }
        fill(*record, embedding);
        record->position = p;
        record->knows_draw = false;
        return Leaf(std::move(record), &spare);
    }
    void fill(Record& record, const Activation* embedding) const {
        net_->halves(embedding, record.halves.data(), record.halves.data() + record.second);
    }
    void embed_mirror(const Position& p, Activation* out) const {
        nets::Activations sum, first;
        net_->first().begin(sum.at);
        encoders::each_chess_bit(p, [&](int bit) {
            if (bit != encoders::white_moves_bit) net_->first().add(sum.at, encoders::mirrored_chess_bit(bit));
        });
        net_->first().activate(sum.at, p.turn() == chess::black ? encoders::white_moves_bit : -1, first.at);
        net_->embed(first, out);
    }
    void embed_mirror(const Position& p, Record& record) const {
        nets::Activations embedding;
        embed_mirror(p, embedding.at);
        fill(record, embedding.at);
    }

    std::int32_t compare(const Record& a, const Record& b) const {
        return net_->lead(a.as_first(), a.as_second(), b.as_first(), b.as_second());
    }
    search::Value worth(const Activation* embedding) const {
        return static_cast<search::Value>(net_->worth(embedding) - middle_) * net_->worth_unit();
    }

    std::shared_ptr<const nets::DeepChessNet> net_;
    std::int64_t middle_ = 0;
};

}  // namespace rookery::evaluators
