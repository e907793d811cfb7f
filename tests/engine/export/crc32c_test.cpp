#include "engine/export/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace engine::exporter {
namespace {

TEST(Crc32c, MatchesThePublishedValues) {
    EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);  // RFC 3720, appendix B.4
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
}

TEST(Crc32c, GivesTheSameValueInPieces) {
    const std::string text = "a checkpoint is read in pieces of any length";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text)) << cut;
    }
}

}  // namespace
}  // namespace engine::exporter
