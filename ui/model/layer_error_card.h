// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong about a node of the model, as "expected / got", and as buttons the edits that mend a layer that does not fit.
#pragma once

#include <QWidget>
#include <vector>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace engine::spec {
struct ModelFix;
}
namespace ui::session {
class Project;
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
    LayerErrorCard(session::Project& project, const theme::ThemeController& themes, QWidget* parent);
    // Shows the mistakes of a node, numbered as ModelProperties numbers nodes; the card hides itself when there is nothing to say of it. Of
    // several mistakes and warnings it shows the first.
    void setNode(int node);

signals:
    void nodeWanted(int node);
    void explanationWanted();  // the list of all problems

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void addFix(engine::spec::ModelFix fix);
    void fitHeight();

    session::Project& project_;
    const theme::ThemeController& themes_;
    widgets::TextLabel *title_, *expected_name_, *expected_, *got_name_, *got_, *advice_;
    QVBoxLayout* buttons_;
    QHBoxLayout* foot_;
    QPushButton* why_;
    bool is_error_ = true;             // else a warning
    std::vector<QPushButton*> fixes_;  // of the layer that is shown
};

}  // namespace ui::views
