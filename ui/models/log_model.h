// SPDX-License-Identifier: GPL-3.0-or-later
// The log lines of all tasks in the order of arrival, and the filter in front of them.
#pragma once

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QString>
#include <deque>
#include <optional>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace ui::models {

struct LogRow {
    double seconds = 0;  // since launch
    engine::spec::TaskId task{};
    bool from_agent = false;  // told by the agent about the task
    engine::spec::LogLevel level = engine::spec::LogLevel::kInfo;
    QString text{};
    friend bool operator==(const LogRow&, const LogRow&) = default;
};

// Keeps the newest `capacity` lines; what fell out is counted. Owned by a view; GUI thread only.
class LogModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { kTimeTextRole = Qt::UserRole + 1, kTaskTypeRole, kTaskIndexRole, kFromAgentRole, kLevelRole, kLevelWordRole, kTextRole };

    explicit LogModel(std::size_t capacity = 100'000, QObject* parent = nullptr) : QAbstractListModel(parent), capacity_(capacity) {}

    void append(std::vector<LogRow> rows);
    void clear();
    const LogRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    std::int64_t dropped() const { return dropped_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    static QString levelWord(engine::spec::LogLevel level);  // "info", "warn": as they stand in log files, not translated

private:
    const std::size_t capacity_;
    std::deque<LogRow> rows_;
    std::int64_t dropped_ = 0;
};

// Lets by the lines of one task or all, from a least level on, that have a text (case-insensitive, anywhere in the line).
class LogFilterModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit LogFilterModel(QObject* parent = nullptr) : QSortFilterProxyModel(parent) {}

    void setTask(std::optional<engine::spec::TaskId> task);
    void setLeastLevel(engine::spec::LogLevel level);
    void setText(const QString& text);
    // Returns the shown lines for the clipboard: "00:42.810 worker 0 info …".
    QString toText() const;

protected:
    bool filterAcceptsRow(int source_row, const QModelIndex& source_parent) const override;

private:
    std::optional<engine::spec::TaskId> task_;
    engine::spec::LogLevel least_ = engine::spec::LogLevel::kDebug;
    QString text_;
};

}  // namespace ui::models
