// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_kinds.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <array>

#include "engine/report/html_report.h"
#include "ui/charts/chart_card.h"
#include "ui/export/report_pdf.h"
#include "ui/export/report_words.h"
#include "ui/models/numbers.h"
#include "ui/parts/code_editor.h"
#include "ui/parts/commands_pane.h"
#include "ui/parts/tf_config_card.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_data.h"
#include "ui/session/runs/run_names.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using charts::ChartCard;
using charts::PictureFormat;
using engine::launch::LaunchFile;
using engine::launch::TfConfigFormat;
using engine::report::DataFiles;
using engine::report::DataFormat;
using engine::report::RunData;
using engine::report::SeriesData;
using theme::TextRole;
using widgets::Ink;
using widgets::SegmentedControl;
using widgets::TextLabel;

namespace {

constexpr std::array kConfigFormats{TfConfigFormat::kJson, TfConfigFormat::kEnv, TfConfigFormat::kBash, TfConfigFormat::kPowerShell};
constexpr std::array kConfigNames{"json", "env", "bash", "powershell"};
constexpr std::array kPictureNames{"png", "svg", "pdf"};
constexpr int kSeriesRow = 24, kMostSeriesRows = 8, kPreviewRows = 60, kPreviewWidth = 900;
constexpr int kLeastSide = 200, kMostSide = 8000;
constexpr std::size_t kPreviewCharacters = 60'000;

QHBoxLayout* beside(QWidget* first, QWidget* second = nullptr, QWidget* third = nullptr) {
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace2);
    for (QWidget* one : {first, second, third}) {
        if (one != nullptr) row->addWidget(one);
    }
    row->addStretch();
    return row;
}

std::vector<LaunchFile> launchFiles(std::vector<engine::report::ReportFile> files) {
    std::vector<LaunchFile> out;
    for (auto& file : files) out.push_back({std::move(file.file_name), std::move(file.text)});
    return out;
}

}  // namespace

ExportContext::ExportContext(session::Session& of_session, const theme::ThemeController& of_themes, const std::vector<ChartCard*>& shown)
    : session(of_session), themes(of_themes), charts(shown.begin(), shown.end()) {}

std::shared_ptr<const RunData> ExportContext::run() {
    if (!run_ && session.runs().current() != nullptr) run_ = std::make_shared<const RunData>(session::runData(*session.runs().current()));
    return run_;
}

QString ExportContext::runId() const {
    return session.runs().current() == nullptr ? QString() : session.runs().current()->id();
}

QString ExportContext::fileStem() const {
    return session.runs().current() == nullptr ? QString() : session::fileStemOf(session.runs().current()->summary());
}

// ---- preview -----------------------------------------------------------------------------------------------------------

class ExportPreview::PictureView : public QWidget {
public:
    using QWidget::QWidget;
    void show(const QImage& picture) {
        picture_ = picture;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (picture_.isNull()) return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        const QSizeF room = QSizeF(size()) - QSizeF(24, 16);
        QSizeF shown = picture_.size();
        if (shown.width() > room.width() || shown.height() > room.height()) shown.scale(room, Qt::KeepAspectRatio);
        painter.drawImage(QRectF(QPointF((width() - shown.width()) / 2, 8), shown), picture_);
    }

private:
    QImage picture_;
};

ExportPreview::ExportPreview(const theme::ThemeController& themes, QWidget* parent)
    : QStackedWidget(parent),
      config_(new TfConfigText(themes, this)),
      text_(new QPlainTextEdit(this)),
      code_(new CodeEditor(themes, this)),
      picture_(new PictureView(this)),
      refusal_(new TextLabel(themes, TextRole::kBody, Ink::kError, this)) {
    config_->setObjectName(QStringLiteral("exportPreview"));
    text_->setObjectName(QStringLiteral("exportText"));
    picture_->setObjectName(QStringLiteral("exportPicture"));
    code_->setObjectName(QStringLiteral("exportCode"));
    refusal_->setObjectName(QStringLiteral("exportRefusal"));
    refusal_->setWordWrap(true);
    refusal_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    refusal_->setContentsMargins(theme::kSpace4, theme::kSpace3, theme::kSpace4, theme::kSpace3);
    code_->setReadOnly(true);
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(themes.font(TextRole::kMono));
    for (QWidget* one : std::initializer_list<QWidget*>{config_, text_, code_, picture_, refusal_}) addWidget(one);
}

TfConfigText& ExportPreview::config() {
    setCurrentWidget(config_);
    return *config_;
}

void ExportPreview::showText(const QString& text) {
    setCurrentWidget(text_);
    text_->setPlainText(text);
}

void ExportPreview::showCode(const QString& code) {
    setCurrentWidget(code_);
    code_->showCode(code);
}

void ExportPreview::showPicture(const QImage& picture) {
    setCurrentWidget(picture_);
    picture_->show(picture);
}

void ExportPreview::showRefusal(const QString& why) {
    setCurrentWidget(refusal_);
    refusal_->setText(why);
}

QString ExportPreview::text() const {
    if (currentWidget() == text_) return text_->toPlainText();
    if (currentWidget() == code_) return code_->toPlainText();
    return currentWidget() == config_ ? config_->toPlainText() : QString();
}

// ---- all kinds ---------------------------------------------------------------------------------------------------------

ExportKind::ExportKind(ExportContext& context, KindLook look, QWidget* parent)
    : QWidget(parent), context_(context), column_(new QVBoxLayout(this)), look_(std::move(look)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(theme::kSpace2);
    format_label_ = addLabel();
    format_ = addChoice(look_.formats_name, look_.formats);
    const bool has_choice = look_.formats.size() > 1;
    for (QWidget* part : std::initializer_list<QWidget*>{format_label_, format_}) part->setVisible(has_choice);
}

TextLabel* ExportKind::addLabel() {
    auto* label = new TextLabel(context_.themes, TextRole::kSmall, Ink::kText2, this);
    column_->addWidget(label);
    return label;
}

SegmentedControl* ExportKind::addChoice(const QString& object_name, const QStringList& entries) {
    auto* choice = new SegmentedControl(context_.themes, this);
    choice->setObjectName(object_name);
    choice->setEntries(entries);
    column_->addLayout(beside(choice));
    connect(choice, &SegmentedControl::currentChanged, this, &ExportKind::changed);
    return choice;
}

int ExportKind::chosenFormat() const {
    return format_->current();
}

void ExportKind::chooseFormat(int format) {
    format_->setCurrent(format);
}

void ExportKind::retranslate() {
    format_label_->setText(tr("Format"));
    format_->setAccessibleName(tr("Format"));
}

ExportSubject ExportKind::projectSubject() const {
    ExportSubject subject;
    subject.name = QString::fromStdString(context_.session.project().spec().name);
    subject.folder = QFileInfo(context_.session.project().title()).completeBaseName();
    int tasks = 0;
    for (const auto& job : context_.session.project().spec().cluster.spec.jobs) tasks += static_cast<int>(job.tasks.size());
    subject.tasks = std::max(tasks, 1);
    return subject;
}

ExportSubject ExportKind::subject() const {
    const auto* run = context_.session.runs().current();
    if (run == nullptr) return projectSubject();
    return {run->summary().name, std::max(1, static_cast<int>(run->tasks().size())), context_.fileStem()};
}

// ---- TF_CONFIG ---------------------------------------------------------------------------------------------------------

TfConfigKind::TfConfigKind(ExportContext& context, QWidget* parent)
    : ExportKind(context,
                 {.icon = QStringLiteral("code"),
                  .formats_name = QStringLiteral("exportFormats"),
                  .formats = {QStringLiteral("JSON"), QStringLiteral(".env"), QStringLiteral("bash"), QStringLiteral("PowerShell")}},
                 parent) {
    column_->addStretch();
}

KindTexts TfConfigKind::texts() const {
    KindTexts texts{QStringLiteral("TF_CONFIG"), tr("One file per task. All hold the same cluster; the task's own type and index differ.")};
    if (!context_.session.project().isOpen() && context_.session.runs().current() == nullptr) {
        texts.obstacle = tr("No project is open");
    } else if (cluster().empty()) {
        texts.obstacle = tr("One task needs no TF_CONFIG");
    }
    return texts;
}

ExportSubject TfConfigKind::subject() const {
    return context_.session.project().isOpen() ? projectSubject() : ExportKind::subject();
}

// Returns the cluster of the open project, else that of the shown run, which holds its own.
const engine::spec::ClusterSpec& TfConfigKind::cluster() const {
    const auto* run = context_.session.runs().current();
    return context_.session.project().isOpen() || run == nullptr ? context_.session.project().spec().cluster.spec : run->run().cluster.spec;
}

TfConfigFormat TfConfigKind::format() const {
    return kConfigFormats[static_cast<std::size_t>(chosenFormat())];
}

void TfConfigKind::setFormat(TfConfigFormat wanted) {
    const auto at = std::find(kConfigFormats.begin(), kConfigFormats.end(), wanted);
    chooseFormat(static_cast<int>(at - kConfigFormats.begin()));
}

std::vector<LaunchFile> TfConfigKind::files() const {
    return engine::launch::tfConfigFiles(cluster(), format());
}

std::vector<ExportEntry> TfConfigKind::entries() {
    std::vector<ExportEntry> entries;
    for (const LaunchFile& file : files())
        entries.push_back({QString::fromStdString(file.file_name), static_cast<qint64>(file.text.size())});
    return entries;
}

void TfConfigKind::preview(int entry, ExportPreview& preview) {
    int place = 0;
    for (const auto& job : cluster().jobs) {
        for (const auto& [index, address] : job.tasks) {
            if (place++ == entry) preview.config().setConfig(cluster(), {job.name, index}, format());
        }
    }
}

QString TfConfigKind::copied(int entry) {
    const auto all = files();
    return entry >= 0 && entry < static_cast<int>(all.size()) ? QString::fromStdString(all[static_cast<std::size_t>(entry)].text)
                                                              : QString();
}

QString TfConfigKind::command(const QString& folder) {
    QString project = context_.session.project().path().isEmpty() ? QStringLiteral("PROJECT.tandem") : context_.session.project().path();
    if (!context_.session.project().isOpen() && context_.session.runs().current() != nullptr)
        project = context_.session.runs().current()->summary().run_dir + QStringLiteral("/project.tandem");
    return QStringLiteral("tandem-cli export tf-config %1 --format %2 --out %3")
        .arg(shellQuoted(project), kConfigNames[static_cast<std::size_t>(chosenFormat())], folder);
}

ExportKind::Work TfConfigKind::work() {
    return [made = files()] { return made; };
}

// ---- charts ------------------------------------------------------------------------------------------------------------

ChartsKind::ChartsKind(ExportContext& context, QWidget* parent)
    : ExportKind(context,
                 {.icon = QStringLiteral("image"),
                  .formats_name = QStringLiteral("exportPictureFormat"),
                  .formats = {QStringLiteral("PNG"), QStringLiteral("SVG"), QStringLiteral("PDF")}},
                 parent) {
    const theme::ThemeController& themes = context.themes;
    charts_label_ = addLabel();
    charts_ = new QComboBox(this);
    charts_->setObjectName(QStringLiteral("exportCharts"));
    column_->addWidget(charts_);
    size_label_ = addLabel();
    times_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    width_ = new QSpinBox(this);
    height_ = new QSpinBox(this);
    width_->setObjectName(QStringLiteral("exportWidth"));
    height_->setObjectName(QStringLiteral("exportHeight"));
    for (QSpinBox* side : {width_, height_}) {
        side->setRange(kLeastSide, kMostSide);
        side->setSingleStep(20);
        side->setSuffix(QStringLiteral(" px"));
        side->setFont(themes.font(TextRole::kMonoField));
        connect(side, &QSpinBox::valueChanged, this, &ExportKind::changed);
    }
    {
        const QSignalBlocker quiet_width(width_), quiet_height(height_);
        width_->setValue(charts::PictureOptions{}.size.width());
        height_->setValue(charts::PictureOptions{}.size.height());
    }
    column_->addLayout(beside(width_, times_, height_));
    colors_label_ = addLabel();
    colors_ = addChoice({}, {QString(), QString()});
    colors_->setCurrent(themes.theme().dark ? 1 : 0);
    column_->addStretch();
    connect(charts_, &QComboBox::currentIndexChanged, this, &ExportKind::changed);
}

void ChartsKind::retranslate() {
    ExportKind::retranslate();
    charts_label_->setText(tr("Charts"));
    charts_->setAccessibleName(tr("Charts"));
    size_label_->setText(tr("Size of a chart"));
    times_->setText(QStringLiteral("\u00d7"));
    width_->setAccessibleName(tr("Width"));
    height_->setAccessibleName(tr("Height"));
    colors_label_->setText(tr("Colours"));
    colors_->setAccessibleName(tr("Colours"));
    colors_->setEntries({tr("Light"), tr("Dark")});
    fillCharts();
}

void ChartsKind::fillCharts() {
    const QSignalBlocker blocker(charts_);
    const int before = std::max(0, charts_->currentIndex());
    charts_->clear();
    charts_->addItem(tr("All in one picture"));
    charts_->addItem(tr("Each in a picture of its own"));
    for (const auto& card : context_.charts) {
        if (card) charts_->addItem(card->title());
    }
    charts_->setCurrentIndex(std::min(before, charts_->count() - 1));
}

void ChartsKind::choose(ChartCard* card) {
    for (std::size_t i = 0; i < context_.charts.size(); ++i) {
        if (context_.charts[i] == card) charts_->setCurrentIndex(static_cast<int>(i) + 2);
    }
}

KindTexts ChartsKind::texts() const {
    const bool any = std::any_of(context_.charts.begin(), context_.charts.end(), [](const auto& card) { return card && !card->isEmpty(); });
    return {tr("Charts"), tr("As Monitor shows them now: zoom, smoothing, axes and marks. Lines and text stay sharp in SVG and PDF."),
            any ? QString() : tr("no step yet")};
}

std::vector<std::vector<const ChartCard*>> ChartsKind::pictures() const {
    std::vector<const ChartCard*> all;
    for (const auto& card : context_.charts) {
        if (card) all.push_back(card);
    }
    const int choice = charts_->currentIndex();
    if (choice >= 2 && choice - 2 < static_cast<int>(all.size())) return {{all[static_cast<std::size_t>(choice) - 2]}};
    if (choice <= 0) return {all};
    std::vector<std::vector<const ChartCard*>> each;
    for (const ChartCard* card : all) each.push_back({card});
    return each;
}

charts::PictureOptions ChartsKind::options() const {
    return {.format = static_cast<PictureFormat>(chosenFormat()), .size = {width_->value(), height_->value()}, .columns = 2};
}

std::unique_ptr<theme::ThemeController> ChartsKind::colors() const {
    return std::make_unique<theme::ThemeController>(colors_->current() == 1 ? theme::darkTheme() : theme::lightTheme());
}

std::vector<ExportEntry> ChartsKind::names() const {
    std::vector<ExportEntry> names;
    const QString ending = QLatin1String(kPictureNames[static_cast<std::size_t>(chosenFormat())]);
    for (const auto& cards : pictures()) {
        // chartLoss -> loss: names that no language changes.
        QString word = cards.size() == 1 ? cards.front()->objectName().remove(0, 5).toLower() : QStringLiteral("charts");
        names.push_back({QStringLiteral("%1-%2.%3").arg(context_.fileStem(), word, ending)});
    }
    return names;
}

std::vector<ExportEntry> ChartsKind::entries() {
    return names();
}

void ChartsKind::preview(int entry, ExportPreview& preview) {
    const auto all = pictures();
    if (entry < 0 || entry >= static_cast<int>(all.size())) return preview.showPicture({});
    charts::PictureOptions small = options();
    small.format = PictureFormat::kPng;
    const double wide = small.size.width() * (all[static_cast<std::size_t>(entry)].size() > 1 ? 2 : 1);
    small.scale = std::min(1.0, kPreviewWidth / wide);
    preview.showPicture(QImage::fromData(charts::chartPicture(all[static_cast<std::size_t>(entry)], *colors(), small), "PNG"));
}

QString ChartsKind::command(const QString& folder) {
    const int choice = charts_->currentIndex();
    const QString which = choice == 1 ? QStringLiteral(" --split") : QString();
    return QStringLiteral("tandem --export charts --run %1 --format %2 --size %3x%4%5 --theme %6 --out %7")
        .arg(context_.runId(), QLatin1String(kPictureNames[static_cast<std::size_t>(chosenFormat())]))
        .arg(width_->value())
        .arg(height_->value())
        .arg(which, colors_->current() == 1 ? QStringLiteral("dark") : QStringLiteral("light"), folder);
}

ExportKind::Work ChartsKind::work() {
    return [this] {
        std::vector<LaunchFile> files;
        const auto all = pictures();
        const auto called = names();
        const auto themes = colors();
        for (std::size_t i = 0; i < all.size(); ++i) {
            files.push_back({called[i].name.toStdString(), charts::chartPicture(all[i], *themes, options()).toStdString()});
        }
        return files;
    };
}

// ---- data --------------------------------------------------------------------------------------------------------------

DataKind::DataKind(ExportContext& context, QWidget* parent)
    : ExportKind(context,
                 {.icon = QStringLiteral("columns"),
                  .formats_name = QStringLiteral("exportDataFormat"),
                  .formats = {QStringLiteral("CSV"), QStringLiteral("JSON")}},
                 parent) {
    files_label_ = addLabel();
    files_ = addChoice(QStringLiteral("exportDataFiles"), {QString(), QString()});
    series_label_ = addLabel();
    series_model_ = new QStandardItemModel(this);
    series_ = new QListView(this);
    series_->setObjectName(QStringLiteral("exportSeries"));
    series_->setModel(series_model_);
    series_->setFont(context.themes.font(TextRole::kMono));
    series_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    series_->setFixedHeight(kMostSeriesRows * kSeriesRow);
    column_->addWidget(series_);
    column_->addStretch();
    connect(series_model_, &QStandardItemModel::itemChanged, this, [this] {
        countSeries();
        emit changed();
    });
}

void DataKind::retranslate() {
    ExportKind::retranslate();
    files_label_->setText(tr("Files"));
    files_->setAccessibleName(tr("Files"));
    files_->setEntries({tr("One for all"), tr("One a series")});
    series_->setAccessibleName(tr("Series to write"));
    countSeries();
}

void DataKind::countSeries() {
    const int all = series_model_->rowCount();
    series_label_->setText(all > 0 ? tr("Series: %1 of %2").arg(options().series.size()).arg(all) : tr("Series"));
}

// The series are listed when the kind is chosen: gathering the points of a long run takes a moment.
void DataKind::showEvent(QShowEvent* event) {
    fillSeries();
    ExportKind::showEvent(event);
}

void DataKind::fillSeries() {
    const auto run = context_.run();
    if (!run || series_model_->rowCount() > 0) return;
    {
        for (const SeriesData& one : run->series) {
            auto* item =
                new QStandardItem(QStringLiteral("%1  (%2)")
                                      .arg(QString::fromStdString(one.name), models::formatCount(static_cast<std::int64_t>(one.size()))));
            item->setData(QString::fromStdString(one.name));
            item->setCheckable(true);
            item->setCheckState(Qt::Checked);
            series_model_->appendRow(item);
        }
    }
    countSeries();
}

KindTexts DataKind::texts() const {
    const auto* run = context_.session.runs().current();
    return {tr("Data"), tr("Every point as it was told: no smoothing, dots as decimal points, seconds since the launch."),
            run == nullptr || run->lastStep() == 0 ? tr("no step yet") : QString()};
}

engine::report::DataOptions DataKind::options() const {
    engine::report::DataOptions chosen{.format = chosenFormat() == 1 ? DataFormat::kJson : DataFormat::kCsv,
                                       .files = files_->current() == 1 ? DataFiles::kEachSeries : DataFiles::kOne};
    for (int row = 0; row < series_model_->rowCount(); ++row) {
        if (series_model_->item(row)->checkState() == Qt::Checked)
            chosen.series.push_back(series_model_->item(row)->data().toString().toStdString());
    }
    return chosen;
}

std::vector<ExportEntry> DataKind::entries() {
    fillSeries();
    const auto run = context_.run();
    const auto chosen = options();
    std::vector<ExportEntry> entries;
    if (!run || chosen.series.empty()) return entries;
    for (const auto& file : dataFileSizes(*run, chosen))
        entries.push_back({QString::fromStdString(file.file_name), static_cast<qint64>(file.bytes), file.about});
    return entries;
}

void DataKind::preview(int entry, ExportPreview& preview) {
    const auto run = context_.run();
    auto chosen = options();
    if (!run || chosen.series.empty()) return preview.showText({});
    chosen.most_rows = kPreviewRows;
    const auto files = dataFiles(*run, chosen);
    if (entry < 0 || entry >= static_cast<int>(files.size())) return preview.showText({});
    std::string text = files[static_cast<std::size_t>(entry)].text;
    if (chosen.format == DataFormat::kJson) {
        QString spread = QString::fromStdString(text.substr(0, kPreviewCharacters));
        spread.replace(QStringLiteral(",\""), QStringLiteral(",\n  \"")).replace(QStringLiteral("},{"), QStringLiteral("},\n{"));
        return preview.showText(spread);
    }
    preview.showText(QString::fromStdString(text.substr(0, kPreviewCharacters)));
}

QString DataKind::command(const QString& folder) {
    const auto chosen = options();
    QString series;
    if (static_cast<int>(chosen.series.size()) < series_model_->rowCount()) {
        for (const std::string& name : chosen.series) series += QStringLiteral(" --series ") + shellQuoted(QString::fromStdString(name));
    }
    return QStringLiteral("tandem-cli export data %1 --format %2%3%4 --out %5")
        .arg(context_.runId(), chosen.format == DataFormat::kCsv ? QStringLiteral("csv") : QStringLiteral("json"), series,
             chosen.files == DataFiles::kEachSeries ? QStringLiteral(" --split") : QString(), folder);
}

ExportKind::Work DataKind::work() {
    return [run = context_.run(), chosen = options()] { return launchFiles(dataFiles(*run, chosen)); };
}

// ---- report ------------------------------------------------------------------------------------------------------------

ReportKind::ReportKind(ExportContext& context, QWidget* parent)
    : ExportKind(context,
                 {.icon = QStringLiteral("file"),
                  .formats_name = QStringLiteral("exportReportFormat"),
                  .formats = {QStringLiteral("HTML"), QStringLiteral("PDF")}},
                 parent) {
    column_->addStretch();
}

KindTexts ReportKind::texts() const {
    return {tr("Report"), tr("The run on one page to keep or to pass on: results, charts, settings, tasks, epochs and what happened."),
            context_.session.runs().current() == nullptr ? tr("no run yet") : QString()};
}

std::vector<const ChartCard*> ReportKind::drawnCharts() const {
    std::vector<const ChartCard*> cards;
    for (const auto& card : context_.charts) {
        if (card && !card->isEmpty()) cards.push_back(card);
    }
    return cards;
}

std::vector<ExportEntry> ReportKind::entries() {
    const auto run = context_.run();
    if (!run) return {};
    if (isPdf()) return {{QString::fromStdString(run->facts.fileStem()) + QStringLiteral(".pdf")}};
    const auto file = htmlReport(*run, reportLanguage());
    return {{QString::fromStdString(file.file_name), static_cast<qint64>(file.text.size())}};
}

void ReportKind::preview(int, ExportPreview& preview) {
    const auto run = context_.run();
    if (!run) return preview.showPicture({});
    preview.showPicture(reportPage(*run, drawnCharts(), kPreviewWidth));
}

QString ReportKind::command(const QString& folder) {
    return (isPdf() ? QStringLiteral("tandem --export report --run %1 --out %2")
                    : QStringLiteral("tandem --export report --format html --run %1 --out %2"))
        .arg(context_.runId(), folder);
}

ExportKind::Work ReportKind::work() {
    return [this, run = context_.run()]() -> std::vector<LaunchFile> {
        if (isPdf()) return {{run->facts.fileStem() + ".pdf", reportPdf(*run, drawnCharts()).toStdString()}};
        auto file = htmlReport(*run, reportLanguage());
        return {{std::move(file.file_name), std::move(file.text)}};
    };
}

}  // namespace ui::views

#include "moc_export_kinds.cpp"
