// SPDX-License-Identifier: GPL-3.0-or-later
// The field of the menu row that finds anything, and the list that opens below it. The focus stays in the field; Up, Down, Page Up and Page
// Down choose, Enter goes, Esc leaves.
#pragma once

#include <QLineEdit>
#include <functional>
#include <vector>

#include "ui/models/place_model.h"
#include "ui/theme/theme_controller.h"

class QListView;

namespace ui::widgets {
class CardFrame;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class Locator : public QLineEdit {
    Q_OBJECT
public:
    Locator(const theme::ThemeController& themes, QWidget* parent);

    // Sets the function that returns the places; it is called each time the locator opens.
    void setPlaces(std::function<std::vector<models::Place>()> places) { places_ = std::move(places); }
    void open();
    bool isOpen() const;  // its list is shown
    void retranslate();
    void setNarrow(bool narrow);
    QListView& list() { return *list_; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show();
    void place();
    void leave();
    void go(const QModelIndex& index);
    void search(const QString& needle);

    const theme::ThemeController& themes_;
    std::function<std::vector<models::Place>()> places_;
    bool narrow_ = false;
    models::PlaceModel* model_;
    QAction* search_;
    widgets::CardFrame* panel_ = nullptr;  // a child of the window, made at the first opening
    QListView* list_;
    widgets::TextLabel* nothing_;
};

}  // namespace ui::views
