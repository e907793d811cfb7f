// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/worker_call.h"

#include <utility>

namespace ui::session {

WorkerCall::WorkerCall(QString program, QObject* parent) : QObject(parent), program_(std::move(program)) {
    connect(&lines_, &WorkerLines::lineArrived, this, [this](const QByteArray& line) { output_ += line + '\n'; });
    connect(&lines_, &WorkerLines::ended, this,
            [this](const ErrorInfo& error) { error.code == 0 ? emit answered(std::exchange(output_, {})) : emit failed(error); });
}

void WorkerCall::start(const QStringList& arguments, int deadline_ms) {
    output_.clear();
    lines_.start({.program = program_, .arguments = arguments, .run = nullptr, .deadline_ms = deadline_ms});
}

}  // namespace ui::session
