#include "agent/history/annotation_store.h"

#include <fstream>

#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

using agent::history::AnnotationStore;
using agent::history::RunAnnotation;

class AnnotationStoreTest : public ::testing::Test {
protected:
    std::filesystem::path file() const { return dir_.path() / agent::history::kAnnotationFile; }
    tests::support::TempDir dir_;
};

TEST_F(AnnotationStoreTest, KeepsWhatWasPut) {
    const RunAnnotation one{.run_id = "a",
                            .color = 3,
                            .dash = 1,
                            .name = "wide",
                            .notes = "two\nlines",
                            .tags = {"paper", "best, so far"},
                            .pinned = true,
                            .archived = false};
    const RunAnnotation other{.run_id = "b", .color = 7, .archived = true};
    {
        AnnotationStore store(file());
        store.put({other, one});
    }
    EXPECT_EQ(AnnotationStore(file()).list(), (std::vector{one, other}));
}

TEST_F(AnnotationStoreTest, ReplacesTheRowOfARun) {
    AnnotationStore store(file());
    store.put({{.run_id = "a", .color = 1, .name = "first"}});
    store.put({{.run_id = "a", .color = 1, .name = "second"}});
    ASSERT_EQ(store.list().size(), 1u);
    EXPECT_EQ(store.list().front().name, "second");
}

TEST_F(AnnotationStoreTest, TwoStudiosShareTheFile) {
    AnnotationStore here(file()), there(file());
    here.put({{.run_id = "a", .color = 1}});
    there.put({{.run_id = "b", .color = 2}});
    EXPECT_EQ(here.list(), there.list());
    EXPECT_EQ(here.list().size(), 2u);
}

TEST_F(AnnotationStoreTest, NamesAFileThatIsNoDatabase) {
    std::ofstream(file()) << "not a database, but long enough that SQLite looks at its header, which is sixteen bytes";
    try {
        const AnnotationStore store(file());
        FAIL() << "expected an error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kDataLoss);
        EXPECT_NE(std::string(error.what()).find(agent::history::kAnnotationFile), std::string::npos) << error.what();
    }
}

}  // namespace
