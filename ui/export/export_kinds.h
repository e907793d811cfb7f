// SPDX-License-Identifier: GPL-3.0-or-later
// What the export dialog offers, a class a kind: its options, what it would write, a preview, and the same as a command line.
#pragma once

#include <QPointer>
#include <QStackedWidget>
#include <QString>
#include <QStringList>
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
class QVBoxLayout;

namespace ui::charts {
class ChartCard;
}
namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class CodeEditor;
class TfConfigText;

// The context that all kinds read. The dialog makes it, and it outlives them.
struct ExportContext {
    ExportContext(session::Session& of_session, const theme::ThemeController& of_themes, const std::vector<charts::ChartCard*>& shown);
    session::Session& session;
    const theme::ThemeController& themes;
    std::vector<QPointer<charts::ChartCard>> charts;  // of Monitor, as they stand
    // Returns the shown run as it was when a kind first asked; null without one.
    std::shared_ptr<const engine::report::RunData> run();
    QString runId() const;
    QString fileStem() const;  // what the files of the run are called: as the user calls it

private:
    std::shared_ptr<const engine::report::RunData> run_;
};

struct ExportEntry {
    QString name;
    qint64 bytes = -1;   // below 0: not known before it is written
    bool about = false;  // an estimate
};

// The right side of the dialog: code, text or a picture, or why there is none.
class ExportPreview : public QStackedWidget {
    Q_OBJECT
public:
    explicit ExportPreview(const theme::ThemeController& themes, QWidget* parent);
    TfConfigText& config();  // shows it
    void showText(const QString& text);
    void showCode(const QString& code);
    void showPicture(const QImage& picture);  // scaled down to fit, never up
    void showRefusal(const QString& why);
    QString text() const;  // what Copy takes; empty of a picture

private:
    class PictureView;
    TfConfigText* config_;
    QPlainTextEdit* text_;
    CodeEditor* code_;
    PictureView* picture_;
    widgets::TextLabel* refusal_;
};

// The texts of a kind in the list and in the head above the options.
struct KindTexts {
    QString title, about;  // a name; one sentence
    QString obstacle{};    // why it can't be chosen; empty when it can
};

// The project or run that a kind writes about; the head of the dialog names it.
struct ExportSubject {
    QString name;
    int tasks = 1;
    QString folder;  // of its own below the usual one
};

// The look of a kind before anything is chosen.
struct KindLook {
    QString icon;
    QString formats_name;  // of the object that chooses the format
    QStringList formats;   // names that no language changes; one: nothing is to be chosen
};

// The widget holds the options, the format first. GUI thread only, but for what work() returns.
class ExportKind : public QWidget {
    Q_OBJECT
public:
    ExportKind(ExportContext& context, KindLook look, QWidget* parent);

    const QString& icon() const { return look_.icon; }
    QString detail() const { return look_.formats.join(QStringLiteral(", ")); }
    virtual KindTexts texts() const = 0;
    virtual ExportSubject subject() const;    // the shown run; the project where there is none
    virtual QString refusal() { return {}; }  // why the options as they stand give no file
    virtual std::vector<ExportEntry> entries() = 0;
    virtual void preview(int entry, ExportPreview& preview) = 0;
    // Returns the command that does the same in a terminal; `folder` is quoted already.
    virtual QString command(const QString& folder) = 0;
    using Work = std::function<std::vector<engine::launch::LaunchFile>()>;
    // Makes the files; may be called on another thread when isLong().
    virtual Work work() {
        return [] { return std::vector<engine::launch::LaunchFile>(); };
    }
    virtual bool isLong() { return false; }
    // The work of a kind that writes its files by itself, on another thread: they are too large for memory, or another program makes them.
    // It returns what went wrong, or nothing, and ends soon after `cancelled`.
    using Writer = std::function<QString(const QString& folder, const std::atomic<bool>& cancelled)>;
    virtual Writer writer() { return {}; }
    virtual void retranslate();
    virtual QString copied(int entry) {
        Q_UNUSED(entry)
        return {};
    }  // exact text of a file where the preview shows another layout

signals:
    void changed();  // an option

protected:
    ExportSubject projectSubject() const;
    int chosenFormat() const;
    void chooseFormat(int format);
    widgets::TextLabel* addLabel();
    // Adds choices that stand beside each other, one for each entry.
    widgets::SegmentedControl* addChoice(const QString& object_name, const QStringList& entries);

    ExportContext& context_;
    QVBoxLayout* column_;  // of the options; a stretch ends it

private:
    const KindLook look_;
    widgets::TextLabel* format_label_;
    widgets::SegmentedControl* format_;
};

class TfConfigKind : public ExportKind {
    Q_OBJECT
public:
    TfConfigKind(ExportContext& context, QWidget* parent);
    void setFormat(engine::launch::TfConfigFormat format);
    KindTexts texts() const override;
    ExportSubject subject() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;
    QString copied(int entry) override;

private:
    const engine::spec::ClusterSpec& cluster() const;
    engine::launch::TfConfigFormat format() const;
    std::vector<engine::launch::LaunchFile> files() const;
};

class ChartsKind : public ExportKind {
    Q_OBJECT
public:
    ChartsKind(ExportContext& context, QWidget* parent);
    void choose(charts::ChartCard* card);  // that one alone; null: all
    KindTexts texts() const override;
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
    widgets::TextLabel *charts_label_, *size_label_, *times_, *colors_label_;
    widgets::SegmentedControl* colors_;
    QComboBox* charts_;
    QSpinBox *width_, *height_;
};

class DataKind : public ExportKind {
    Q_OBJECT
public:
    DataKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
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
    void countSeries();  // into the label
    widgets::TextLabel *files_label_, *series_label_;
    widgets::SegmentedControl* files_;
    QListView* series_;
    QStandardItemModel* series_model_;
};

class ReportKind : public ExportKind {
    Q_OBJECT
public:
    ReportKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;

private:
    bool isPdf() const { return chosenFormat() == 1; }
    std::vector<const charts::ChartCard*> drawnCharts() const;
};

}  // namespace ui::views
