// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/event_line.h"

#include <QStringList>

namespace ui::session {
namespace {

using namespace engine::spec;

constexpr double kBytesPerMegabyte = 1024.0 * 1024.0;

QString text(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

struct LineOf {
    std::optional<EventLine> operator()(const StateChanged& body) const {
        const LogLevel level = body.state == TaskState::kFailed    ? LogLevel::kError
                               : body.state == TaskState::kWaiting ? LogLevel::kWarning
                                                                   : LogLevel::kInfo;
        const QString detail = text(body.detail);
        return EventLine{level, detail.isEmpty() ? text(toString(body.state)) : text(toString(body.state)) + ": " + detail};
    }
    std::optional<EventLine> operator()(const RunStarted& body) const {
        QString line = QStringLiteral("%1 epochs of %2 steps, global batch %3, %4 parameters, %5")
                           .arg(body.epochs)
                           .arg(body.steps_per_epoch)
                           .arg(body.global_batch_size)
                           .arg(body.parameters)
                           .arg(text(body.executor));
        if (!body.transport.empty()) line += " · " + text(body.transport).replace('\n', ", ");
        return EventLine{LogLevel::kInfo, line};
    }
    std::optional<EventLine> operator()(const EpochEnd& body) const {
        QStringList parts{QStringLiteral("epoch %1 ended after step %2").arg(body.epoch + 1).arg(body.step)};
        for (const auto& [name, value] : body.logs) {
            parts << (name == "learning_rate" ? QStringLiteral("%1 %2").arg(text(name)).arg(value, 0, 'g', 4)
                                              : QStringLiteral("%1 %2").arg(text(name)).arg(value, 0, 'f', 4));
        }
        return EventLine{LogLevel::kInfo, parts.join(QStringLiteral(" · "))};
    }
    std::optional<EventLine> operator()(const CheckpointSaved& body) const {
        return EventLine{LogLevel::kInfo, QStringLiteral("checkpoint saved: %1 (%2 MB, %3 ms%4)")
                                              .arg(text(body.prefix))
                                              .arg(static_cast<double>(body.bytes) / kBytesPerMegabyte, 0, 'f', 1)
                                              .arg(body.seconds * 1e3, 0, 'f', 0)
                                              .arg(body.best ? QStringLiteral(", best so far") : QString())};
    }
    std::optional<EventLine> operator()(const ControlApplied& body) const {
        return EventLine{LogLevel::kInfo, QStringLiteral("%1 at step %2").arg(text(body.what)).arg(body.step)};
    }
    std::optional<EventLine> operator()(const TaskFinished& body) const {
        QStringList parts{QStringLiteral("finished")};
        for (const auto& [name, value] : body.results) {
            if (name == "test_accuracy" || name == "test_loss") parts << QStringLiteral("%1 %2").arg(text(name)).arg(value, 0, 'f', 4);
        }
        return EventLine{LogLevel::kInfo, parts.join(QStringLiteral(" · "))};
    }
    std::optional<EventLine> operator()(const TaskFailed& body) const {
        return EventLine{LogLevel::kError, QStringLiteral("failed: ") + text(body.reason)};
    }
    template <typename Quiet>
    std::optional<EventLine> operator()(const Quiet& /*body*/) const {
        return std::nullopt;
    }
};

}  // namespace

std::optional<EventLine> eventLine(const EventBody& body) {
    return std::visit(LineOf{}, body);
}

}  // namespace ui::session
