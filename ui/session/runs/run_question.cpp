// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_question.h"

#include <utility>

#include "agent/client/run_checkpoints.h"
#include "engine/spec/error.h"
#include "ui/session/project/whole_file.h"

namespace ui::session {

using engine::Error;
using engine::ErrorCode;
using engine::spec::Diagnostic;
using engine::spec::Severity;

RunQuestion questionOfRun(const QString& run_dir, const QString& checkpoint) {
    const QString file = run_dir + QStringLiteral("/run.json");
    QString problem;
    const QByteArray text = readWholeFile(file, problem);
    if (!problem.isEmpty()) throw Error(ErrorCode::kNotFound, file.toStdString() + ": " + problem.toStdString());
    engine::spec::ProjectReport report = engine::spec::parseProject(text.toStdString());
    for (const Diagnostic& one : report.diagnostics) {
        if (one.severity != Severity::kError) continue;
        throw Error(ErrorCode::kInvalidArgument, file.toStdString() + ": " + (one.path.empty() ? "" : one.path + ": ") + one.message);
    }
    RunQuestion asked{.question = {.run = std::move(report.run), .base_dir = run_dir.toStdString(), .asked = {}}, .checkpoint = {}};
    QString below = checkpoint;
    if (below.isEmpty()) {
        const auto known = agent::client::checkpointsOf(run_dir.toStdString());
        below = known.empty() ? QStringLiteral("checkpoints") : QString::fromStdString(known.back().file);
    }
    asked.checkpoint = (run_dir + QLatin1Char('/') + below).toStdString();
    return asked;
}

}  // namespace ui::session
