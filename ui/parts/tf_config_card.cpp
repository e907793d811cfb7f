// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/tf_config_card.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>

#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/task_chip.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::launch::TfConfigFormat;
using theme::TextRole;

namespace {

constexpr int kHeadHeight = 36, kLineHeight = 20;
constexpr qsizetype kMostShown = 2000;  // characters of a text: more are read by nobody, and cost tenths of a second to lay out

bool isTaskLine(const QString& line) {
    return line.startsWith(QLatin1String("  \"task\""));
}

void formatLines(QTextCursor& text) {
    text.select(QTextCursor::Document);
    QTextBlockFormat lines;
    lines.setLineHeight(kLineHeight, QTextBlockFormat::FixedHeight);
    text.mergeBlockFormat(lines);
}

// Quiet for what all tasks share, colours for the line that differs.
class ConfigHighlighter : public QSyntaxHighlighter {
public:
    ConfigHighlighter(const theme::ThemeController& themes, QTextDocument* document) : QSyntaxHighlighter(document), themes_(themes) {}

protected:
    void highlightBlock(const QString& text) override {
        const theme::Theme& t = themes_.theme();
        const bool quiet = document()->blockCount() > 1 && !isTaskLine(text);
        setFormat(0, static_cast<int>(text.size()), quiet ? t.code.unchanged : t.text);
        if (quiet) return;
        static const QRegularExpression token(R"("(?:[^"\\]|\\.)*"(\s*:)?|\b\d+\b)");
        for (auto match = token.globalMatch(text); match.hasNext();) {
            const QRegularExpressionMatch found = match.next();
            const bool string = found.captured().startsWith('"'), key = !found.captured(1).isEmpty();
            const int length = static_cast<int>(found.capturedLength() - found.capturedLength(1));
            setFormat(static_cast<int>(found.capturedStart()), length, !string ? t.code.number : key ? t.code.keyword : t.code.string);
        }
    }

private:
    const theme::ThemeController& themes_;
};

}  // namespace

TfConfigText::TfConfigText(const theme::ThemeController& themes, QWidget* parent) : QTextEdit(parent), themes_(themes) {
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setAcceptRichText(false);
    setWordWrapMode(QTextOption::WrapAnywhere);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(theme::kSpace4);
    highlighter_ = new ConfigHighlighter(themes, document());
    connect(&themes, &theme::ThemeController::themeChanged, this, &TfConfigText::restyle);
    restyle();
}

void TfConfigText::setConfig(const engine::spec::ClusterSpec& cluster, const engine::spec::TaskId& task, TfConfigFormat format) {
    QString text = QString::fromStdString(engine::launch::tfConfigText(cluster, task, format));
    if (text == text_) return;
    text_ = std::move(text);
    QTextCursor all(document());
    all.beginEditBlock();  // one layout of text and lines
    all.select(QTextCursor::Document);
    all.insertText(shown());
    formatLines(all);
    all.endEditBlock();
    viewport()->update();
}

// Returns the text, or of a very long one both ends, which say the jobs and the task; what lies between is a list of addresses.
QString TfConfigText::shown() const {
    const qsizetype left_out = text_.size() - kMostShown;
    if (left_out <= 0) return text_;
    const QString note = tr(" … %n character(s) more, which Copy takes along … ", nullptr, static_cast<int>(left_out));
    return text_.left(kMostShown / 2) + note + text_.right(kMostShown / 2);
}

QMimeData* TfConfigText::createMimeDataFromSelection() const {
    const bool all = textCursor().selectedText().size() == toPlainText().size();
    if (!all) return QTextEdit::createMimeDataFromSelection();
    auto* whole = new QMimeData;
    whole->setText(text_);
    return whole;
}

void TfConfigText::restyle() {
    setFont(themes_.font(TextRole::kMono));
    QTextCursor all(document());
    formatLines(all);
    highlighter_->rehighlight();
    viewport()->update();
}

// The tasks differ at the end of the text: when the room is small, that end is shown.
// Nothing is pasted into it: Ctrl+V is the page's.
bool TfConfigText::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Paste)) {
        event->ignore();
        return true;
    }
    return QTextEdit::event(event);
}

void TfConfigText::resizeEvent(QResizeEvent* event) {
    QTextEdit::resizeEvent(event);
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

// The mark reaches from edge to edge, behind the text.
void TfConfigText::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(viewport());
        const theme::Theme& t = themes_.theme();
        for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
            if (!isTaskLine(block.text())) continue;
            const QRectF line = document()->documentLayout()->blockBoundingRect(block);
            // Text stands at the foot of a line of fixed height: the mark is centred on the glyphs.
            const double top = line.top() - verticalScrollBar()->value() + 2;
            painter.fillRect(QRectF(0, top, viewport()->width(), kLineHeight), t.accent_tint);
            painter.fillRect(QRectF(0, top, 3, kLineHeight), t.accent_fill);
        }
    }
    QTextEdit::paintEvent(event);
}

TfConfigCard::TfConfigCard(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setMinimumWidth(336);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 1, theme::kSpace1);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(theme::kSpace4, 0, theme::kSpace2, 0);
    head->setSpacing(theme::kSpace2);
    chip_ = new widgets::TaskChip(themes, {}, 20, this);
    name_ = new widgets::TextLabel(themes, TextRole::kStrong, widgets::Ink::kText, this);
    address_ = new widgets::TextLabel(themes, TextRole::kMono, widgets::Ink::kText2, this);
    address_->setElided(true);
    copy_ = widgets::makeButton(
        themes, {.object_name = "copyTfConfig", .icon = "copy", .kind = widgets::ButtonKind::kGhost, .compact = true}, this);
    head->addWidget(chip_);
    head->addWidget(name_);
    head->addWidget(address_, 1);
    head->addWidget(copy_);
    auto* head_box = new QWidget(this);
    head_box->setFixedHeight(kHeadHeight);
    head_box->setLayout(head);
    text_ = new TfConfigText(themes, this);
    column->addWidget(head_box);
    column->addSpacing(1);
    column->addWidget(text_, 1);
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text_->text()); });
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    retranslate();
}

void TfConfigCard::retranslate() {
    copy_->setText(tr("Copy"));
    text_->forget();
}

void TfConfigCard::setConfig(const engine::spec::ClusterSpec& cluster, const engine::spec::TaskId& task, TfConfigFormat format) {
    const QString name = QString::fromStdString(engine::spec::toString(task));
    setObjectName("tfConfig_" + QString::fromStdString(task.type) + "_" + QString::number(task.index));
    chip_->setTask(task);
    name_->setText(name);
    address_->setText(QString::fromStdString(cluster.address(task).value_or("")));
    text_->setConfig(cluster, task, format);
    text_->setAccessibleName(tr("TF_CONFIG of %1").arg(name));
}

void TfConfigCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.surface, t.border);
    painter.fillRect(QRect(1, kHeadHeight, width() - 2, 1), t.border);
}

}  // namespace ui::views

#include "moc_tf_config_card.cpp"
