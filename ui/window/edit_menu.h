// SPDX-License-Identifier: GPL-3.0-or-later
// Cut, Copy, Paste and Delete of the menu Edit: they do what their keys do to whatever has the focus. The keys themselves are the fields'
// and the pages' own; here they are shown.
#pragma once

#include <QAction>
#include <QMenu>
#include <QPointer>
#include <array>
#include <functional>

#include "ui/parts/page.h"

namespace ui::views {

class EditMenu : public QObject {
    Q_OBJECT
public:
    // Adds its rows to `menu`, whose child it is. `page`: the one that is shown.
    EditMenu(QMenu& menu, std::function<Page&()> page);
    void retranslate();

private:
    void refresh();
    void act(EditVerb verb);
    // Returns why the verb can't be done now; empty when it can.
    QString obstacle(EditVerb verb) const;

    const std::function<Page&()> page_;
    std::array<QAction*, kEditVerbCount> actions_{};
    QPointer<QWidget> target_;  // had the focus before the menu took it
};

}  // namespace ui::views
