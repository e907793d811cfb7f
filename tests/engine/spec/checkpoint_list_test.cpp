#include "engine/spec/events/checkpoint_list.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::spec {
namespace {

std::string listOf(const std::vector<EventBody>& events) {
    std::string text;
    for (const EventBody& event : events) {
        if (const auto line = checkpointListLine(event)) {
            text += *line + "\n";
        }
    }
    return text;
}

RunStarted resumedAt(std::int64_t step) {
    RunStarted started;
    started.resumed_step = step;
    return started;
}

EpochEnd epoch(std::int32_t number, double val_accuracy, double val_loss) {
    return {number, (number + 1) * 10, 1, {{"loss", 0.5}, {"val_loss", val_loss}, {"val_accuracy", val_accuracy}}};
}

std::vector<std::string> filesOf(const std::vector<ListedCheckpoint>& checkpoints) {
    std::vector<std::string> files;
    for (const ListedCheckpoint& one : checkpoints) files.push_back(one.file);
    return files;
}

std::string found(const std::vector<ListedCheckpoint>& checkpoints, std::string_view word) {
    const ListedCheckpoint* one = findCheckpoint(checkpoints, word);
    return one == nullptr ? "none" : one->file;
}

TEST(CheckpointList, FindsByEpochByNameTheLatestAndTheBest) {
    const auto list =
        parseCheckpointList(listOf({resumedAt(0), CheckpointSaved{"training_checkpoints/ckpt_01", 0, 10, 1, 1, false}, epoch(0, 0.9, 0.3),
                                    CheckpointSaved{"training_checkpoints/ckpt_02", 1, 20, 1, 1, false}, epoch(1, 0.97, 0.2),
                                    CheckpointSaved{"models/m.weights.h5", 1, 20, 1, 1, false},
                                    CheckpointSaved{"training_checkpoints/ckpt_03", 2, 30, 1, 1, false}, epoch(2, 0.95, 0.1)}));
    ASSERT_EQ(list.size(), 4U);
    EXPECT_EQ(found(list, ""), "training_checkpoints/ckpt_03");
    EXPECT_EQ(found(list, "latest"), "training_checkpoints/ckpt_03");
    EXPECT_EQ(found(list, "best"), "training_checkpoints/ckpt_02") << "by val_accuracy, which goes before val_loss";
    EXPECT_EQ(found(list, "1"), "training_checkpoints/ckpt_01");
    EXPECT_EQ(found(list, "3"), "training_checkpoints/ckpt_03");
    EXPECT_EQ(found(list, "ckpt_02"), "training_checkpoints/ckpt_02");
    EXPECT_EQ(found(list, "training_checkpoints/ckpt_02"), "training_checkpoints/ckpt_02");
    EXPECT_EQ(found(list, "m"), "models/m.weights.h5");
    EXPECT_EQ(found(list, "m.weights.h5"), "models/m.weights.h5");
    for (const char* none : {"4", "ckpt_04", "ckpt", "best_of_all"}) EXPECT_EQ(found(list, none), "none") << none;
    EXPECT_EQ(checkpointNames(list), "ckpt_01, ckpt_02, m.weights.h5, ckpt_03");
}

TEST(CheckpointList, TakesTheCallbacksWordForTheBest) {
    const auto list = parseCheckpointList(
        listOf({CheckpointSaved{"best.keras", 0, 10, 1, 1, true}, epoch(0, 0.9, 0.1), CheckpointSaved{"ckpt_2", 1, 20, 1, 1, false},
                epoch(1, 0.99, 0.01), CheckpointSaved{"step_25", 2, 25, 1, 1, false}}));
    EXPECT_EQ(found(list, "best"), "best.keras") << "a file of that name";
    EXPECT_TRUE(list[0].best);
    EXPECT_FALSE(list[1].best);
    EXPECT_EQ(found(list, "latest"), "step_25");
}

TEST(CheckpointList, HoldsAFileThatIsWrittenAgainOnce) {
    const auto list = parseCheckpointList(listOf({CheckpointSaved{"best", 0, 10, 1, 1, true}, CheckpointSaved{"ckpt_1", 0, 10, 1, 1, false},
                                                  CheckpointSaved{"best", 1, 20, 1, 1, true}}));
    EXPECT_THAT(filesOf(list), testing::ElementsAre("ckpt_1", "best"));
    EXPECT_EQ(list[1], (ListedCheckpoint{"best", 2, 20, true}));
}

RunStarted started(std::int64_t resumed_step, std::int64_t steps_per_epoch, std::int64_t global_batch_size) {
    RunStarted event = resumedAt(resumed_step);
    event.steps_per_epoch = steps_per_epoch;
    event.global_batch_size = global_batch_size;
    return event;
}

CheckpointSaved saved(const std::string& name, std::int32_t epoch, std::int64_t step) {
    return {name, epoch, step, 1, 1, false};
}

std::optional<CheckpointPlace> placeIn(const std::vector<EventBody>& events, std::string_view name) {
    const auto list = parseCheckpointList(listOf(events));
    const ListedCheckpoint* one = findCheckpoint(list, name);
    return one == nullptr ? std::nullopt : one->place;
}

TEST(CheckpointList, TellsHowFarTheRunWas) {
    const std::vector<EventBody> run{started(0, 10, 32),
                                     saved("middle", 0, 4),
                                     saved("end", 0, 10),
                                     epoch(0, 0.5, 1),
                                     EpochEnd{1, 13, 0, {{"val_loss", 0.5}}},  // measured in between
                                     saved("later", 1, 17),
                                     saved("stopped", 1, 20)};
    EXPECT_EQ(placeIn(run, "middle"), (CheckpointPlace{0, 4, 10, 32}));
    EXPECT_EQ(placeIn(run, "end"), (CheckpointPlace{1, 0, 10, 32}));
    EXPECT_EQ(placeIn(run, "later"), (CheckpointPlace{1, 7, 10, 32}));
    EXPECT_EQ(placeIn(run, "stopped"), (CheckpointPlace{2, 0, 10, 32})) << "before its epoch was reported";
    // A run that ended early names the epoch that would have come.
    EXPECT_EQ(placeIn({started(0, 10, 32), epoch(0, 0.5, 1), saved("ckpt_9", 1, 10)}, "ckpt_9"), (CheckpointPlace{1, 0, 10, 32}));
    // One that began with its third epoch.
    EXPECT_EQ(placeIn({started(0, 10, 32), saved("one", 2, 4)}, "one"), (CheckpointPlace{2, 4, 10, 32}));
    EXPECT_EQ(placeIn({resumedAt(0), saved("old", 0, 4)}, "old"), std::nullopt) << "a list of before";
}

TEST(CheckpointList, TellsHowFarABranchWasWhoseEpochsHaveAnotherLength) {
    // Behind 23 steps of 10 an epoch; its own have 5, and it begins behind one of them.
    const std::vector<EventBody> branch{started(23, 5, 64), saved("first", 2, 25), EpochEnd{2, 27, 1, {{"loss", 0.5}}},
                                        saved("second", 3, 30)};
    EXPECT_EQ(placeIn(branch, "first"), (CheckpointPlace{2, 3, 5, 64}));
    EXPECT_EQ(placeIn(branch, "second"), (CheckpointPlace{3, 3, 5, 64}));
    // As long as before, and no end to count from.
    EXPECT_EQ(placeIn({started(23, 10, 32), saved("first", 2, 25)}, "first"), (CheckpointPlace{2, 5, 10, 32}));
}

TEST(CheckpointList, ForgetsWhatALaterStartDidAgain) {
    const auto list = parseCheckpointList(listOf({resumedAt(0), CheckpointSaved{"ckpt_1", 0, 10, 1, 1, false}, epoch(0, 0.5, 1),
                                                  CheckpointSaved{"ckpt_2", 1, 20, 1, 1, false}, epoch(1, 0.9, 1), resumedAt(10),
                                                  CheckpointSaved{"ckpt_2", 1, 20, 1, 1, false}, epoch(1, 0.4, 1)}));
    EXPECT_THAT(filesOf(list), testing::ElementsAre("ckpt_1", "ckpt_2"));
    EXPECT_EQ(found(list, "best"), "ckpt_1") << "the second epoch went another way";
}

TEST(CheckpointList, KnowsNoBestWhereNothingWasMeasured) {
    EpochEnd nan = epoch(0, std::nan(""), std::nan(""));
    const auto list = parseCheckpointList(listOf({CheckpointSaved{"ckpt_1", 0, 10, 1, 1, false}, nan}));
    EXPECT_EQ(found(list, "best"), "none");
    EXPECT_EQ(found({}, "latest"), "none");
}

TEST(CheckpointList, LeavesOutWhatCannotBeRead) {
    const auto list = parseCheckpointList(
        "{\"checkpoint\": \"ckpt_1\", \"epoch\": 1, \"step\": 10, \"best\": false}\n\n[1]\n\"text\"\n{\"checkpoint\": 7}\n"
        "{\"checkpoint\": \"/etc/passwd\", \"epoch\": 1, \"step\": 1, \"best\": false}\n"
        "{\"checkpoint\": \"a/../../b\", \"epoch\": 1, \"step\": 1, \"best\": false}\n"
        "{\"epoch\": \"one\", \"step\": 1, \"logs\": {}}\n{\"resumed_step\": null}\n\xff\xfe\n"
        "{\"checkpoint\": \"ckpt_2\", \"epoch\": 2, \"step\": 20, \"best\": fal");
    EXPECT_THAT(filesOf(list), testing::ElementsAre("ckpt_1"));
    EXPECT_TRUE(parseCheckpointList("").empty());
}

TEST(CheckpointList, NamesAFewOfMany) {
    std::vector<ListedCheckpoint> many;
    for (int i = 1; i <= 20; ++i) many.push_back({"checkpoints/ckpt_" + std::to_string(i), i, i * 10, false});
    EXPECT_EQ(checkpointNames(many), "ckpt_1, ckpt_2, ckpt_3, ckpt_4, ckpt_5, ckpt_6, ckpt_7 and 13 more");
}

}  // namespace
}  // namespace engine::spec
