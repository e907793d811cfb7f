// Cuts an answer of any size into messages of bounded size. Only the files answer_convert*.cpp use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agent/proto/question.pb.h"
#include "agent/wire/size_limits.h"
#include "engine/spec/error.h"

namespace agent::convert {

inline constexpr std::size_t kNumbersAtOnce = 16u << 10;  // of a long list, a part of a message
inline constexpr std::size_t kVarintBytes = 10;           // the most that a number takes

// Spreads what repeats over several messages. The first one is made at once, so that an answer without a part is one too.
class PieceWriter {
public:
    // `begin` chooses the kind of answer of a new message.
    PieceWriter(std::vector<proto::Answer>& pieces, void (*begin)(proto::Answer&)) : pieces_(pieces), begin_(begin) {
        begin_(pieces_.emplace_back());
    }
    // Returns the message for a further part of so many bytes.
    proto::Answer& pieceFor(std::size_t bytes) {
        if (bytes_ > 0 && bytes_ + bytes > kMaxPageBytes) {
            bytes_ = 0;
            begin_(pieces_.emplace_back());
        }
        bytes_ += bytes;
        return pieces_.back();
    }
    // Hands `add` the numbers in parts, each with the message for it.
    template <class Number, class Add>
    void spread(const std::vector<Number>& numbers, const Add& add) {
        for (std::size_t at = 0; at < numbers.size(); at += kNumbersAtOnce) {
            const auto part = std::span(numbers).subspan(at, std::min(kNumbersAtOnce, numbers.size() - at));
            add(pieceFor(part.size() * kVarintBytes), part);
        }
    }

private:
    std::vector<proto::Answer>& pieces_;
    void (*const begin_)(proto::Answer&);
    std::size_t bytes_ = 0;  // of the parts in the last message
};

// Throws Error(kDataLoss) unless `is_right`.
inline void require(bool is_right) {
    if (!is_right) {
        throw engine::Error(engine::ErrorCode::kDataLoss, "tandem-worker: expected an answer to what was asked, got something else");
    }
}

inline std::string bytesOf(const std::vector<std::uint8_t>& values) {
    return {values.begin(), values.end()};
}

inline std::vector<std::uint8_t> valuesOf(const std::string& bytes) {
    return {bytes.begin(), bytes.end()};
}

template <class List>
auto numbersOf(const List& list) {
    return std::vector<typename List::value_type>(list.begin(), list.end());
}

}  // namespace agent::convert
