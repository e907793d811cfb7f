// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>

#include "ui/models/checkpoint_model.h"
#include "ui/models/log_model.h"
#include "ui/models/task_list_model.h"

namespace ui::models {
namespace {

using engine::spec::LogLevel;
using engine::spec::TaskId;
using engine::spec::TaskState;
using Mode = QAbstractItemModelTester::FailureReportingMode;

// A model as text, one line a row.
std::string printed(const QAbstractItemModel& model, std::initializer_list<int> roles) {
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList fields;
        for (const int role : roles) fields << model.index(row, 0).data(role).toString();
        lines << fields.join(QLatin1String(" | "));
    }
    return lines.join(QLatin1Char('\n')).toStdString();
}

std::vector<TaskRow> twoWorkers() {
    std::vector<TaskRow> rows(2);
    rows[1].task.index = 1;
    return rows;
}

LogRow logLine(double seconds, int worker, LogLevel level, const char* text) {
    LogRow row;
    row.seconds = seconds;
    row.task.index = worker;
    row.level = level;
    row.text = QString::fromUtf8(text);
    return row;
}

class ItemModels : public testing::Test {
protected:
    void SetUp() override { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
};

TEST_F(ItemModels, TasksPrintAsRows) {
    TaskListModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    std::vector<TaskRow> rows = twoWorkers();
    rows[0].address = "localhost:12345";
    rows[0].state = TaskState::kTraining;
    rows[0].images_per_s = 4812.4;
    rows[0].cpu_cores = 3.72;
    rows[0].cores = 4;
    rows[1].address = "localhost:23456";
    model.setRows(rows);
    EXPECT_EQ(printed(model, {TaskListModel::kNameRole, TaskListModel::kAddressRole, TaskListModel::kStateWordRole,
                              TaskListModel::kRateTextRole, TaskListModel::kCpuTextRole}),
              "worker 0 | localhost:12345 | Training | 4,812 img/s | 3.72 of 4 cores\n"
              "worker 1 | localhost:23456 | Not started | \u2014 | \u2014");
    EXPECT_DOUBLE_EQ(model.index(0).data(TaskListModel::kCpuShareRole).toDouble(), 0.93);
}

TEST_F(ItemModels, TasksAnnounceOnlyTheRowThatChanged) {
    TaskListModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    std::vector<TaskRow> rows = twoWorkers();
    model.setRows(rows);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    rows[1].state = TaskState::kReady;
    model.setRows(rows);
    ASSERT_EQ(changed.count(), 1);
    EXPECT_EQ(changed[0][0].value<QModelIndex>().row(), 1);
    EXPECT_EQ(reset.count(), 0);
    rows.pop_back();
    model.setRows(rows);
    EXPECT_EQ(reset.count(), 1);
    EXPECT_EQ(model.rowOf(TaskId{"worker", 1}), -1);
}

TEST_F(ItemModels, LogsAreFilteredByTaskLevelAndText) {
    LogModel model;
    LogFilterModel filter;
    filter.setSourceModel(&model);
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    QAbstractItemModelTester filter_tester(&filter, Mode::Fatal);
    model.append({logLine(0.004, 0, LogLevel::kInfo, "starting worker 0"),
                  logLine(5.0, 0, LogLevel::kWarning, "worker 1 has not answered for 5 s"),
                  logLine(5.1, 1, LogLevel::kDebug, "Epoch 1/12")});
    const auto rows = [&] { return printed(filter, {LogModel::kTimeTextRole, LogModel::kLevelWordRole, LogModel::kTextRole}); };
    filter.setLeastLevel(LogLevel::kInfo);
    EXPECT_EQ(rows(), "00:00.004 | info | starting worker 0\n00:05.000 | warn | worker 1 has not answered for 5 s");
    filter.setText("ANSWERED");
    EXPECT_EQ(rows(), "00:05.000 | warn | worker 1 has not answered for 5 s");
    filter.setText("");
    filter.setLeastLevel(LogLevel::kDebug);
    filter.setTask(TaskId{"worker", 1});
    EXPECT_EQ(rows(), "00:05.100 | debug | Epoch 1/12");
    model.append({logLine(6.0, 1, LogLevel::kInfo, "step 100")});
    EXPECT_EQ(filter.rowCount(), 2);
    EXPECT_EQ(filter.toText().toStdString(), "00:05.100 worker 1 debug Epoch 1/12\n00:06.000 worker 1 info step 100");
}

TEST_F(ItemModels, LogsKeepTheNewestLinesAndCountTheRest) {
    LogModel model(3);
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    const auto line = [](const char* text) { return logLine(0, 0, LogLevel::kInfo, text); };
    model.append({line("a"), line("b")});
    model.append({line("c"), line("d")});
    EXPECT_EQ(printed(model, {LogModel::kTextRole}), "b\nc\nd");
    model.append({line("1"), line("2"), line("3"), line("4"), line("5")});
    EXPECT_EQ(printed(model, {LogModel::kTextRole}), "3\n4\n5");
    EXPECT_EQ(model.dropped(), 6);
}

TEST_F(ItemModels, CheckpointsComeNewestFirst) {
    CheckpointModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    std::vector<CheckpointRow> rows{{.prefix = "checkpoints/ckpt_1", .epoch = 0, .step = 469, .bytes = 1 << 20, .value = 0.9788}};
    model.setRows(rows);
    rows.push_back({.prefix = "checkpoints/ckpt_2", .epoch = 1, .step = 938, .bytes = 1 << 20, .value = 0.9881, .best = true});
    model.setRows(rows);
    EXPECT_EQ(inserted.count(), 2);
    EXPECT_EQ(printed(model, {CheckpointModel::kNameRole, CheckpointModel::kValueTextRole, Qt::ToolTipRole}),
              "ckpt_2 · best | 0.9881 | ckpt_2: epoch 2, step 938, 1.00 MB\n"
              "ckpt_1 | 0.9788 | ckpt_1: epoch 1, step 469, 1.00 MB");
}

}  // namespace
}  // namespace ui::models
