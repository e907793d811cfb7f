// SPDX-License-Identifier: GPL-3.0-or-later
// Weights and gradients of the shown run in numbers: histograms over the epochs, norm, spread, and the first layer's kernels as pictures.
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>
#include <vector>

class QComboBox;

namespace engine::run {
struct DistributionEntry;
struct VariableHistory;
}  // namespace engine::run
namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
}  // namespace ui::session
namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

// Histograms behind each other, the newest in front and lowest: when a bump moves or widens, it is seen as a slope.
class HistogramStack : public QWidget {
    Q_OBJECT
public:
    explicit HistogramStack(const theme::ThemeController& themes, QWidget* parent = nullptr);
    // Copies what it shows; null: nothing.
    void setHistory(const engine::run::VariableHistory* history, int color);
    QSize sizeHint() const override { return {260, 132}; }
    QSize minimumSizeHint() const override { return {160, 132}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    std::shared_ptr<const engine::run::VariableHistory> history_;
    int color_ = 0;
};

// Kernels of the first convolution, or what each unit of a first dense layer looks for in its image: light for high values, each scaled on
// its own.
class FilterPicturesView : public QWidget {
    Q_OBJECT
public:
    explicit FilterPicturesView(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setRun(const session::RunRecord* run);
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int tile() const;

    const theme::ThemeController& themes_;
    std::vector<QImage> pictures_;
};

// A section of Monitor's dock; hidden while the run reports none (fit.histogram_freq).
class WeightView : public QWidget {
    Q_OBJECT
public:
    explicit WeightView(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setRun(const session::RunRecord* run);
    void refresh();
    void retranslate();

private:
    void fillVariables();
    const engine::run::VariableHistory* chosen() const;

    const session::RunRecord* run_ = nullptr;
    widgets::TextLabel *title_, *epoch_, *facts_, *filters_title_;
    widgets::SegmentedControl* which_;
    QComboBox* variable_;
    HistogramStack* histograms_;
    FilterPicturesView* filters_;
};

}  // namespace ui::views
