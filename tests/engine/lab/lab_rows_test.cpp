#include "engine/lab/lab_rows.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::lab {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const std::vector<LabRow>& rows) {
    std::vector<std::string> found;
    for (const LabRow& row : rows) found.emplace_back(row.name);
    return found;
}

TEST(LabRows, AreEveryStrategyThatRunsHere) {
    EXPECT_EQ(labRows().front().kind, spec::StrategyKind::kDefault);
    std::set<std::string> labels;
    for (const LabRow& row : labRows()) labels.insert(labelOf(row));
    EXPECT_EQ(labels.size(), labRows().size()) << "each has its own";
    for (const spec::StrategyRow& strategy : spec::strategyTable()) {
        const bool is_there = std::any_of(labRows().begin(), labRows().end(), [&](const LabRow& row) { return row.kind == strategy.kind; });
        EXPECT_EQ(is_there, strategy.runs) << strategy.name;
    }
}

TEST(LabRows, AreNamedByStrategyAndSize) {
    const std::vector<LabRow> rows = chosenRows({"Mirrored:NcclAllReduce", "MultiWorkerMirrored:3", "ParameterServer"});
    std::vector<std::string> labels;
    for (const LabRow& row : rows) labels.push_back(labelOf(row));
    EXPECT_THAT(labels, ElementsAre("DefaultStrategy", "MirroredStrategy, NcclAllReduce", "MultiWorkerMirroredStrategy, 3 workers",
                                    "ParameterServerStrategy, 1 ps, 1 worker", "ParameterServerStrategy, 1 ps, 3 workers"));
}

TEST(LabRows, AreChosenInTheirOwnOrderAndOnce) {
    EXPECT_THAT(names(chosenRows({"CentralStorage", "MirroredStrategy", "Mirrored", "Default"})),
                ElementsAre("Default", "Mirrored:NcclAllReduce", "Mirrored:HierarchicalCopyAllReduce", "Mirrored:ReductionToOneDevice",
                            "CentralStorage"));
    EXPECT_EQ(chosenRows({}).size(), labRows().size());
    try {
        chosenRows({"Mirrored", "Horovod"});
        FAIL() << "it was taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_THAT(error.what(), testing::HasSubstr("strategies: expected Default, OneDevice, "));
        EXPECT_THAT(error.what(), testing::HasSubstr("or ParameterServer:3, got \"Horovod\""));
    }
}

TEST(LabRows, WorkersOfParameterServersWaitForNobodyUnlessTheyAreAlone) {
    for (const LabRow& row : labRows()) EXPECT_EQ(isSynchronous(row), row.name != "ParameterServer:3") << row.name;
}

}  // namespace
}  // namespace engine::lab
