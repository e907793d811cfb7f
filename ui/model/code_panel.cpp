// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/code_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/spec/project/run_spec.h"
#include "ui/models/finding_text.h"
#include "ui/parts/code_editor.h"
#include "ui/session/project/project.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using namespace engine::spec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kHeadHeight = 37, kFootHeight = 34, kTypingMs = 300, kRestMs = 2000;
constexpr CodeLayout kPanelLayout{.width = 48, .indent = 2, .imports = false};

// Takes the parts of a project that code is about.
void takeModel(const CodeReading& reading, RunSpec& run) {
    run.model = reading.run.model;
    run.compile = reading.run.compile;
    run.fit = reading.run.fit;
    run.callbacks = reading.run.callbacks;
}

// Other pages change these too: what stands in the text counts when it is new there.
void takeRest(const CodeReading& reading, RunSpec& run) {
    run.data = reading.run.data;
    run.cluster = reading.run.cluster;
    run.strategy = reading.run.strategy;
}

// Returns the project with what was typed and is not in it yet. A part that was not touched is the project's, and agreed upon from now on.
RunSpec withTyped(const RunSpec& project, const RunSpec& typed, RunSpec& agreed) {
    RunSpec both = project;
    const auto merge = [&](auto part) {
        if (typed.*part == agreed.*part)
            agreed.*part = project.*part;
        else
            both.*part = typed.*part;
    };
    merge(&RunSpec::model);
    merge(&RunSpec::compile);
    merge(&RunSpec::fit);
    merge(&RunSpec::callbacks);
    merge(&RunSpec::data);
    merge(&RunSpec::cluster);
    merge(&RunSpec::strategy);
    return both;
}

bool sameRest(const RunSpec& a, const RunSpec& b) {
    return a.data == b.data && a.cluster == b.cluster && a.strategy == b.strategy;
}

int countOf(const CodeReading& reading, Severity severity) {
    return static_cast<int>(
        std::count_if(reading.notes.begin(), reading.notes.end(), [&](const CodeNote& note) { return note.severity == severity; }));
}

}  // namespace

CodePanel::CodePanel(session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), project_(project), themes_(themes) {
    setObjectName(QStringLiteral("codePanel"));
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    pill_ = new widgets::StatusPill(themes, this);
    pill_->setObjectName(QStringLiteral("codeState"));
    copy_ = new QToolButton(this);
    copy_->setObjectName(QStringLiteral("codeCopy"));
    copy_->setIcon(themes.icon(QStringLiteral("copy")));
    copy_->setProperty("compact", true);
    copy_->setFixedSize(theme::kCompactHeight, theme::kCompactHeight);
    editor_ = new CodeEditor(themes, this);
    hint_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    hint_->setElided(true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(36, 0, theme::kSpace3, 0);
    head->setSpacing(theme::kSpace2);
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(pill_);
    head->addWidget(copy_);
    auto* top = new QWidget(this);
    top->setFixedHeight(kHeadHeight);
    top->setLayout(head);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(14, 0, theme::kSpace3, 0);
    foot->addWidget(hint_, 1);
    auto* bottom = new QWidget(this);
    bottom->setFixedHeight(kFootHeight);
    bottom->setLayout(foot);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(top);
    layout->addWidget(editor_, 1);
    layout->addWidget(bottom);
    typing_.setSingleShot(true);
    typing_.setInterval(kTypingMs);
    connect(&typing_, &QTimer::timeout, this, &CodePanel::takeText);
    connect(editor_, &CodeEditor::textEdited, this, [this] {
        // Typing in one line is one step of undo, until it rests.
        const bool goes_on = editor_->currentLine() == typed_line_ && last_typed_.isValid() && last_typed_.elapsed() < kRestMs;
        if (!goes_on) ++typing_step_;
        typed_line_ = editor_->currentLine();
        last_typed_.start();
        typing_.start();
    });
    connect(editor_, &CodeEditor::undoPressed, this, &CodePanel::finishTyping);
    connect(&project_, &session::Project::typingWanted, this, &CodePanel::finishTyping);
    connect(editor_, &CodeEditor::pasteBegins, this, &CodePanel::finishTyping);
    connect(editor_, &CodeEditor::pasted, this, [this] {
        typing_.stop();
        last_typed_.invalidate();
        takeReading(readText(), tr("Paste code"), 0);
    });
    connect(editor_, &CodeEditor::lineEntered, this, [this](int line) {
        for (std::size_t i = 0; i < reading_.layers.size(); ++i) {
            if (line >= reading_.layers[i].first && line <= reading_.layers[i].last) return emit layerEntered(static_cast<int>(i));
        }
    });
    connect(copy_, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(runnableCode()); });
    connect(&project_, &session::Project::replaced, this, &CodePanel::restart);
    connect(&project_, &session::Project::changed, this, &CodePanel::follow);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    restart();
}

void CodePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) follow();
}

void CodePanel::restart() {
    typing_.stop();
    stale_ = false;
    const std::string code = project_.isOpen() ? projectCode(project_.spec(), kPanelLayout) : std::string();
    kept_ = project_.spec().code;
    editor_->showCode(QString::fromStdString(code));
    editor_->setReadOnly(!project_.isOpen());
    reading_ = readKerasCode(code, project_.spec(), AbsentArguments::kDefault);
    agreed_ = reading_.run;
    said_ = readKerasCode(code, {}).run;
    refreshMarks();
}

void CodePanel::follow() {
    if (applying_ || !project_.isOpen()) return;
    stale_ = !isVisible() && !typing_.isActive();
    if (stale_) return;
    // Undo brings back the text that was kept then.
    const bool other_text = project_.spec().code != kept_;
    kept_ = project_.spec().code;
    if (other_text) last_typed_.invalidate();
    // Text that was typed and not read yet stays: the next reading brings it into the project. The rest of the text is brought up to date.
    const bool typed = typing_.isActive() && !other_text;
    std::string after;
    if (typed) {
        const std::string text = editor_->toPlainText().toStdString();
        const CodeReading typed_reading = readKerasCode(text, agreed_, AbsentArguments::kDefault);
        if (typed_reading.hasErrors())
            after = text;
        else
            after = updateKerasCode(text, typed_reading, withTyped(project_.spec(), typed_reading.run, agreed_), kPanelLayout);
    } else {
        typing_.stop();
        after = projectCode(project_.spec(), kPanelLayout);
    }
    editor_->showCode(QString::fromStdString(after));
    reading_ = readKerasCode(after, project_.spec(), AbsentArguments::kDefault);
    if (!typed) agreed_ = reading_.run;
    if (other_text) said_ = readKerasCode(after, {}).run;
    refreshMarks();
}

CodeReading CodePanel::readText() const {
    return readKerasCode(editor_->toPlainText().toStdString(), project_.spec(), AbsentArguments::kDefault);
}

void CodePanel::takeText() {
    takeReading(readText(), tr("Edit code"), session::Project::mergeKey(QStringLiteral("code %1").arg(typing_step_)));
}

void CodePanel::finishTyping() {
    if (!typing_.isActive()) return;
    typing_.stop();
    takeText();
}

void CodePanel::takeReading(CodeReading reading, const QString& undo_text, int merge_key) {
    reading_ = std::move(reading);
    applying_ = true;
    const std::string text = editor_->toPlainText().toStdString();
    // All or nothing: text with a line that can't be read is kept, and counts when it can be.
    const bool counts = !reading_.hasErrors();
    if (counts) agreed_ = reading_.run;
    const RunSpec said = counts ? readKerasCode(text, {}).run : said_;
    const bool rest = !sameRest(said, said_);
    said_ = said;
    project_.change(
        undo_text,
        [&](RunSpec& run) {
            if (counts) takeModel(reading_, run);
            if (counts && rest) takeRest(reading_, run);
            keepCode(run, text, kPanelLayout);
        },
        merge_key);
    kept_ = project_.spec().code;
    applying_ = false;
    refreshMarks();
}

bool CodePanel::paste(const QString& text, QString& message) {
    QString clean = text;
    clean.replace(QLatin1String("\r\n"), QLatin1String("\n")).replace(QChar(QChar::ParagraphSeparator), QLatin1Char('\n'));
    const std::string whole = clean.toStdString();
    // Only the code of a document is taken; what a shell is told of TF_CONFIG stands beside it.
    const CodeDocument document = readDocument(whole);
    const bool notebook = !document.places.empty() && document.places.front().cell > 0;
    CodeReading reading = readKerasCode(notebook ? document.code : whole, project_.spec());
    if (reading.saysNothing() && !reading.hasErrors()) {
        message = tr("The clipboard holds no model, compile, fit or TF_CONFIG. Nothing was changed.");
        return false;
    }
    if (reading.hasErrors()) {
        const auto first = std::find_if(reading.notes.begin(), reading.notes.end(),
                                        [](const CodeNote& note) { return note.severity == Severity::kError; });
        message = tr("Not read: %1").arg(models::findingText(toString(*first))) + QLatin1Char(' ') + tr("Nothing was changed.");
        return false;
    }
    QStringList parts;
    if (!reading.layers.empty()) parts << tr("%n layer(s)", nullptr, static_cast<int>(reading.layers.size()));
    if (!reading.compile.empty()) parts << tr("compile");
    if (!reading.schedule.empty()) parts << tr("rates by epoch");
    if (!reading.fit.empty()) parts << tr("fit");
    if (!reading.strategy.empty()) parts << QString::fromStdString(reading.run.strategy.name);
    if (!reading.cluster.empty()) parts << tr("TF_CONFIG");
    message = tr("Read from the clipboard: %1.").arg(parts.join(QStringLiteral(", ")));
    const int kept = countOf(reading, Severity::kInfo) + countOf(reading, Severity::kWarning);
    if (document.is_document) {
        message +=
            QLatin1Char(' ') + tr("%n block(s) of code taken, the other text left.", nullptr, static_cast<int>(document.blocks.size()));
    }
    if (kept > 0) message += QLatin1Char(' ') + tr("%n place(s) kept as text.", nullptr, kept);
    const bool is_code =
        !reading.model.empty() || !reading.compile.empty() || !reading.schedule.empty() || !reading.fit.empty() || !reading.data.empty();
    typing_.stop();
    if (is_code) {
        editor_->showCode(QString::fromStdString(document.code));
        said_ = {};
        takeReading(std::move(reading), tr("Paste code"), 0);
        follow();  // what the text lacks is added to it
        return true;
    }
    project_.change(tr("Paste TF_CONFIG"), [&reading](RunSpec& run) { takeRest(reading, run); });
    return true;
}

void CodePanel::setSelectedLayer(int layer) {
    if (layer == selected_layer_) return;
    selected_layer_ = layer;
    refreshMarks();
    const bool known = layer >= 0 && layer < static_cast<int>(reading_.layers.size());
    if (known) editor_->revealLine(reading_.layers[static_cast<std::size_t>(layer)].first);
}

// Returns the code with the imports that the panel leaves out.
QString CodePanel::runnableCode() const {
    const std::string shown = editor_->toPlainText().toStdString();
    CodeLayout layout = kPanelLayout;
    layout.imports = true;
    const bool generated = project_.spec().code.empty() && shown == writeKerasCode(project_.spec(), kPanelLayout);
    return QString::fromStdString(generated ? writeKerasCode(project_.spec(), layout) : shown);
}

void CodePanel::focusEditor() {
    editor_->setFocus(Qt::ShortcutFocusReason);
}

void CodePanel::refreshMarks() {
    std::vector<CodeMark> marks;
    if (selected_layer_ >= 0 && selected_layer_ < static_cast<int>(reading_.layers.size())) {
        const CodeLines lines = reading_.layers[static_cast<std::size_t>(selected_layer_)];
        marks.push_back({CodeMark::Kind::kSelected, lines.first, lines.last, {}});
    }
    for (const CodeNote& note : reading_.notes) {
        const CodeMark::Kind kind = note.severity == Severity::kError     ? CodeMark::Kind::kError
                                    : note.severity == Severity::kWarning ? CodeMark::Kind::kWarning
                                                                          : CodeMark::Kind::kKept;
        marks.push_back({kind, note.lines.first, kind == CodeMark::Kind::kKept ? note.lines.last : note.lines.first,
                         QString::fromStdString(toString(note))});
    }
    editor_->setMarks(std::move(marks));
    const auto worst =
        std::find_if(reading_.notes.begin(), reading_.notes.end(), [](const CodeNote& note) { return note.severity == Severity::kError; });
    const int kept = countOf(reading_, Severity::kWarning);
    if (worst != reading_.notes.end()) {
        pill_->setState(widgets::PillTone::kError, tr("Line %1 not read").arg(worst->lines.first), widgets::PillMark::kNone);
        hint_->setText(models::findingText(toString(*worst)));
    } else {
        // Text of one's own may say what could not be brought up to date.
        const bool own = project_.isOpen() && !project_.spec().code.empty() && !typing_.isActive();
        const std::vector<std::string> parts =
            own ? partsThatDiffer(editor_->toPlainText().toStdString(), project_.spec()) : std::vector<std::string>();
        if (!parts.empty())
            pill_->setState(widgets::PillTone::kWarn, tr("Differs: %1").arg(QString::fromStdString(parts.front())),
                            widgets::PillMark::kNone);
        else if (kept > 0)
            pill_->setState(widgets::PillTone::kWarn, tr("%n place(s) kept as text", nullptr, kept), widgets::PillMark::kNone);
        else
            pill_->setState(widgets::PillTone::kOk, tr("In step"), widgets::PillMark::kCheck);
        hint_->setText(!parts.empty() ? tr("The project has other settings than this text; change them in the text.")
                                      : tr("Paste Sequential([\u2026]), compile(\u2026) or TF_CONFIG here."));
    }
    pill_->setVisible(project_.isOpen());
    pill_->setAccessibleName(pill_->text());
}

void CodePanel::retranslate() {
    title_->setText(tr("Keras, two-way"));
    copy_->setToolTip(tr("Copy the code"));
    copy_->setAccessibleName(copy_->toolTip());
    editor_->setAccessibleName(tr("The model as Keras code"));
    refreshMarks();
}

void CodePanel::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.surface);
    painter.fillRect(QRect(0, kHeadHeight - 1, width(), 1), t.border);
    painter.fillRect(QRect(0, height() - kFootHeight, width(), 1), t.border);
    themes_.paintIcon(painter, QStringLiteral("code"), QRectF(14, (kHeadHeight - 16) / 2.0, 16, 16), t.text2);
}

}  // namespace ui::views
