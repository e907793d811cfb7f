// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/code_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPainter>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <utility>

#include "engine/spec/project/run_spec.h"
#include "ui/model/square_button.h"
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
constexpr std::size_t kLayerLength = 64;  // of a layer's code, about

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
    copy_ = squareButton(this, themes, "copy", "codeCopy");
    cancel_ = squareButton(this, themes, "close", "codeCancel");
    editor_ = new CodeEditor(themes, this);
    hint_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    hint_->setElided(true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(36, 0, theme::kSpace3, 0);
    head->setSpacing(theme::kSpace2);
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(pill_);
    head->addWidget(cancel_);
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
        const bool goes_on = editor_->currentLine() == typed_.line && last_typed_.isValid() && last_typed_.elapsed() < kRestMs;
        if (!goes_on) ++typed_.step;
        typed_.line = editor_->currentLine();
        last_typed_.start();
        if (pending_ == Pending::kTake) drop();  // it is another text now
        typing_.start();
    });
    connect(editor_, &CodeEditor::undoPressed, this, &CodePanel::finishTyping);
    connect(&project_, &session::Project::typingWanted, this, &CodePanel::finishTyping);
    connect(editor_, &CodeEditor::pasteBegins, this, &CodePanel::finishTyping);
    connect(editor_, &CodeEditor::pasted, this, [this] {
        typing_.stop();
        last_typed_.invalidate();
        unread_ = Unread{tr("Paste code"), 0};
        takeUnread();
    });
    connect(editor_, &CodeEditor::lineEntered, this, [this](int line) {
        for (std::size_t i = 0; i < reading_.layers.size(); ++i) {
            if (line >= reading_.layers[i].first && line <= reading_.layers[i].last) return emit layerEntered(static_cast<int>(i));
        }
    });
    connect(cancel_, &QToolButton::clicked, this, [this] {
        if (pending_ == Pending::kTake) drop();  // the text stays, and is read when it is typed on or the project is saved
        refreshState();
    });
    // Of two changes of one part, each made without the other, one would be lost: whoever goes on elsewhere in the window finds the long
    // text in the project, too. The context ends before the editor's focus goes with the panel.
    connect(qApp, &QApplication::focusChanged, &work_, [this](const QWidget* from, const QWidget* to) {
        if (from != editor_ || to == nullptr || to->window() != window() || isAncestorOf(to)) return;
        if (pending_ == Pending::kTake || (typing_.isActive() && lengthOfText() > kLongText)) finishTyping();
    });
    connect(copy_, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(runnableCode()); });
    connect(&project_, &session::Project::replaced, this, &CodePanel::restart);
    connect(&project_, &session::Project::changed, this, &CodePanel::follow);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    restart();
}

void CodePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_ && pending_ != Pending::kPaste) follow();
}

std::size_t CodePanel::lengthOfText() const {
    return static_cast<std::size_t>(editor_->document()->characterCount());
}

void CodePanel::work(std::size_t length, Pending pending, const CodeWork::Work& work) {
    if (pending_ == Pending::kBring && pending != Pending::kBring) stale_ = true;  // the project is still to come into the text
    drop();
    if (at_once_ || length <= kLongText) return work(std::stop_token())();
    pending_ = pending;
    if (pending != Pending::kTake) editor_->setReadOnly(true);
    work_.start([work, this](const std::stop_token& stop) -> std::function<void()> {
        return [this, then = work(stop)] {
            ended();
            then();
        };
    });
    refreshState();
}

void CodePanel::ended() {
    pending_ = Pending::kNone;
    editor_->setReadOnly(!project_.isOpen());
}

void CodePanel::drop() {
    if (pending_ == Pending::kNone) return;
    work_.cancel();
    ended();
}

void CodePanel::restart() {
    drop();
    typing_.stop();
    unread_.reset();
    stale_ = false;
    said_is_old_ = true;
    kept_ = project_.spec().code;
    editor_->setReadOnly(!project_.isOpen());
    if (!project_.isOpen()) return applyBrought(textOfNone());
    bring(false);
    if (pending_ == Pending::kNone) return;
    // Until it is read, the text is shown as it was kept.
    editor_->showCode(QString::fromStdString(kept_));
    reading_ = {};
    agreed_ = project_.spec();
    parts_.clear();
    refreshMarks();
}

void CodePanel::follow() {
    if (applying_ || !project_.isOpen()) return;
    if (pending_ == Pending::kPaste) {  // into the project as it is now
        stale_ = true;
        return readPasted();
    }
    const bool has_unread = typing_.isActive() || unread_;
    stale_ = !isVisible() && !has_unread;
    if (stale_) return drop();
    // Undo brings back the text that was kept then.
    const bool other_text = project_.spec().code != kept_;
    kept_ = project_.spec().code;
    if (other_text) {
        last_typed_.invalidate();
        said_is_old_ = true;
    }
    // Text that was typed and not read yet stays: the next reading brings it into the project. The rest of the text is brought up to date.
    const bool typed = has_unread && !other_text;
    if (!typed) {
        typing_.stop();
        unread_.reset();
    }
    bring(typed);
}

void CodePanel::bring(bool typed) {
    const RunSpec& project = project_.spec();
    const std::size_t length = std::max({lengthOfText(), project.code.size(), project.model.layers.size() * kLayerLength});
    std::optional<TypedText> text;
    if (typed) text = TypedText{editor_->toPlainText().toStdString(), agreed_};
    const Said said = said_is_old_ ? Said::kRead : Said::kKept;
    work(length, Pending::kBring, [this, project, text, said](const std::stop_token& stop) -> std::function<void()> {
        const auto brought = std::make_shared<BroughtText>(broughtText(project, text, said, stop));
        return [this, brought] { applyBrought(std::move(*brought)); };
    });
}

void CodePanel::applyBrought(BroughtText brought) {
    editor_->showCode(QString::fromStdString(brought.text.text()));
    reading_ = std::move(brought.reading);
    agreed_ = std::move(brought.agreed);
    parts_ = std::move(brought.parts);
    if (brought.said) {
        said_ = *std::move(brought.said);
        said_is_old_ = false;
    }
    refreshMarks();
    if (unread_ && !typing_.isActive()) takeUnread();
}

CodePanel::Unread CodePanel::edited() const {
    return {tr("Edit code"), session::Project::mergeKey(QStringLiteral("code %1").arg(typed_.step))};
}

void CodePanel::takeText() {
    unread_ = edited();
    if (pending_ == Pending::kNone || pending_ == Pending::kTake) takeUnread();  // else when the other work is over
}

void CodePanel::finishTyping() {
    if (!typing_.isActive() && !unread_) return;
    if (typing_.isActive() || !unread_) unread_ = edited();
    typing_.stop();
    const QScopedValueRollback at_once(at_once_, true);
    if (pending_ == Pending::kBring) return bring(true);  // and then takes it
    takeUnread();
}

// Requires some.
void CodePanel::takeUnread() {
    const Unread unread = *unread_;
    const std::string text = editor_->toPlainText().toStdString();
    work(text.size(), Pending::kTake, [this, unread, text, project = project_.spec(), said = said_](const std::stop_token& stop) {
        const CodeText code(text);
        auto taken = std::make_shared<TakenText>(takenText(code, code.read(project, AbsentArguments::kDefault, stop), project, said, stop));
        if (taken->counts && !taken->project.code.empty() && !stop.stop_requested())
            taken->parts = partsThatDiffer(code.read(taken->project, AbsentArguments::kDefault, stop), taken->project);
        return std::function<void()>([this, unread, taken] { applyTaken(unread, std::move(*taken)); });
    });
}

void CodePanel::applyTaken(const Unread& unread, TakenText taken) {
    if (project_.spec() != taken.before) return takeUnread();  // the project has another name by now
    unread_.reset();
    reading_ = std::move(taken.reading);
    applying_ = true;
    if (taken.counts) agreed_ = reading_.run;
    said_ = std::move(taken.said);
    parts_ = std::move(taken.parts);
    project_.change(
        unread.undo_text, [&](RunSpec& run) { run = std::move(taken.project); }, unread.merge_key);
    kept_ = project_.spec().code;
    applying_ = false;
    refreshMarks();
}

std::optional<CodePanel::Pasted> CodePanel::paste(const QString& text) {
    QString clean = text;
    clean.replace(QLatin1String("\r\n"), QLatin1String("\n")).replace(QChar(QChar::ParagraphSeparator), QLatin1Char('\n'));
    paste_.text = clean.toStdString();
    finishTyping();  // a step of its own: the paste may be of other parts
    const QScopedValueRollback asked(paste_.is_asked, true);
    readPasted();
    return std::exchange(paste_.result, std::nullopt);
}

void CodePanel::readPasted() {
    const std::string text = paste_.text;
    work(text.size(), Pending::kPaste, [this, text, project = project_.spec()](const std::stop_token& stop) -> std::function<void()> {
        const auto found = std::make_shared<PastedText>(pastedText(text, project, stop));
        return [this, found] {
            if (project_.spec() != found->before) return readPasted();  // the project has another name by now
            Pasted became = applyPasted(std::move(*found));
            resume();
            if (paste_.is_asked)
                paste_.result = std::move(became);
            else
                emit pasted(became);
        };
    });
}

void CodePanel::cancelPaste() {
    if (pending_ != Pending::kPaste) return;
    drop();
    resume();
}

void CodePanel::resume() {
    if (stale_ && isVisible()) return follow();
    if (unread_ && !typing_.isActive()) return takeUnread();
    refreshState();
}

CodePanel::Pasted CodePanel::applyPasted(PastedText pasted) {
    const CodeReading& reading = pasted.reading;
    if (reading.saysNothing() && !reading.hasErrors()) {
        return {false, tr("The clipboard holds no model, compile, fit or TF_CONFIG. Nothing was changed."), std::move(pasted.layers)};
    }
    if (reading.hasErrors()) {
        const auto first = std::find_if(reading.notes.begin(), reading.notes.end(),
                                        [](const CodeNote& note) { return note.severity == Severity::kError; });
        return {false, tr("Not read: %1").arg(models::findingText(toString(*first))) + QLatin1Char(' ') + tr("Nothing was changed."),
                std::move(pasted.layers)};
    }
    QStringList parts;
    if (!reading.layers.empty()) parts << tr("%n layer(s)", nullptr, static_cast<int>(reading.layers.size()));
    if (!reading.compile.empty()) parts << tr("compile");
    if (!reading.schedule.empty()) parts << tr("rates by epoch");
    if (!reading.fit.empty()) parts << tr("fit");
    if (!reading.strategy.empty()) parts << QString::fromStdString(reading.run.strategy.name);
    if (!reading.cluster.empty()) parts << tr("TF_CONFIG");
    QString message = tr("Read from the clipboard: %1.").arg(models::listed(parts));
    const int kept = countOf(reading, Severity::kInfo) + countOf(reading, Severity::kWarning);
    if (pasted.document.is_document) {
        message += QLatin1Char(' ') +
                   tr("%n block(s) of code taken, the other text left.", nullptr, static_cast<int>(pasted.document.blocks.size()));
    }
    if (kept > 0) message += QLatin1Char(' ') + tr("%n place(s) kept as text.", nullptr, kept);
    typing_.stop();
    unread_.reset();
    if (!pasted.taken) {
        project_.change(tr("Paste TF_CONFIG"), [&](RunSpec& run) { run = std::move(pasted.project); });
        return {true, message};
    }
    stale_ = false;
    if (pasted.document.code.size() <= kLongText) editor_->showCode(QString::fromStdString(pasted.document.code));  // keeps its cursor
    applying_ = true;
    project_.change(tr("Paste code"), [&](RunSpec& run) { run = std::move(pasted.project); });
    kept_ = project_.spec().code;
    applying_ = false;
    said_ = std::move(pasted.taken->said);
    said_is_old_ = false;
    applyBrought(*std::move(pasted.brought));  // what the text lacks is added to it
    return {true, message};
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
    refreshState();
}

void CodePanel::refreshState() {
    const auto worst =
        std::find_if(reading_.notes.begin(), reading_.notes.end(), [](const CodeNote& note) { return note.severity == Severity::kError; });
    const int kept = countOf(reading_, Severity::kWarning);
    const bool reads = pending_ != Pending::kNone;
    // Text of one's own may say what could not be brought up to date.
    const bool differs = !reads && !typing_.isActive() && !unread_ && !parts_.empty();
    hint_->setText(differs ? tr("The project has other settings than this text; change them in the text.")
                           : tr("Paste Sequential([\u2026]), compile(\u2026) or TF_CONFIG here."));
    if (reads) {
        pill_->setState(widgets::PillTone::kNeutral, tr("Reading\u2026"), widgets::PillMark::kNone);
    } else if (unread_ && !typing_.isActive()) {
        pill_->setState(widgets::PillTone::kWarn, tr("Not read"), widgets::PillMark::kNone);
        hint_->setText(tr("This text is read when you type on or save the project."));
    } else if (worst != reading_.notes.end()) {
        pill_->setState(widgets::PillTone::kError, tr("Line %1 not read").arg(worst->lines.first), widgets::PillMark::kNone);
        hint_->setText(models::findingText(toString(*worst)));
    } else if (differs) {
        pill_->setState(widgets::PillTone::kWarn, tr("Differs: %1").arg(QString::fromStdString(parts_.front())), widgets::PillMark::kNone);
    } else if (kept > 0) {
        pill_->setState(widgets::PillTone::kWarn, tr("%n place(s) kept as text", nullptr, kept), widgets::PillMark::kNone);
    } else {
        pill_->setState(widgets::PillTone::kOk, tr("In step"), widgets::PillMark::kCheck);
    }
    cancel_->setVisible(pending_ == Pending::kTake);
    pill_->setVisible(project_.isOpen());
    pill_->setAccessibleName(pill_->text());
}

void CodePanel::retranslate() {
    title_->setText(tr("Keras, two-way"));
    copy_->setToolTip(tr("Copy the code"));
    copy_->setAccessibleName(copy_->toolTip());
    cancel_->setToolTip(tr("Stop reading"));
    cancel_->setAccessibleName(cancel_->toolTip());
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

#include "moc_code_panel.cpp"
