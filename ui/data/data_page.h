// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the project: sets by name and from files, what they hold, how they are dealt to the workers, and the pipeline to a batch.
#pragma once

#include "engine/spec/project/run_spec.h"
#include "ui/parts/page.h"
#include "ui/session/data/data_desk.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace ui::widgets {
class PageHeader;
class StatePanel;
}  // namespace ui::widgets

namespace ui::views {

class BatchPanel;
class DataFacts;
class DataSetList;
class DataWizard;
class MixPanel;
class PipelinePanel;
class SampleCard;
class ShardPreview;

class DataPage : public Page {
    Q_OBJECT
public:
    DataPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate() override;
    void setNarrow(bool narrow) override;
    bool reveal(const QString& path) override;
    QWidget* sidebar() const override;

    session::DataDesk& desk() { return desk_; }
    // Opens the dialog for own files, with the format or the files that it begins with.
    DataWizard* openWizard(const QString& format, const QStringList& dropped = {});

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    QWidget* buildRight();
    void chooseNamed(const QString& name);
    void takeFiles(const engine::spec::DataSpec& data, const QString& title);
    void finishTyping();
    void refresh();
    void refreshHeader();
    void refreshMiddle();
    void refreshState();
    void refreshShards();
    void refreshList();
    void onStateButton(bool first);
    QString titleOf(const std::string& dataset) const;

    bool isShown(const QString& dataset) const;
    static QString fetchSentence(const session::DataState& failure);
    enum class StateAction { kNone, kFetch, kChooseFiles, kUseMnist, kTryAgain, kCancelFetch };

    session::Session& session_;
    const theme::ThemeController& themes_;
    session::DataDesk desk_;
    widgets::PageHeader* header_;
    QPushButton *check_, *open_model_;
    DataSetList* list_;
    QStackedWidget* middle_;
    DataFacts* facts_;
    SampleCard* samples_;
    ShardPreview* shards_;
    widgets::StatePanel* state_;
    PipelinePanel* pipeline_;
    MixPanel* mix_;
    BatchPanel* batch_;
    QScrollArea* right_;
    StateAction first_action_ = StateAction::kNone, second_action_ = StateAction::kNone;
};

}  // namespace ui::views
