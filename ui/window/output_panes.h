// SPDX-License-Identifier: GPL-3.0-or-later
// Status row with its pane buttons, and the pane above it: a bar of 36 with title, actions and close over one of the contents.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QAbstractButton;
class QAction;
class QHBoxLayout;
class QListView;
class QPushButton;
class QStackedWidget;

namespace ui::models {
class CheckListModel;
}

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

inline constexpr int kPaneCount = 5;  // 1 Problems, 2 Task logs, 3 Events, 4 Metrics, 5 Commands

class StatusRow : public QWidget {
    Q_OBJECT
public:
    StatusRow(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void setOpenPane(int pane);  // 0: none
    void setCount(int pane, int errors, int warnings);
    // Returns the pane's button, to be clicked or hidden.
    QAbstractButton* button(int pane) const { return buttons_[static_cast<std::size_t>(pane - 1)]; }
    void retranslate();

signals:
    void paneToggled(int pane);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    session::Session& session_;
    const theme::ThemeController& themes_;
    std::vector<QAbstractButton*> buttons_;
    widgets::TextLabel *agent_, *saved_;
    int open_ = 0;
};

// Owns the contents; hidden while no pane is open.
class PaneHost : public QWidget {
    Q_OBJECT
public:
    PaneHost(const theme::ThemeController& themes, QWidget* parent);
    // Sets a pane's content. `tools` lies in the bar while the pane is open; may be null.
    void setPane(int pane, QWidget* content, QWidget* tools = nullptr);
    bool has(int pane) const;
    void open(int pane);
    void close();
    int openPane() const { return open_; }
    void setTitles(const QStringList& titles);

signals:
    void openChanged(int pane);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Pane {
        QWidget* content = nullptr;
        QWidget* tools = nullptr;
        QString title;
    };
    const theme::ThemeController& themes_;
    std::vector<Pane> panes_;
    widgets::TextLabel* title_;
    QPushButton* close_;
    QHBoxLayout* bar_;
    QStackedWidget* stack_;
    int open_ = 0;
};

// What validate says about the project. Enter or a click on a row goes to the place; a click on the code at the right goes to the manual on
// it.
class ProblemsPane : public QWidget {
    Q_OBJECT
public:
    ProblemsPane(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);
    void retranslate();

signals:
    void revealRequested(QString path);
    void explainRequested(QString code);

private:
    void refresh();

    session::Session& session_;
    models::CheckListModel* model_;
    QListView* list_;
    QAction* explain_;
    bool explains_ = false;  // a click on a code is on its way
    widgets::TextLabel* empty_;
};

// What studio and agent did, the newest last.
class EventsPane : public QWidget {
    Q_OBJECT
public:
    EventsPane(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);
    void retranslate();

signals:
    void explainRequested(QString code);

private:
    void refresh();

    session::Session& session_;
    models::CheckListModel* model_;
    QListView* list_;
    QAction* explain_;
};

}  // namespace ui::views
