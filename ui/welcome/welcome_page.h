// SPDX-License-Identifier: GPL-3.0-or-later
// Starter projects, recent ones, and the state of this computer.
#pragma once

#include <vector>

#include "ui/parts/page.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"

class QGridLayout;
class QPushButton;
class QScrollArea;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class HostChecksView;
class RecentProjectsView;
class TemplateCard;

class WelcomePage : public Page {
    Q_OBJECT
public:
    WelcomePage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate() override;
    void setNarrow(bool narrow) override;
    QWidget* starters() const { return starters_; }  // all templates; null where there are none
    QWidget* recent() const;
    bool marksTemplate() const { return marks_; }  // one of them opens and trains with one click

signals:
    void tourRequested();
    void manualRequested();
    // Emitted when a starter is chosen. The present project may have unsaved changes: the receiver asks first.
    void templateRequested(QString id, bool train);
    void projectRequested(QString path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildLeft();
    QWidget* buildChip(const session::Template& source, QWidget* parent);
    QWidget* buildRight();
    void refreshLinks();
    void placeCards();
    bool moveFocus(QObject* from, int key);

    session::Session& session_;
    const theme::ThemeController& themes_;
    std::vector<TemplateCard*> cards_;
    std::vector<QPushButton*> chips_;
    QScrollArea* card_area_;
    QGridLayout* card_grid_;
    int cards_a_row_ = 0;
    bool marks_ = false;
    widgets::TextLabel *title_, *sentence_, *more_, *learn_title_;
    QPushButton *tour_, *manual_, *shortcuts_, *runs_folder_;
    QWidget *starters_ = nullptr, *right_;
    RecentProjectsView* recent_;
    HostChecksView* host_;
};

}  // namespace ui::views
