// SPDX-License-Identifier: GPL-3.0-or-later
// Every key of the studio and the user manual; where runs and logs lie.
#pragma once

#include <utility>
#include <vector>

#include "ui/parts/page.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QPushButton;
class QStackedWidget;

namespace ui::widgets {
class PageHeader;
class SegmentedControl;
}  // namespace ui::widgets

namespace ui::views {

class ManualView;
class ShortcutSheet;

enum class HelpTopic { kKeys, kManual };

struct ShortcutSection {
    QString title;
    std::vector<std::pair<QString, QString>> keys;  // key, what it does
};

class HelpPage : public Page {
    Q_OBJECT
public:
    HelpPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate() override;
    void setNarrow(bool narrow) override;
    QWidget* sidebar() const override;
    void show(HelpTopic topic);
    // Shows the manual at "errors.md#tdm-c001"; false when it has no such place.
    bool showPlace(const QString& place);
    // Lists the keys that actions have now; keys that only act inside one page are listed after them.
    void setActionKeys(std::vector<ShortcutSection> sections);
    // Returns all that is listed, with the present keys.
    const std::vector<ShortcutSection>& sections() const { return sections_; }

private:
    void refresh();
    void refreshKeys();

    session::Session& session_;
    const theme::ThemeController& themes_;
    widgets::PageHeader* header_;
    widgets::SegmentedControl* topic_;
    QPushButton *runs_folder_, *run_folder_;
    QStackedWidget* stack_;
    ShortcutSheet* sheet_;
    ManualView* manual_;
    std::vector<ShortcutSection> action_keys_, sections_;
};

}  // namespace ui::views
