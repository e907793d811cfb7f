// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_wizard.h"

#include <QComboBox>
#include <QDir>
#include <QDirIterator>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/project/csv_guess.h"
#include "engine/spec/project/run_spec.h"
#include "ui/data/data_facts.h"
#include "ui/data/data_samples.h"
#include "ui/data/format_fields.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/session/runs/run_record.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::BadRecord;
using engine::spec::DataSpec;
using session::DataPhase;
using session::DataState;
using theme::TextRole;
using widgets::ButtonKind;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kMinimumWidth = 860, kMinimumHeight = 560, kLeftWidth = 320, kFootHeight = 60, kHeadHeight = 52, kDelayMs = 400;
constexpr int kMostBad = 6;
constexpr int kGuessedFiles = 2000;        // of a folder, to see what is in it
constexpr qint64 kGuessedBytes = 1 << 16;  // of a table, to see how it is written

bool hasPairs(const std::string& format) {
    const auto* known = engine::spec::findDatasetFormat(format);
    return known != nullptr && known->has_pairs;
}

std::vector<std::string> listOf(const QString& text) {
    std::vector<std::string> files;
    for (const QString& part : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) files.push_back(part.trimmed().toStdString());
    return files;
}

QString textOf(const std::vector<std::string>& files) {
    QStringList parts;
    for (const std::string& file : files) parts << QString::fromStdString(file);
    return parts.join("; ");
}

// Returns the project's data for the format, without files and without settings of any format.
DataSpec emptyOf(const DataSpec& data, const std::string& format) {
    DataSpec fresh = data;
    fresh.dataset = format;
    fresh.train_images = fresh.train_labels = fresh.test_images = fresh.test_labels = {};
    fresh.train_files = fresh.test_files = {};
    const DataSpec usual;
    fresh.csv = usual.csv;
    fresh.csv.label = "-1";
    fresh.npz = usual.npz;
    fresh.tfrecord = usual.tfrecord;
    fresh.text = usual.text;
    fresh.images = usual.images;
    return fresh;
}

// Of pictures, unless only texts are among the first files of the folders below: a note may lie beside pictures.
QString guessFolder(const QString& path) {
    bool has_texts = false;
    int seen = 0;
    for (const QFileInfo& folder : QDir(path).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        for (QDirIterator files(folder.filePath(), QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
            if (++seen > kGuessedFiles) break;
            const QString name = files.next().toLower();
            if (name.endsWith(".png") || name.endsWith(".jpg") || name.endsWith(".jpeg")) return QStringLiteral("image_folder");
            has_texts = has_texts || name.endsWith(".txt");
        }
    }
    return has_texts ? QStringLiteral("text_folder") : QStringLiteral("image_folder");
}

}  // namespace

QString guessFormat(const QString& path) {
    if (QFileInfo(path).isDir()) return guessFolder(path);
    const QString name = QFileInfo(path).fileName().toLower();
    if (name.endsWith(".csv") || name.endsWith(".tsv")) return QStringLiteral("csv");
    if (name.endsWith(".npz")) return QStringLiteral("npz");
    if (name.endsWith(".npy")) return QStringLiteral("npy");
    if (name.contains(".tfrecord") || name.endsWith(".tfrec")) return QStringLiteral("tfrecord");
    if (name.contains("ubyte") || name.contains("-idx") || name.contains(".idx")) return QStringLiteral("idx");
    if (name.endsWith(".bin"))
        return name.startsWith("train") || name.startsWith("test.") ? QStringLiteral("cifar100_files") : QStringLiteral("cifar10_files");
    if (name.endsWith(".txt")) return QStringLiteral("text");
    return {};
}

DataWizard::DataWizard(WizardStart start, const theme::ThemeController& themes, QWidget* parent)
    : QDialog(parent),
      themes_(themes),
      data_(std::move(start.data)),
      input_shape_(std::move(start.input_shape)),
      base_(std::move(start.base)),
      inspection_(std::move(start.slot)) {
    setObjectName("dataWizard");
    setMinimumSize(kMinimumWidth, kMinimumHeight);
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMs);
    if (engine::spec::findDatasetFormat(data_.dataset) == nullptr) data_ = emptyOf(data_, "csv");
    if (data_.csv.label.empty()) data_.csv.label = "-1";
    if (!data_.train_files.empty())
        guessed_file_ = QString::fromStdString(data_.train_files.front());  // the project says how it is written
    build();
    connect(&delay_, &QTimer::timeout, this, &DataWizard::look);
    connect(&inspection_, &session::DataInspection::changed, this, &DataWizard::refresh);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    retranslate();
    showFields();
    delay_.start(0);
}

DataWizard::FileRow DataWizard::addFile(QFormLayout& form, const char* name) {
    FileRow row{new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this), new QLineEdit(this),
                widgets::makeButton(themes_, {QLatin1String(name) + "Browse", "folder", ButtonKind::kPlain, false}, this)};
    row.edit->setObjectName(name);
    row.edit->setFont(themes_.font(TextRole::kMonoField));
    auto* line = new QHBoxLayout;
    line->setSpacing(theme::kSpace2);
    line->addWidget(row.edit, 1);
    line->addWidget(row.browse);
    form.addRow(row.label);
    form.addRow(line);
    connect(row.edit, &QLineEdit::textEdited, this, &DataWizard::readFields);
    return row;
}

void DataWizard::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(theme::kSpace6, 0, theme::kSpace6, 0);
    title_ = new TextLabel(themes_, TextRole::kTitle, Ink::kText, this);
    title_->setFixedHeight(kHeadHeight);
    head->addWidget(title_);
    column->addLayout(head);
    auto* body = new QHBoxLayout;
    body->setContentsMargins(theme::kSpace6, theme::kSpace4, theme::kSpace6, theme::kSpace4);
    body->setSpacing(theme::kSpace6);
    body->addWidget(buildForm(), 0, Qt::AlignTop);
    body->addLayout(buildFindings(), 1);
    column->addLayout(body, 1);
    column->addWidget(buildFoot());
    connectParts();
}

QWidget* DataWizard::buildForm() {
    auto* left = new QWidget(this);
    left->setFixedWidth(kLeftWidth);
    auto* form = new QFormLayout(left);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(theme::kSpace2);
    form->setHorizontalSpacing(theme::kSpace4);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    format_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, left);
    format_ = new QComboBox(left);
    format_->setObjectName("wizardFormat");
    for (const auto& format : engine::spec::datasetFormats()) {
        format_->addItem(QString(), QString::fromStdString(format.name));
    }
    form->addRow(format_label_, format_);
    constexpr const char* kNames[] = {"wizardTrain", "wizardTrainLabels", "wizardTest", "wizardTestLabels"};
    for (int i = 0; i < 4; ++i) {
        files_[i] = addFile(*form, kNames[i]);
        connect(files_[i].browse, &QAbstractButton::clicked, this, [this, i] { browse(files_[i]); });
    }
    fields_ = new FormatFields(*form, themes_, left);
    on_error_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, left);
    on_error_ = new widgets::SegmentedControl(themes_, left);
    on_error_->setObjectName("wizardOnError");
    form->addRow(on_error_label_, on_error_);
    return left;
}

QLayout* DataWizard::buildFindings() {
    auto* right = new QVBoxLayout;
    right->setSpacing(theme::kSpace3);
    facts_ = new DataFacts(themes_, this);
    samples_ = new SampleCard(themes_, this);
    columns_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    columns_->setObjectName("wizardColumns");
    columns_->setWordWrap(true);
    bad_ = new TextLabel(themes_, TextRole::kSmall, Ink::kWarn, this);
    bad_->setObjectName("wizardBad");
    bad_->setWordWrap(true);
    sentence_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, this);
    sentence_->setObjectName("wizardSentence");
    sentence_->setWordWrap(true);
    right->addWidget(facts_);
    right->addWidget(samples_, 1);
    right->addWidget(columns_);
    right->addWidget(bad_);
    right->addWidget(sentence_);
    return right;
}

QWidget* DataWizard::buildFoot() {
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(theme::kSpace6, 0, theme::kSpace6, 0);
    foot->setSpacing(theme::kSpace2);
    cancel_ = widgets::makeButton(themes_, {"wizardCancel", {}, ButtonKind::kPlain, false}, this);
    take_ = widgets::makeButton(themes_, {"wizardTake", {}, ButtonKind::kPrimary, false}, this);
    take_->setDefault(true);
    foot->addStretch(1);
    foot->addWidget(cancel_);
    foot->addWidget(take_);
    auto* foot_box = new QWidget(this);
    foot_box->setFixedHeight(kFootHeight);
    foot_box->setLayout(foot);
    return foot_box;
}

void DataWizard::connectParts() {
    connect(format_, &QComboBox::activated, this, [this](int index) { setFormat(format_->itemData(index).toString()); });
    connect(fields_, &FormatFields::labelChosen, this, [this](const QString& column) {
        data_.csv.label = column.toStdString();
        delay_.start();
        refresh();
    });
    connect(fields_, &FormatFields::delimiterChosen, this, [this](const QString& sign) {
        data_.csv.delimiter = sign.toStdString();
        delay_.start();
        refresh();
    });
    connect(fields_, &FormatFields::changed, this, &DataWizard::readFields);
    connect(on_error_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        data_.on_error = index == 0 ? BadRecord::kSkip : BadRecord::kRefuse;
        refresh();
    });
    connect(samples_, &SampleCard::othersRequested, this, [this] {
        static int draw = 0;
        inspection_.start(data_, base_, session::DataInspection::Fetch::kNo, session::DataInspection::Depth::kLook, ++draw);
    });
    connect(cancel_, &QAbstractButton::clicked, this, &QDialog::reject);
    connect(take_, &QAbstractButton::clicked, this, [this] {
        emit taken(data_, format_->currentText());
        accept();
    });
}

void DataWizard::browse(FileRow& row) {
    const QString title = row.label->text();
    QStringList chosen;
    if (engine::spec::isFolder(data_.dataset)) {
        chosen << QFileDialog::getExistingDirectory(this, title, base_);
    } else if (hasPairs(data_.dataset) || data_.dataset == "npz") {
        chosen << QFileDialog::getOpenFileName(this, title, base_);
    } else {
        chosen = QFileDialog::getOpenFileNames(this, title, base_);
    }
    chosen.removeAll(QString());
    if (chosen.isEmpty()) return;
    row.edit->setText(chosen.join("; "));
    readFields();
}

void DataWizard::setFormat(const QString& format) {
    if (format.toStdString() == data_.dataset) return;
    data_ = emptyOf(data_, format.toStdString());
    guessed_file_.clear();
    inspection_.clear();
    showFields();
    delay_.start(0);
}

void DataWizard::setDropped(const QStringList& paths) {
    if (paths.isEmpty()) return;
    const QString format = guessFormat(paths.front());
    if (!format.isEmpty()) data_ = emptyOf(data_, format.toStdString());
    guessed_file_.clear();
    if (hasPairs(data_.dataset)) {
        for (const QString& path : paths) {
            const QString name = QFileInfo(path).fileName().toLower();
            const bool is_label = name.contains("label") || name.startsWith("y");
            const bool is_test = name.contains("test") || name.startsWith("t10k");
            std::string& field =
                is_test ? (is_label ? data_.test_labels : data_.test_images) : (is_label ? data_.train_labels : data_.train_images);
            field = path.toStdString();
        }
    } else {
        for (const QString& path : paths) {
            const bool is_test = QFileInfo(path).fileName().toLower().startsWith("test") && paths.size() > 1;
            (is_test ? data_.test_files : data_.train_files).push_back(path.toStdString());
        }
        // A folder with the parts below it, as archives of pictures and texts often are.
        if (engine::spec::isFolder(data_.dataset) && QDir(paths.front()).exists("train")) {
            data_.train_files = {QDir(paths.front()).filePath("train").toStdString()};
            if (QDir(paths.front()).exists("test")) data_.test_files = {QDir(paths.front()).filePath("test").toStdString()};
        }
    }
    showFields();
    delay_.start(0);
}

void DataWizard::showFields() {
    const bool are_pairs = hasPairs(data_.dataset);
    for (int i = 0; i < 4; ++i) {
        const bool is_shown = are_pairs || i % 2 == 0;
        for (QWidget* part : std::initializer_list<QWidget*>{files_[i].label, files_[i].edit, files_[i].browse}) part->setVisible(is_shown);
    }
    const QString texts[] = {
        are_pairs ? QString::fromStdString(data_.train_images) : textOf(data_.train_files), QString::fromStdString(data_.train_labels),
        are_pairs ? QString::fromStdString(data_.test_images) : textOf(data_.test_files), QString::fromStdString(data_.test_labels)};
    for (int i = 0; i < 4; ++i) {
        files_[i].edit->setText(texts[i]);
        files_[i].edit->setToolTip(texts[i]);
    }
    fields_->show(data_);
    const QSignalBlocker quiet(on_error_);
    format_->setCurrentIndex(format_->findData(QString::fromStdString(data_.dataset)));
    on_error_->setCurrent(data_.on_error == BadRecord::kSkip ? 0 : 1);
    retranslate();
}

void DataWizard::readFields() {
    if (hasPairs(data_.dataset)) {
        std::string* fields[] = {&data_.train_images, &data_.train_labels, &data_.test_images, &data_.test_labels};
        for (int i = 0; i < 4; ++i) *fields[i] = files_[i].edit->text().trimmed().toStdString();
    } else {
        data_.train_files = listOf(files_[0].edit->text());
        data_.test_files = listOf(files_[2].edit->text());
    }
    fields_->read(data_);
    if (data_.dataset == "tfrecord" && data_.tfrecord.shape.empty()) data_.tfrecord.shape = input_shape_;
    delay_.start();
    refresh();
}

QString DataWizard::problem() const {
    const bool are_pairs = hasPairs(data_.dataset);
    if (are_pairs && (data_.train_images.empty() || data_.train_labels.empty())) return tr("Choose the files of samples and of labels.");
    if (!are_pairs && data_.train_files.empty()) {
        return engine::spec::isFolder(data_.dataset) ? tr("Choose a folder with one sub-folder a class.")
                                                     : tr("Choose the files of the training samples.");
    }
    return {};
}

// A file whose name says another format without doubt is read as that one.
void DataWizard::recognise() {
    static const std::set<std::string> kUnmistakable{"idx", "npy", "npz", "csv", "tfrecord"};
    const bool are_pairs = hasPairs(data_.dataset);
    const std::string first = are_pairs ? data_.train_images : data_.train_files.empty() ? std::string() : data_.train_files.front();
    const QFileInfo file(QDir(base_), QString::fromStdString(first));
    if (first.empty() || !file.isFile()) return;
    const std::string format = guessFormat(file.filePath()).toStdString();
    if (format == data_.dataset || !kUnmistakable.contains(format)) return;
    const DataSpec chosen = data_;
    data_ = emptyOf(data_, format);
    guessed_file_.clear();
    if (are_pairs && hasPairs(format)) {
        data_.train_images = chosen.train_images;
        data_.train_labels = chosen.train_labels;
        data_.test_images = chosen.test_images;
        data_.test_labels = chosen.test_labels;
    } else if (hasPairs(format)) {
        data_.train_images = first;
    } else {
        data_.train_files = are_pairs ? std::vector<std::string>{first} : chosen.train_files;
        data_.test_files = chosen.test_files;
    }
    inspection_.clear();
    showFields();
}

// Guesses once for a file: what the user sets afterwards stays.
void DataWizard::guessTable() {
    const QString first = data_.train_files.empty() ? QString() : QString::fromStdString(data_.train_files.front());
    if (data_.dataset != "csv" || first == guessed_file_) return;
    QFile file(QDir(base_).filePath(first));
    if (!QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly)) return;
    guessed_file_ = first;
    const QByteArray beginning = file.read(kGuessedBytes);
    data_.csv = engine::spec::guessCsv({beginning.data(), static_cast<std::size_t>(beginning.size())}, data_.csv);
    fields_->show(data_);
}

void DataWizard::look() {
    recognise();
    guessTable();
    if (problem().isEmpty()) {
        if (data_.dataset == "tfrecord" && data_.tfrecord.shape.empty()) data_.tfrecord.shape = input_shape_;
        inspection_.start(data_, base_, session::DataInspection::Fetch::kNo, session::DataInspection::Depth::kCheckAll);
    } else {
        inspection_.clear();
    }
    refresh();
}

void DataWizard::refresh() {
    const DataState& state = inspection_.state();
    // What was edited since is not looked at yet.
    const bool is_ready = state.phase == DataPhase::kReady && !delay_.isActive();
    const bool has_summary = state.has_summary && state.phase != DataPhase::kFailed;  // else of files that were chosen before
    const session::DataSummary shown = has_summary ? state.summary : session::DataSummary{};
    samples_->setSummary(shown);
    const bool is_reading = state.phase == DataPhase::kReading;
    samples_->setBusy(!is_reading       ? QString()
                      : state.total > 0 ? tr("%1 of %2 read").arg(models::formatCount(state.done), models::formatCount(state.total))
                                        : tr("reading"));
    const QString missing(models::kMissing);
    facts_->setFacts(
        {{has_summary ? models::formatCount(shown.train_samples) : missing, tr("training samples")},
         {has_summary ? models::formatCount(shown.test_samples) : missing, tr("test samples")},
         {has_summary ? models::formatShape(shown.shape) : missing, has_summary ? shown.dtype : tr("shape")},
         {has_summary && shown.has_classes
              ? tr("%n class(es)", nullptr, static_cast<int>(shown.groups.size() + static_cast<std::size_t>(shown.groups_left_out)))
              : missing,
          tr("labels")}});
    QStringList columns;
    for (const session::ColumnFacts& column : shown.columns) {
        const QString kind = column.type == "category"  ? tr("category of %n", nullptr, column.categories)
                             : column.type == "integer" ? tr("whole number")
                                                        : tr("number");
        columns << (column.is_label ? tr("%1 (label): %2").arg(column.name, kind) : models::withName(column.name, kind));
    }
    columns_->setText(columns.join(",  "));
    columns_->setVisible(!columns.isEmpty());
    fields_->setColumns(shown.columns, is_ready ? FormatFields::Label::kOfAnswer : FormatFields::Label::kOfUser);
    QStringList bad;
    if (shown.bad > 0) {
        bad << (data_.on_error == BadRecord::kSkip
                    ? tr("%n bad sample(s) will be skipped:", nullptr, static_cast<int>(shown.bad))
                    : tr("%n bad sample(s): training will refuse the set.", nullptr, static_cast<int>(shown.bad)));
        for (int i = 0; i < std::min<int>(kMostBad, static_cast<int>(shown.first_bad.size())); ++i)
            bad << models::findingText(shown.first_bad[i]);
    }
    bad_->setText(bad.join("\n"));
    bad_->setVisible(!bad.isEmpty());
    const QString nothing = problem();
    sentence_->setText(!nothing.isEmpty() ? nothing : state.phase == DataPhase::kFailed ? models::findingText(state.problem) : QString());
    sentence_->setInk(state.phase == DataPhase::kFailed ? Ink::kError : Ink::kText2);
    sentence_->setVisible(!sentence_->text().isEmpty());
    const bool is_refused = shown.bad > 0 && data_.on_error == BadRecord::kRefuse;
    take_->setEnabled(is_ready && nothing.isEmpty());
    take_->setToolTip(is_ready ? (is_refused ? tr("Training will stop at the first bad sample.") : QString())
                               : tr("There is nothing to take yet."));
}

void DataWizard::retranslate() {
    title_->setText(tr("Add a data set from files"));
    setAccessibleName(title_->text());
    const bool are_pairs = hasPairs(data_.dataset);
    format_label_->setText(tr("Format"));
    for (int i = 0; i < format_->count(); ++i)
        format_->setItemText(i, models::engineText(engine::spec::findDatasetFormat(format_->itemData(i).toString().toStdString())->title));
    const bool is_folder = engine::spec::isFolder(data_.dataset);
    const QString names[] = {are_pairs   ? tr("Training samples")
                             : is_folder ? tr("Training folder")
                                         : tr("Training files"),
                             tr("Training labels"),
                             are_pairs   ? tr("Test samples (optional)")
                             : is_folder ? tr("Test folder (optional)")
                                         : tr("Test files (optional)"),
                             tr("Test labels (optional)")};
    for (int i = 0; i < 4; ++i) {
        files_[i].label->setText(names[i]);
        files_[i].edit->setAccessibleName(names[i]);
        files_[i].browse->setToolTip(tr("Choose"));
        files_[i].browse->setAccessibleName(tr("Choose: %1").arg(names[i]));
    }
    fields_->retranslate(data_);
    on_error_label_->setText(tr("Bad samples"));
    const QSignalBlocker quiet(on_error_);
    on_error_->setEntries({tr("skip"), tr("refuse")});
    on_error_->setCurrent(data_.on_error == BadRecord::kSkip ? 0 : 1);
    format_->setAccessibleName(format_label_->text());
    on_error_->setAccessibleName(on_error_label_->text());
    cancel_->setText(tr("Cancel"));
    take_->setText(tr("Use this data set"));
    refresh();
}

void DataWizard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

void DataWizard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    painter.fillRect(QRect(1, kHeadHeight, width() - 2, 1), t.border);
    painter.fillRect(QRect(1, height() - kFootHeight - 1, width() - 2, 1), t.border);
}

}  // namespace ui::views

#include "moc_data_wizard.cpp"
