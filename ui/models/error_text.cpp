// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/error_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "engine/spec/error.h"
#include "ui/models/finding_text.h"

namespace ui::models {
namespace {

struct ErrorText {
    Q_DECLARE_TR_FUNCTIONS(ErrorText)
};

QString sentence(int code) {
    using engine::ErrorCode;
    switch (static_cast<ErrorCode>(code)) {
        case ErrorCode::kUnavailable:
            return ErrorText::tr("The agent does not answer.");
        case ErrorCode::kDeadlineExceeded:
            return ErrorText::tr("The agent did not answer in time.");
        case ErrorCode::kInvalidArgument:
            return ErrorText::tr("The project can't run as it is.");
        case ErrorCode::kNotFound:
            return ErrorText::tr("It was not found.");
        case ErrorCode::kAlreadyExists:
            return ErrorText::tr("It is taken already.");
        case ErrorCode::kResourceExhausted:
            return ErrorText::tr("This computer has no room for it.");
        case ErrorCode::kPermissionDenied:
            return ErrorText::tr("This computer does not allow it.");
        case ErrorCode::kFailedPrecondition:
            return ErrorText::tr("It is not possible now.");
        case ErrorCode::kDataLoss:
            return ErrorText::tr("A file is damaged.");
        case ErrorCode::kUnimplemented:
            return ErrorText::tr("This version can't do it yet.");
        case ErrorCode::kCancelled:
            return ErrorText::tr("It was cancelled.");
        default:
            return ErrorText::tr("It did not work.");
    }
}

}  // namespace

QString errorText(const session::ErrorInfo& error) {
    if (error.detail.isEmpty()) return sentence(error.code);
    QStringList lines = error.detail.split(QLatin1Char('\n'));
    for (QString& line : lines) line = findingText(line);
    return sentence(error.code) + QLatin1Char(' ') + lines.join(QLatin1Char('\n'));
}

}  // namespace ui::models
