// SPDX-License-Identifier: GPL-3.0-or-later
// What the first layer that does not fit expects and gets, and as buttons the edits that mend it.
#pragma once

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace ui::session {
class Session;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class LayerErrorCard : public QWidget {
    Q_OBJECT
public:
    LayerErrorCard(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    // From 0. Hides itself when this is not the wrong one.
    void setLayer(int layer);

signals:
    void nodeWanted(int node);
    void explanationWanted();  // the list of all problems

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void fitHeight();

    session::Session& session_;
    const theme::ThemeController& themes_;
    widgets::TextLabel *title_, *expected_name_, *expected_, *got_name_, *got_;
    QVBoxLayout* buttons_;
};

}  // namespace ui::views
