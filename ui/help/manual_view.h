// SPDX-License-Identifier: GPL-3.0-or-later
// The user manual: contents and a search at the left, a chapter at the right, in the language of the window.
#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/help/manual_book.h"
#include "ui/theme/theme_controller.h"

class QLabel;
class QLineEdit;
class QStandardItemModel;
class QTreeView;

namespace ui::views {

class ManualText;

class ManualView : public QWidget {
    Q_OBJECT
public:
    // `folder` holds one folder for each language.
    ManualView(QString folder, const theme::ThemeController& themes, QWidget* parent);

    // Reads the book unless that was done, and takes the keyboard.
    void open();
    void retranslate();
    void setNarrow(bool narrow);
    QWidget* contents() const { return side_; }  // with the search above them
    // Goes to "data.md", "data.md#sharding" or "#sharding" of this chapter; false when there is no such place. Remembers the place before
    // for back().
    bool follow(const QString& link);
    void back();
    void forward();

    const models::ManualBook& book() const { return book_; }
    QString place() const;  // the chapter shown, with the heading that was asked for

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    void read();
    void fillContents();
    void addKeys();
    bool showPlace(const QString& place);
    void search(const QString& text);
    void searchOn(int way);
    void searchChapters(int way);
    void refreshFound();
    void showCurrent();

    const QString folder_;
    const theme::ThemeController& themes_;
    models::ManualBook book_;
    QString language_;  // of which book_ was read; empty before
    QWidget* side_;
    QLineEdit* search_;
    QLabel* found_;
    QTreeView* contents_;
    QStandardItemModel* model_;
    ManualText* text_;
    int chapter_ = 0;
    QString anchor_;
    QStringList back_, forward_;
    int marks_ = 0, mark_ = -1;
};

}  // namespace ui::views
