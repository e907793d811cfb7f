// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what other programs take: TF_CONFIG, the model and its logs, code, charts, data, a report. Kinds at the left, options with the
// list of files, live preview; the same as a command line at the foot. Lives inside a widgets::Veil.
#pragma once

#include <QDialog>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "ui/export/export_kinds.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QLineEdit;
class QListView;
class QPushButton;
class QStandardItemModel;
class QThread;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ExportCommandRow;
class ExportFileList;
class ExportPreviewCard;

// The entries of the dialog's list, in its order.
enum class ExportPage { kTfConfig, kCheckpoint, kKeras, kOnnx, kLogs, kCode, kScript, kDiagram, kLaunch, kCharts, kData, kReport };

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    // `charts` are Monitor's, in their present state.
    ExportDialog(session::Session& session, const theme::ThemeController& themes, const std::vector<charts::ChartCard*>& charts = {},
                 QWidget* parent = nullptr);
    ~ExportDialog() override;

    void setFormat(engine::launch::TfConfigFormat format);
    void setFolder(const QString& folder);
    // Shows the page, or the next possible kind when it is impossible. `chart`: the chart that the dialog was opened from, for pictures.
    void showPage(ExportPage page, charts::ChartCard* chart = nullptr);
    ExportPage page() const;

signals:
    void exported(int files, QString folder);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildKinds();
    QWidget* buildOptions();
    QWidget* buildFoot();
    void retranslate();
    void refresh();
    void refreshHead();
    void refreshPreview();
    void browse();
    bool mayReplace();
    void exportFiles();
    void finish(const std::vector<engine::launch::LaunchFile>& files);
    void fail(const QString& problem);
    void setWorking(bool on);
    void start(std::function<void()> work, std::function<void()> done);
    ExportKind& kind() const;
    QString folder() const;

    session::Session& session_;
    const theme::ThemeController& themes_;
    ExportContext context_;
    TfConfigKind* config_;
    ChartsKind* charts_;
    std::vector<ExportKind*> kinds_in_order_;
    widgets::TextLabel *title_, *subtitle_, *save_to_, *about_;
    QPushButton *close_, *browse_, *cancel_, *export_;
    QListView* kinds_;
    QStandardItemModel* kinds_model_;
    QLineEdit* folder_;
    QWidget* options_;  // of all kinds; those of the chosen one are shown
    ExportFileList* files_;
    ExportPreviewCard* preview_;
    ExportCommandRow* command_;
    QThread* worker_ = nullptr;                     // while files are made
    std::shared_ptr<std::atomic<bool>> cancelled_;  // of what is made now
    bool is_folder_chosen_ = false;                 // else it goes with the kind
};

}  // namespace ui::views
