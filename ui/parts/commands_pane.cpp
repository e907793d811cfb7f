// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/commands_pane.h"

#include <QRegularExpression>

namespace ui::views {

QString shellQuoted(const QString& text) {
    static const QRegularExpression plain("^[A-Za-z0-9_./:=,@%+-]+$");
    if (plain.match(text).hasMatch()) return text;
    if (text.startsWith("~/")) return "~/" + (text.size() > 2 ? shellQuoted(text.mid(2)) : QString());
    return "'" + QString(text).replace("'", "'\\''") + "'";
}

CommandsPane::CommandsPane(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QPlainTextEdit(parent), session_(session), themes_(themes) {
    setObjectName("commandsPane");
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    document()->setDocumentMargin(theme::kSpace4);
    connect(&session_, &session::Session::projectChanged, this, &CommandsPane::refresh);
    connect(&session_, &session::Session::modifiedChanged, this, &CommandsPane::refresh);
    connect(&session_, &session::Session::runStateChanged, this, &CommandsPane::refresh);
    connect(&themes_, &theme::ThemeController::themeChanged, this, &CommandsPane::refresh);
    refresh();
}

void CommandsPane::refresh() {
    setFont(themes_.font(theme::TextRole::kMono));
    QStringList lines;
    if (!session_.hasProject()) {
        lines << tr("# Open a project to see its commands.") << "tandem-cli templates";
    } else {
        const QString project = session_.projectPath().isEmpty() ? QString("PROJECT.tandem") : shellQuoted(session_.projectPath());
        if (session_.isModified() || session_.projectPath().isEmpty()) lines << tr("# Save the project first: these read the file.");
        lines << QStringLiteral("tandem-cli train %1 --workers %2").arg(project).arg(session_.localWorkers());
        lines << QStringLiteral("tandem-cli export tf-config %1 --format json --out tf_config").arg(project);
        if (const auto* run = session_.currentRun()) {
            lines << (isActive(run->state()) ? QStringLiteral("tandem-cli watch %1").arg(shellQuoted(run->id()))
                                             : QStringLiteral("tandem-cli evaluate %1").arg(shellQuoted(run->id())));
            if (isActive(run->state())) lines << QStringLiteral("tandem-cli stop %1").arg(shellQuoted(run->id()));
        }
    }
    setPlainText(lines.join('\n'));
}

}  // namespace ui::views
