// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/error_text.h"

#include <QCoreApplication>

namespace ui::session {
namespace {

struct ErrorText {
    Q_DECLARE_TR_FUNCTIONS(ErrorText)
};

}  // namespace

QString runStateText(RunState phase) {
    switch (phase) {
        case RunState::kNone:
            return ErrorText::tr("No run");
        case RunState::kStarting:
            return ErrorText::tr("Starting");
        case RunState::kTraining:
            return ErrorText::tr("Training");
        case RunState::kPaused:
            return ErrorText::tr("Paused");
        case RunState::kDone:
            return ErrorText::tr("Done");
        case RunState::kStopped:
            return ErrorText::tr("Stopped");
        case RunState::kFailed:
            return ErrorText::tr("Failed");
    }
    return {};
}

}  // namespace ui::session
