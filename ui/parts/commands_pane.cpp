// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/commands_pane.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/open_project.h"
#include "ui/session/project/project.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"

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
    connect(&session_.project(), &session::Project::changed, this, &CommandsPane::refresh);
    connect(&session_.project(), &session::Project::modifiedChanged, this, &CommandsPane::refresh);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &CommandsPane::refresh);
    connect(&themes_, &theme::ThemeController::themeChanged, this, &CommandsPane::refresh);
    refresh();
}

void CommandsPane::refresh() {
    setFont(themes_.font(theme::TextRole::kMono));
    QStringList lines;
    if (!session_.project().isOpen()) {
        lines << tr("# Open a project to see its commands.") << "tandem-cli templates";
    } else {
        // A starter that nobody has changed goes by its name.
        const QString place = session::placeOfProject(session_.project(), session_.starters());
        const bool is_starter = session::isStarterPlace(place);
        const QString project = place.isEmpty() ? QStringLiteral("PROJECT.tandem")
                                : is_starter    ? place.mid(QLatin1String(session::kStarterScheme).size())
                                                : shellQuoted(place);
        if (place.isEmpty() || (session_.project().isModified() && !is_starter))
            lines << tr("# Save the project first: these read the file.");
        lines << QStringLiteral("tandem-cli train %1 --workers %2").arg(project).arg(session::localWorkers(session_.project()));
        lines << QStringLiteral("tandem-cli export tf-config %1 --format json --out tf_config").arg(project);
        if (const auto* run = session_.runs().current()) {
            lines << (isActive(run->state()) || !session::eventFolderOf(run->summary()).isEmpty()
                          ? QStringLiteral("tandem-cli watch %1").arg(shellQuoted(run->id()))
                          : QStringLiteral("tandem-cli evaluate %1").arg(shellQuoted(run->id())));
            const bool governed = session::eventFolderOf(run->summary()).isEmpty();
            if (isActive(run->state()) && governed) lines << QStringLiteral("tandem-cli stop %1").arg(shellQuoted(run->id()));
        }
    }
    setPlainText(lines.join('\n'));
}

}  // namespace ui::views

#include "moc_commands_pane.cpp"
