// SPDX-License-Identifier: GPL-3.0-or-later
// What the export dialog offers, a class a kind: its options, what it would write, a preview, and the same as a command line.
#pragma once

#include <QPointer>
#include <QStackedWidget>
#include <QString>
#include <QWidget>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "engine/launch/tf_config_files.h"
#include "engine/report/data_files.h"
#include "ui/charts/chart_picture.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QListView;
class QPlainTextEdit;
class QSpinBox;
class QStandardItemModel;

namespace ui::charts {
class ChartCard;
}
namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class TfConfigText;

// What all kinds read. Made by the dialog, outlives them.
struct ExportContext {
    ExportContext(session::Session& of_session, const theme::ThemeController& of_themes, const std::vector<charts::ChartCard*>& shown);
    session::Session& session;
    const theme::ThemeController& themes;
    std::vector<QPointer<charts::ChartCard>> charts;  // of Monitor, as they stand
    // The shown run as it was when a kind first asked; null without one.
    std::shared_ptr<const engine::report::RunData> run();
    QString runId() const;

private:
    std::shared_ptr<const engine::report::RunData> run_;
};

struct ExportEntry {
    QString name;
    qint64 bytes = -1;   // below 0: not known before it is written
    bool about = false;  // an estimate
};

// The right side of the dialog: code, text or a picture.
class ExportPreview : public QStackedWidget {
    Q_OBJECT
public:
    explicit ExportPreview(const theme::ThemeController& themes, QWidget* parent);
    TfConfigText& config();  // shows it
    void showText(const QString& text);
    void showPicture(const QImage& picture);  // scaled down to fit, never up
    QString text() const;                     // what Copy takes; empty of a picture

private:
    class PictureView;
    TfConfigText* config_;
    QPlainTextEdit* text_;
    PictureView* picture_;
};

// The widget holds the options. GUI thread only, but for what work() returns.
class ExportKind : public QWidget {
    Q_OBJECT
public:
    ExportKind(ExportContext& context, QWidget* parent) : QWidget(parent), context_(context) {}

    virtual QString title() const = 0;
    virtual QString detail() const = 0;
    virtual QString icon() const = 0;
    virtual QString about() const = 0;               // one sentence above the options
    virtual QString obstacle() const { return {}; }  // why it can't be chosen; empty when it can
    virtual std::vector<ExportEntry> entries() = 0;
    virtual void preview(int entry, ExportPreview& preview) = 0;
    virtual QString previewName(int entry);
    // The same for a terminal, `folder` already quoted.
    virtual QString command(const QString& folder) = 0;
    using Work = std::function<std::vector<engine::launch::LaunchFile>()>;
    // Makes the files; may be called on another thread when isLong().
    virtual Work work() = 0;
    virtual bool isLong() { return false; }
    virtual void retranslate() = 0;
    virtual QString copied(int entry) {
        Q_UNUSED(entry)
        return {};
    }  // exact text of a file where the preview shows another layout

signals:
    void changed();  // an option

protected:
    ExportContext& context_;
};

class TfConfigKind : public ExportKind {
    Q_OBJECT
public:
    TfConfigKind(ExportContext& context, QWidget* parent);
    void setFormat(engine::launch::TfConfigFormat format);
    QString title() const override;
    QString detail() const override;
    QString icon() const override { return QStringLiteral("code"); }
    QString about() const override;
    QString obstacle() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;
    void retranslate() override;
    QString copied(int entry) override;

private:
    engine::launch::TfConfigFormat format() const;
    std::vector<engine::launch::LaunchFile> files() const;
    widgets::TextLabel* format_label_;
    widgets::SegmentedControl* format_;
};

class ChartsKind : public ExportKind {
    Q_OBJECT
public:
    ChartsKind(ExportContext& context, QWidget* parent);
    void choose(charts::ChartCard* card);  // that one alone; null: all
    QString title() const override;
    QString detail() const override;
    QString icon() const override { return QStringLiteral("image"); }
    QString about() const override;
    QString obstacle() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;
    void retranslate() override;

private:
    std::vector<std::vector<const charts::ChartCard*>> pictures() const;  // the charts of each file
    charts::PictureOptions options() const;
    std::vector<ExportEntry> names() const;
    std::unique_ptr<theme::ThemeController> colors() const;
    void fillCharts();
    widgets::TextLabel *format_label_, *charts_label_, *size_label_, *times_, *colors_label_;
    widgets::SegmentedControl *format_, *colors_;
    QComboBox* charts_;
    QSpinBox *width_, *height_;
};

class DataKind : public ExportKind {
    Q_OBJECT
public:
    DataKind(ExportContext& context, QWidget* parent);
    QString title() const override;
    QString detail() const override;
    QString icon() const override { return QStringLiteral("columns"); }
    QString about() const override;
    QString obstacle() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;
    bool isLong() override { return true; }
    void retranslate() override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    engine::report::DataOptions options() const;
    void fillSeries();
    widgets::TextLabel *format_label_, *files_label_, *series_label_;
    widgets::SegmentedControl *format_, *files_;
    QListView* series_;
    QStandardItemModel* series_model_;
};

class ReportKind : public ExportKind {
    Q_OBJECT
public:
    ReportKind(ExportContext& context, QWidget* parent);
    QString title() const override;
    QString detail() const override;
    QString icon() const override { return QStringLiteral("file"); }
    QString about() const override;
    QString obstacle() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;
    void retranslate() override;

private:
    bool isPdf() const;
    QByteArray pdf();
    widgets::TextLabel* format_label_;
    widgets::SegmentedControl* format_;
};

}  // namespace ui::views
