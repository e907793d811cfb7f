#include "agent/local/secret.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace {

using namespace agent::convert;

TEST(Secret, IsANewOneEveryTime) {
    std::set<Secret> secrets;
    for (int i = 0; i < 100; ++i) {
        secrets.insert(makeSecret());
    }
    EXPECT_EQ(secrets.size(), 100U);
    EXPECT_FALSE(secrets.contains(Secret{}));
}

TEST(Secret, IsReadBackFromItsTextAndItsBytes) {
    const Secret secret = makeSecret();
    EXPECT_EQ(toHex(secret).size(), 64U);
    EXPECT_EQ(secretFromHex(toHex(secret)), secret);
    EXPECT_EQ(secretFromBytes(bytesOf(secret)), secret);
    const std::string digits(64, 'a');
    EXPECT_TRUE(secretFromHex(digits));
    for (const std::string& bad : {std::string(), digits + "a", digits.substr(1), "A" + digits.substr(1), " " + digits.substr(1)}) {
        EXPECT_FALSE(secretFromHex(bad)) << bad;
    }
    EXPECT_FALSE(secretFromBytes(""));
    EXPECT_FALSE(secretFromBytes(std::string(33, 'x')));
}

struct Pair {
    std::string secret, given;
    bool same;
};

TEST(SameSecret, ComparesWholeSecrets) {
    const std::string zero(1, '\0');
    for (const Pair& pair : {Pair{"abcd", "abcd", true}, Pair{"abcd", "abce", false}, Pair{"abcd", "bbcd", false},
                             Pair{"abcd", "abc", false}, Pair{"abcd", "abcde", false}, Pair{"abcd", "", false}, Pair{"", "", false},
                             Pair{"", "abcd", false}, Pair{"", zero, false}, Pair{zero, zero, true}, Pair{zero, "", false},
                             Pair{"abcd", "abcdabcd", false}, Pair{"a", "aa", false}, Pair{"aa", "a", false}, Pair{"abab", "ab", false}}) {
        EXPECT_EQ(sameSecret(pair.secret, pair.given), pair.same) << '"' << pair.secret << "\" and \"" << pair.given << '"';
    }
}

// RFC 4231, test case 1: a shorter key is one with zeros behind it.
TEST(ProofOf, IsHmacSha256) {
    Secret key{};
    std::fill_n(key.begin(), 20, static_cast<unsigned char>(0x0b));
    EXPECT_EQ(toHex(proofOf(key, "Hi There")), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
}

}  // namespace
