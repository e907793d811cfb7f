// SPDX-License-Identifier: GPL-3.0-or-later
// One question of ssh: whether an unknown key is trusted, a password, or yes and no. A password is hidden while it is typed and gone from
// here with the answer.
#pragma once

#include <QWidget>

#include "ui/session/host/far_host.h"
#include "ui/theme/theme_controller.h"

class QLineEdit;
class QPushButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class HostQuestionCard : public QWidget {
    Q_OBJECT
public:
    HostQuestionCard(const theme::ThemeController& themes, QWidget* parent);

    // Shows the question. The answer that the user has typed stays when the same question is set again.
    void setQuestion(const QString& host, const session::HostQuestion& question);
    // Answers the question when its field has the keyboard; false when it has not.
    bool takesEnter();
    void focusAnswer();
    void retranslate();

signals:
    void answered(QString text);
    void declined();

private:
    void refresh();
    void give();

    QString host_;
    session::HostQuestion question_;
    widgets::TextLabel *title_, *words_, *hint_;
    QLineEdit* secret_;
    QPushButton *yes_, *no_;
};

}  // namespace ui::views
