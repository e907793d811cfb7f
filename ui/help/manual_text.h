// SPDX-License-Identifier: GPL-3.0-or-later
// One chapter of the manual as a page to read: Markdown in the theme's fonts and colours, pictures as wide as the column at most and sharp
// at every device ratio. GUI thread only.
#pragma once

#include <QHash>
#include <QImage>
#include <QTextBrowser>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

class ManualText : public QTextBrowser {
    Q_OBJECT
public:
    ManualText(const theme::ThemeController& themes, QWidget* parent);

    // `folder` is where relative names of pictures begin.
    void setChapter(const QString& markdown, const QString& folder);
    // Scrolls to the heading whose manualAnchor() is `anchor`, or to the top when it is empty. False when there is no such heading.
    bool goTo(const QString& anchor);
    // Marks every place with `text` (none when it is empty) and returns how many there are.
    int mark(const QString& text);
    // Scrolls to the place of that number, from 0, and marks it above the others.
    void showMark(int place);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void dress();
    void dressBlocks();
    void dressCode();
    void dressWords();
    void dressTables();
    void fitColumn();
    void fitPictures(int width);
    QImage fitted(const QImage& picture, const QSize& size) const;
    void refreshMarks();

    const theme::ThemeController& themes_;
    QString folder_;
    QHash<QString, QImage> pictures_;  // by name, as they lie on the disk
    std::vector<QTextCursor> marks_;
    int shown_mark_ = -1;
};

}  // namespace ui::views
