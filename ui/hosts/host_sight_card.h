// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a computer: a state with one sentence, how far an installation is, and its facts. Plain values; whoever owns it says
// what its link does.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

class QPushButton;

namespace ui::views {

class FactsWell;

class HostSightCard : public QWidget {
    Q_OBJECT
public:
    struct Content {
        QString icon, title, sentence;
        theme::IconTone tone = theme::IconTone::kAuto;
        QString link;          // at the right of the title; empty: none
        double progress = -1;  // 0 to 1; below 0: no bar
        std::vector<std::pair<QString, QString>> facts;
    };

    HostSightCard(const theme::ThemeController& themes, QWidget* parent);
    void setContent(const Content& content);
    // Shows the facts, or hides them to make room for a question.
    void setFactsShown(bool on);

signals:
    void linkClicked();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    QString icon_;
    theme::IconTone tone_ = theme::IconTone::kAuto;
    double progress_ = -1;
    QWidget *mark_, *bar_;
    widgets::TextLabel *title_, *sentence_;
    QPushButton* link_;
    FactsWell* facts_;
};

}  // namespace ui::views
