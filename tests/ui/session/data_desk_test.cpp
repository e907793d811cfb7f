// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data/data_desk.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <csignal>

#include "engine/spec/project/run_spec.h"
#include "ui/session/data/data_answers.h"
#include "ui/session/data/dataset_reader.h"
#include "ui/session/worker_lines.h"

namespace ui::session {
namespace {

constexpr int kDeadlineMs = 60'000;

TEST(DataAnswers, ReadALineOfEachKind) {
    DataState state;
    EXPECT_TRUE(readDataLine(R"({"progress": {"stage": "read", "name": "mnist", "done": 12000, "total": 60000}})", state));
    EXPECT_EQ(state.phase, DataPhase::kReading);
    EXPECT_EQ(state.done, 12000);
    EXPECT_TRUE(readDataLine(R"({"data": {"dataset": "tiny", "train_samples": 3, "test_samples": 1, "sample_shape": [1, 2],
        "sample_dtype": "uint8", "smallest": 0, "largest": 9, "bytes": 77, "checksum": true, "bad": {"count": 2, "first": ["a.jpg: is empty"]},
        "columns": [{"name": "y", "type": "category", "label": true, "categories": 4}], "has_classes": true, "groups_left_out": 5,
        "groups": [{"name": "cat", "train": 3, "test": 1, "samples": [
            {"index": 7, "rows": 1, "columns": 2, "channels": 1, "pixels": "CQo="}, {"index": 8, "text": "1, 2"},
            {"index": 9, "rows": 4, "columns": 4, "channels": 1, "pixels": "CQo="}]}]}})",
                             state));
    EXPECT_EQ(state.phase, DataPhase::kReady);
    const DataSummary& summary = state.summary;
    EXPECT_EQ(summary.train_samples, 3);
    EXPECT_TRUE(summary.checksum_fits);
    EXPECT_EQ(summary.bad, 2);
    EXPECT_EQ(summary.columns.at(0).categories, 4);
    EXPECT_EQ(summary.groups.at(0).samples.at(0).image.pixelColor(1, 0).red(), 10);
    EXPECT_EQ(summary.groups.at(0).samples.at(1).text, "1, 2");
    EXPECT_TRUE(summary.groups.at(0).samples.at(2).image.isNull()) << "fewer bytes than its size says";
    EXPECT_TRUE(readDataLine(R"({"error": {"code": "not found", "message": "kmnist: none", "can_fetch": true}})", state));
    EXPECT_EQ(state.phase, DataPhase::kFailed);
    EXPECT_TRUE(state.can_fetch);
    for (const char* other : {"", "[]", "warning: something", "{\"data\"", "{\"else\": 1}"})
        EXPECT_FALSE(readDataLine(other, state)) << other;
}

TEST(DataAnswers, ReadAPreviewOfShards) {
    const auto shards = readShards(R"({"policy": "DATA", "reason": "because", "tasks": ["worker 0", "worker 1"], "advice": ["a"],
        "training_samples": 10, "global_batch_size": 4, "steps_per_epoch": 3, "steps": [{"step": 1, "epoch": 0, "samples": [[0, 2], [1, 3]]}]})");
    ASSERT_TRUE(shards.has_value());
    EXPECT_EQ(shards->tasks.size(), 2);
    EXPECT_EQ(shards->steps.at(0).samples.at(1), (std::vector<std::uint32_t>{1, 3}));
    EXPECT_TRUE(shards->steps.at(0).parts.empty());
    const auto devices = readShards(R"({"steps": [{"step": 1, "epoch": 0, "samples": [[0, 2, 4], [1, 3]], "parts": [[2, 1], [1, 1]]}]})");
    ASSERT_TRUE(devices.has_value());
    EXPECT_EQ(devices->steps.at(0).parts.at(0), (std::vector<std::uint32_t>{2, 1}));
    EXPECT_FALSE(readShards("{}").has_value());
    EXPECT_FALSE(readShards("step 1 epoch 0").has_value());
}

class Worker : public testing::Test {
protected:
    // A program in the worker's place.
    QString script(const QString& text) {
        const QString path = folder_.filePath("worker.sh");
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + text.toUtf8());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path;
    }
    // For a script: says that it has come so far and becomes a process that writes no more.
    QString hang() const { return QStringLiteral("echo $$ > %1.new; mv %1.new %1; exec sleep 30\n").arg(hanging()); }
    QString hanging() const { return folder_.filePath("hanging"); }
    bool hangs() const {
        return QTest::qWaitFor([this] { return QFile::exists(hanging()); }, kDeadlineMs);
    }
    // What a process that is gone has not said by now, it never says.
    bool hangsNoMore() const {
        QFile file(hanging());
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        const pid_t pid = file.readAll().trimmed().toInt();
        const bool gone = QTest::qWaitFor([pid] { return ::kill(pid, 0) != 0; }, kDeadlineMs);
        QCoreApplication::processEvents();
        return gone;
    }
    QTemporaryDir folder_;
};

TEST_F(Worker, IsHeardLineByLineAndFindsTheProject) {
    WorkerLines call;
    QSignalSpy lines(&call, &WorkerLines::lineArrived), ended(&call, &WorkerLines::ended);
    engine::spec::RunSpec run;
    run.name = "asked";
    call.start({.program = script("grep -c asked \"$2\"\nprintf 'second'\nprintf ' line\\nrest'"),
                .arguments = {"data", "@project"},
                .run = &run});
    ASSERT_TRUE(QTest::qWaitFor([&] { return ended.count() == 1; }, kDeadlineMs));
    ASSERT_EQ(lines.count(), 2);
    EXPECT_EQ(lines[0][0].toByteArray(), "1");
    EXPECT_EQ(lines[1][0].toByteArray(), "second line");
    EXPECT_EQ(ended[0][0].value<ErrorInfo>().code, 0);
}

TEST_F(Worker, SaysWhyItDidNotAnswer) {
    WorkerLines call;
    QSignalSpy ended(&call, &WorkerLines::ended);
    const auto problemOf = [&](const QString& program, int deadline_ms) {
        ended.clear();
        call.start({.program = program, .arguments = {}, .run = nullptr, .deadline_ms = deadline_ms});
        EXPECT_TRUE(QTest::qWaitFor([&] { return ended.count() == 1; }, kDeadlineMs));
        return ended.value(0).value(0).value<ErrorInfo>().detail.toStdString();
    };
    EXPECT_NE(problemOf(folder_.filePath("nowhere"), kDeadlineMs).find("nowhere: expected a program that starts"), std::string::npos);
    EXPECT_EQ(problemOf(script("echo 'error: one' >&2; echo 'error: two' >&2; exit 1"), kDeadlineMs), "two");
    EXPECT_NE(problemOf(script("kill -9 $$"), kDeadlineMs).find("ended by a signal"), std::string::npos);
    EXPECT_NE(problemOf(script("sleep 30"), 300).find("expected an answer within"), std::string::npos);
    EXPECT_FALSE(call.isRunning());
}

TEST_F(Worker, ThatIsCancelledIsNotHeardAgain) {
    DataInspection inspection(
        script("echo '{\"progress\": {\"stage\": \"read\", \"name\": \"x\", \"done\": 1, \"total\": 2}}'\n" + hang()));
    inspection.start({}, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspection.state().total == 2; }, kDeadlineMs));
    ASSERT_TRUE(hangs());
    inspection.cancel();
    EXPECT_EQ(inspection.state().phase, DataPhase::kIdle);
    ASSERT_TRUE(hangsNoMore());
    EXPECT_EQ(inspection.state().phase, DataPhase::kIdle);
}

// Asking returns at once, whatever the worker does; an earlier question is not heard any more.
TEST_F(Worker, IsAskedForTheFactsOfASetWithoutWaiting) {
    DatasetReader reader(script("if grep -q '\"dataset\": \"slow\"' \"$2\"; then\n" + hang() +
                                "fi\n"
                                "echo '{\"data\": {\"dataset\": \"x\", \"train_samples\": 7, \"train_files\": [3, 4]}}'"),
                         {});
    std::vector<DatasetFacts> answers;
    QObject::connect(&reader, &DatasetReader::answered, &reader, [&](const DatasetFacts& facts) { answers.push_back(facts); });
    engine::spec::DataSpec data;
    data.dataset = "slow";
    const auto begin = std::chrono::steady_clock::now();
    reader.ask(data, {});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    ASSERT_TRUE(hangs());
    data.dataset = "fast";
    const auto again = std::chrono::steady_clock::now();
    reader.ask(data, {});
    EXPECT_LT(std::chrono::steady_clock::now() - again, std::chrono::seconds(5));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !answers.empty(); }, kDeadlineMs));
    EXPECT_TRUE(answers[0].found);
    EXPECT_EQ(answers[0].train_samples, 7);
    EXPECT_EQ(answers[0].train_files, (std::vector<std::int64_t>{3, 4}));
    ASSERT_TRUE(hangsNoMore());
    EXPECT_EQ(answers.size(), 1U);
}

TEST_F(Worker, WithoutAnAnswerIsAFailureWithItsReason) {
    DataInspection inspection(script("echo 'error: data.csv: expected a table' >&2; exit 2"));
    inspection.start({}, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspection.state().phase == DataPhase::kFailed; }, kDeadlineMs));
    EXPECT_EQ(inspection.state().problem, "data.csv: expected a table");
}

TEST(SourceOf, LeavesOutWhatHappensAfterReading) {
    engine::spec::DataSpec data;
    data.dataset = "csv";
    data.csv.label = "y";
    const engine::spec::DataSpec source = sourceOf(data);
    data.batch_size_per_replica = 7;
    data.shuffle = 0;
    data.take = 3;
    data.on_error = engine::spec::BadRecord::kSkip;
    std::swap(data.order.front(), data.order.back());
    EXPECT_EQ(sourceOf(data), source);
    data.csv.label = "x";
    EXPECT_NE(sourceOf(data), source);
}

}  // namespace
}  // namespace ui::session
