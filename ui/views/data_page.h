// SPDX-License-Identifier: GPL-3.0-or-later
// The data set of the project: its classes and counts, and the pipeline's values, linked to the global batch.
#pragma once

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/page.h"

class QSpinBox;

namespace ui::widgets {
class PageHeader;
class SegmentedControl;
class SwitchButton;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class ClassBars;
class FactsWell;

class DataPage : public Page {
    Q_OBJECT
public:
    DataPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate() override;
    void setNarrow(bool narrow) override;
    bool reveal(const QString& path) override { return path.startsWith("data"); }

private:
    QWidget* buildRight();
    QSpinBox* addNumber(QWidget* parent, widgets::TextLabel*& label, const QString& name, int minimum, int maximum,
                        std::int64_t engine::spec::DataSpec::*field);
    void refresh();

    session::Session& session_;
    const theme::ThemeController& themes_;
    widgets::PageHeader* header_;
    widgets::TextLabel *classes_title_, *pipeline_title_, *sentence_, *shard_title_, *shard_reason_;
    widgets::TextLabel *batch_label_, *shuffle_label_, *take_label_, *prefetch_label_, *cache_label_, *drop_label_;
    QSpinBox *batch_, *shuffle_, *take_, *prefetch_;
    widgets::SwitchButton *cache_, *drop_;
    widgets::SegmentedControl* shard_;
    FactsWell *facts_, *sums_;
    ClassBars* bars_;
    QWidget* right_;
};

}  // namespace ui::views
