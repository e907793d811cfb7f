// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/evaluation.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "engine/spec/error.h"
#include "tests/support/fake_agent_client.h"
#include "ui/session/host/client_slot.h"
#include "ui/session/runs/run_files.h"

namespace ui::session {
namespace {

namespace spec = engine::spec;

constexpr int kDeadlineMs = 180'000;

TEST(EvaluationAnswers, BecomeWhatViewsShow) {
    const EvaluationResult result =
        toResult(spec::Evaluation{.accuracy = 0.75,
                                  .loss = 0.5,
                                  .samples = 4,
                                  .classification = spec::Classification{.classes = 2,
                                                                         .class_names = {"a", "b"},
                                                                         .sample_shape = {1, 2},
                                                                         .confusion = {2, 1, 0, 0},
                                                                         .mistakes = {{3, 0, 1, 0.875F, {0, 255}}}}});
    EXPECT_EQ(result.accuracy, 0.75);
    EXPECT_EQ(result.confusion, (std::vector<std::vector<std::int64_t>>{{2, 1}, {0, 0}}));
    EXPECT_TRUE(std::isnan(result.class_accuracy[1]));
    EXPECT_EQ(result.mistakes.at(0).confidence, 0.875);
    EXPECT_EQ(result.mistakes.at(0).picture, (PixelPicture{2, 1, 1, QByteArray("\0\xff", 2)}));
    const auto layerOf = [](const spec::Shape& shape, std::int64_t shown, std::vector<std::uint8_t> maps) {
        return toResult(spec::Inspection{.sample_shape = {1, 2},
                                         .pixels = {0, 255},
                                         .top = {{"b", 1, 0.875F}},
                                         .layers = {{"layer", "Conv2D", shape, 0, 1, shown, std::move(maps)}}})
            .layers.at(0);
    };
    const LayerMaps maps = layerOf({2, 1, 3}, 2, {0, 255, 7, 9});
    EXPECT_EQ(maps.height, 2);
    EXPECT_EQ(maps.width, 1);
    const LayerMaps row = layerOf({4}, 1, {0, 255, 7, 9});
    EXPECT_EQ(row.height, 1);
    EXPECT_EQ(row.width, 4);
}

class RunEvaluation : public testing::Test {
protected:
    RunEvaluation() {
        world_->engine = [](const spec::EngineQuestion& question, const agent::client::AskOptions&) -> spec::EngineAnswer {
            if (std::holds_alternative<spec::ExportQuestion>(question.asked)) return spec::WrittenFile{7};
            return spec::Evaluation{.accuracy = 0.5, .samples = 2};
        };
        slot_->put(std::make_shared<tests::FakeAgentClient>(world_));
        QDir().mkpath(folder_.filePath("checkpoints"));
        for (const char* name : {"ckpt_1.index", "ckpt_2.index"}) write(QStringLiteral("checkpoints/") + name, {});
    }
    void write(const QString& name, const QByteArray& bytes) {
        QFile file(folder_.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    QTemporaryDir folder_;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    std::shared_ptr<ClientSlot> slot_ = std::make_shared<ClientSlot>();
};

TEST_F(RunEvaluation, AsksOfTheRunsOwnProjectAndItsLatestCheckpoint) {
    spec::RunSpec run;
    run.name = "kept";
    write("run.json", QByteArray::fromStdString(toProjectJson(run)));
    Evaluation evaluation(slot_);
    QSignalSpy evaluated(&evaluation, &Evaluation::evaluated);
    const ModelOfRun model{"a", folder_.path(), {}};
    evaluation.evaluate(model);
    EXPECT_TRUE(evaluation.isEvaluating());
    ASSERT_TRUE(QTest::qWaitFor([&] { return evaluated.count() == 1; }, kDeadlineMs));
    EXPECT_EQ(evaluated[0][0].value<EvaluationResult>().model, model);
    ASSERT_EQ(world_->asked.size(), 1U);
    EXPECT_EQ(world_->asked[0].run, run);
    EXPECT_EQ(world_->asked[0].base_dir, folder_.path().toStdString());
    EXPECT_EQ(std::get<spec::EvaluateQuestion>(world_->asked[0].asked).checkpoint, folder_.filePath("checkpoints/ckpt_2").toStdString());
}

TEST_F(RunEvaluation, SaysWhyARunCanNotBeAsked) {
    Evaluation evaluation(slot_);
    QSignalSpy failed(&evaluation, &Evaluation::evaluationFailed);
    evaluation.evaluate({"a", folder_.path(), {}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 1; }, kDeadlineMs));
    EXPECT_TRUE(failed[0][0].value<ErrorInfo>().detail.contains("run.json")) << failed[0][0].value<ErrorInfo>().detail.toStdString();
    write("run.json", "{\"tandem\": ");
    evaluation.evaluate({"a", folder_.path(), {}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 2; }, kDeadlineMs));
    EXPECT_EQ(failed[1][0].value<ErrorInfo>().code, static_cast<int>(engine::ErrorCode::kFailedPrecondition));
    EXPECT_FALSE(evaluation.isEvaluating());
    EXPECT_TRUE(world_->asked.empty());
}

TEST_F(RunEvaluation, ADrawingLiesInTheFolderThatItIsGiven) {
    write("run.json", QByteArray::fromStdString(spec::toProjectJson({})));
    const QTemporaryDir scratch;
    world_->engine = [](const spec::EngineQuestion&, const agent::client::AskOptions&) -> spec::EngineAnswer { return spec::Inspection{}; };
    const PixelPicture drawing{.width = 2, .height = 2, .channels = 1, .pixels = QByteArray(4, 'x')};
    {
        Evaluation evaluation(slot_, scratch.path());
        const QSignalSpy inspected(&evaluation, &Evaluation::inspected);
        evaluation.inspectDrawing({"a", folder_.path(), {}}, drawing);
        EXPECT_TRUE(QFileInfo::exists(scratch.filePath("drawing.npy")));
        ASSERT_TRUE(QTest::qWaitFor([&] { return inspected.count() == 1; }, kDeadlineMs));
        ASSERT_EQ(world_->asked.size(), 1U);
        EXPECT_EQ(std::get<spec::InspectQuestion>(world_->asked[0].asked).data, scratch.filePath("drawing.npy").toStdString());
    }
    EXPECT_TRUE(QDir(scratch.path()).exists()) << "the folder is not its own";
}

TEST_F(RunEvaluation, WritesARunsModelForKeras) {
    write("run.json", QByteArray::fromStdString(spec::toProjectJson({})));
    std::atomic<bool> cancelled = false;
    const ModelFileOrder order{slot_, folder_.path(), "checkpoints/ckpt_1", folder_.filePath("out/model.keras")};
    EXPECT_EQ(writeModelFile(order, cancelled), "");
    ASSERT_EQ(world_->asked.size(), 1U);
    EXPECT_EQ(std::get<spec::ExportQuestion>(world_->asked[0].asked),
              (spec::ExportQuestion{.checkpoint = folder_.filePath("checkpoints/ckpt_1").toStdString(),
                                    .out = folder_.filePath("out/model.keras").toStdString()}));
    EXPECT_TRUE(QDir(folder_.filePath("out")).exists());
    world_->engine = {};
    EXPECT_TRUE(writeModelFile(order, cancelled).contains("expected")) << "the engine's reason";
}

}  // namespace
}  // namespace ui::session
