#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/local/run_folder.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PartNotes : public ::testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const { std::ofstream(dir_.path() / name) << text; }
    tests::support::TempDir dir_;
};

TEST_F(PartNotes, AreReadAsTheyWereWritten) {
    const PartNote note{"node2", "/home/ann/\xEC\x8B\xA4\xED\x96\x89"};
    writePartNote(dir_.path(), "part.worker-0.json", {"before", "/"});
    writePartNote(dir_.path(), "part.worker-0.json", note);
    EXPECT_EQ(readPartNote(dir_.path(), "part.worker-0.json"), note);
    EXPECT_EQ(readPartNote(dir_.path(), "part.worker-1.json"), std::nullopt);
}

TEST_F(PartNotes, NameEachHostOnce) {
    writePartNote(dir_.path(), "part.worker-1.json", {"node3", "/a"});
    writePartNote(dir_.path(), "part.ps-0.json", {"node2", "/b"});
    writePartNote(dir_.path(), "part.worker-0.json", {"node2", "/c"});
    EXPECT_THAT(hostsOfParts(dir_.path()), ElementsAre("node2", "node3"));
    EXPECT_THAT(hostsOfParts(dir_.path() / "none"), IsEmpty());
}

TEST_F(PartNotes, ThatAreDamagedCountAsNone) {
    write("part.a.json", "");
    write("part.b.json", "[1");
    write("part.c.json", "{\"host\": 3, \"folder\": \"/\"}");
    write("part.d.json", "{\"host\": \"node2\"}");
    EXPECT_THAT(hostsOfParts(dir_.path()), IsEmpty());
}

TEST_F(PartNotes, ThatCannotBeWrittenNameTheirFolder) {
    EXPECT_THROW(writePartNote(dir_.path() / "none", "part.worker-0.json", {}), engine::Error);
}

}  // namespace
}  // namespace agent::convert
