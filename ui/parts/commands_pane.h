// SPDX-License-Identifier: GPL-3.0-or-later
// The open project as command lines: what the studio does, ready for a terminal or a script.
#pragma once

#include <QPlainTextEdit>

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

class CommandsPane : public QPlainTextEdit {
    Q_OBJECT
public:
    CommandsPane(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);
    void retranslate() { refresh(); }

private:
    void refresh();

    session::Session& session_;
    const theme::ThemeController& themes_;
};

// Returns a path or word as one argument of a POSIX shell.
QString shellQuoted(const QString& text);

}  // namespace ui::views
