#include "engine/checksum/sip_hash.h"

#include <bit>
#include <cstddef>

namespace engine::checksum {
namespace {

struct State {
    std::uint64_t a, b, c, d;

    void round() {
        a += b;
        c += d;
        b = std::rotl(b, 13) ^ a;
        d = std::rotl(d, 16) ^ c;
        a = std::rotl(a, 32);
        c += b;
        a += d;
        b = std::rotl(b, 17) ^ c;
        d = std::rotl(d, 21) ^ a;
        c = std::rotl(c, 32);
    }
    void take(std::uint64_t word) {
        d ^= word;
        round();
        round();
        a ^= word;
    }
};

// Up to eight bytes as one number, the first in its lowest byte.
std::uint64_t wordOf(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return word;
}

}  // namespace

std::uint64_t sipHash24(std::string_view bytes, std::uint64_t first, std::uint64_t second) {
    State state{first ^ 0x736f6d6570736575U, second ^ 0x646f72616e646f6dU, first ^ 0x6c7967656e657261U, second ^ 0x7465646279746573U};
    const std::uint64_t length = std::uint64_t{bytes.size()} << 56;
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) state.take(wordOf(bytes.substr(0, 8)));
    state.take(wordOf(bytes) | length);
    state.c ^= 0xff;
    for (int i = 0; i < 4; ++i) state.round();
    return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace engine::checksum
