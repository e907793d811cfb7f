#include "agent/direct/pairing_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace agent::direct {
namespace {

const std::string kPrint(64, 'b');
const std::string kSecret = "000102030405060708090a0b0c0d0e0f";

TEST(PairingLine, IsReadAsItIsWritten) {
    const auto line = pairingLineIn(" tandem://node2.lan:7443/" + kPrint + "/" + kSecret + "\n");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->peer, (DirectPeer{"node2.lan:7443", kPrint}));
    EXPECT_EQ(line->secret[15], 15);
    EXPECT_EQ(toString(*line), "tandem://node2.lan:7443/" + kPrint + "/" + kSecret);
}

TEST(PairingLine, TakesNumbersOfBothKinds) {
    EXPECT_TRUE(pairingLineIn("tandem://10.0.0.2:7443/" + kPrint + "/" + kSecret));
    const auto six = pairingLineIn("tandem://[fd77::2]:7443/" + kPrint + "/" + kSecret);
    ASSERT_TRUE(six);
    EXPECT_EQ(hostOfAddress(six->peer.address), "fd77::2");
}

TEST(PairingLine, RefusesWhatIsNone) {
    for (const std::string& text : std::vector<std::string>{
             "", "tandem://", "node2:7443/" + kPrint + "/" + kSecret, "tandem://node2/" + kPrint + "/" + kSecret,
             "tandem://node2:0/" + kPrint + "/" + kSecret, "tandem://node2:70000/" + kPrint + "/" + kSecret,
             "tandem://no de:7443/" + kPrint + "/" + kSecret, "tandem://node2:7443/" + kPrint.substr(1) + "/" + kSecret,
             "tandem://node2:7443/" + kPrint + "/" + kSecret.substr(1), "tandem://node2:7443/" + kPrint + "/" + kSecret + "0",
             "tandem://node2:7443/" + kPrint, "tandem://node2:7443/" + std::string(64, 'B') + "/" + kSecret,
             "tandem://" + std::string(600, 'a') + ":7443/" + kPrint + "/" + kSecret}) {
        EXPECT_FALSE(pairingLineIn(text)) << text;
    }
}

}  // namespace
}  // namespace agent::direct
