// SPDX-License-Identifier: GPL-3.0-or-later
// Samples and classes of a data set: one row a class with its label, real samples, a bar of training over test and the count. One painted
// view, nearest neighbour from twice the size up.
#pragma once

#include <QAbstractScrollArea>

#include "ui/session/data/data_answers.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/card_frame.h"

class QPushButton;

namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

enum class SampleInk { kAsInk, kAsStored };  // of one channel: black on white, or as the bytes say

class SampleRows : public QAbstractScrollArea {
    Q_OBJECT
public:
    SampleRows(const theme::ThemeController& themes, QWidget* parent);
    void setSummary(const session::DataSummary& summary);
    void setInk(SampleInk ink);
    const session::DataSummary& summary() const { return summary_; }
    int rowHeight() const { return layout().row; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Layout {
        double label = 0, tiles = 0, bar_left = 0, bar_width = 0, count = 0;
        int row = 0, tile = 0, shown = 0;
    };
    Layout layout() const;
    void refreshRange();
    void paintRow(QPainter& painter, const Layout& at, std::size_t group, double top) const;
    QImage inked(const QImage& image) const;

    const theme::ThemeController& themes_;
    session::DataSummary summary_;
    SampleInk ink_ = SampleInk::kAsStored;
};

// The card around the view: title, legend, ink, other samples.
class SampleCard : public widgets::CardFrame {
    Q_OBJECT
public:
    SampleCard(const theme::ThemeController& themes, QWidget* parent);
    void setSummary(const session::DataSummary& summary);
    void setBusy(const QString& sentence);  // what is being read; empty: nothing
    void setNarrow(bool narrow);
    void retranslate();
    SampleRows& rows() { return *rows_; }

signals:
    void othersRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void followTheme();

    const theme::ThemeController& themes_;
    widgets::TextLabel *title_, *busy_;
    widgets::SegmentedControl* ink_;
    QPushButton* others_;
    QWidget* legend_;
    SampleRows* rows_;
    bool narrow_ = false;
    bool ink_chosen_ = false;  // by the user; else the theme's
};

}  // namespace ui::views
