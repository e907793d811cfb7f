// SPDX-License-Identifier: GPL-3.0-or-later
// Menus at the left; project name, locator, theme and language at the right; a 1 px line below.
#pragma once

#include <QMenuBar>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

class QLineEdit;
class QStandardItemModel;
class QToolButton;

namespace ui::views {

// A thing that the locator finds: an action, a layer, a run.
struct Place {
    QString text;
    std::function<void()> go;
};

class MenuRow : public QWidget {
    Q_OBJECT
public:
    MenuRow(session::Session& session, theme::ThemeController& themes, QWidget* parent);
    QMenuBar& menuBar() { return *menus_; }
    void setNarrow(bool narrow);
    void focusLocator();
    // Asked for each time the locator opens.
    void setPlaces(std::function<std::vector<Place>()> places) { places_ = std::move(places); }
    void retranslate();

signals:
    void languageRequested(QString language);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void fillPlaces();

    session::Session& session_;
    theme::ThemeController& themes_;
    QMenuBar* menus_;
    QWidget* project_icon_;
    widgets::TextLabel* project_;
    QLineEdit* locator_;
    QToolButton *theme_, *language_;
    QStandardItemModel* found_;
    std::function<std::vector<Place>()> places_;
    std::vector<Place> present_places_;
};

// Languages that this installation has texts for: code ("en", "ko", "zh_CN") and its own name. English always.
std::vector<std::pair<QString, QString>> availableLanguages();

}  // namespace ui::views
