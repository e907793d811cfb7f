// SPDX-License-Identifier: GPL-3.0-or-later
// What makes a host: its name in clusters, where ssh goes or the line that pairs it with this computer, and where Tandem lies there. A
// field that is left empty means what it shows in grey. Each mistake is told in one sentence below.
#pragma once

#include <QWidget>

#include "ui/session/host/far_host.h"
#include "ui/theme/theme_controller.h"

class QLineEdit;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class HostForm : public QWidget {
    Q_OBJECT
public:
    HostForm(const theme::ThemeController& themes, QWidget* parent);

    // Shows the entry and emits no signal. A fixed entry can be read and copied, not changed.
    void setEntry(const session::HostEntry& entry, bool is_fixed);
    // Returns the entry that would be added: what the user left empty has its usual value.
    session::HostEntry entry() const;
    // Returns the entry as it was typed.
    session::HostEntry typed() const;
    bool isEmpty() const;
    // True when nothing is wrong with entry().
    bool isGood() const;
    // Shows a problem that something other than the form's own rules has found, until the user types the next letter.
    void setProblem(const QString& problem);
    void focusName();
    void retranslate();

signals:
    void edited();

private:
    void check();

    QLineEdit *name_, *destination_, *folder_;
    widgets::TextLabel *name_label_, *destination_label_, *folder_label_, *problem_;
    bool is_good_ = false;
};

}  // namespace ui::views
