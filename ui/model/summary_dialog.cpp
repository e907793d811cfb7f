// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/summary_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextOption>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <vector>

#include "ui/session/project/project.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;

namespace {

using Cells = std::array<QString, 4>;  // name, multiply-adds, weights, outputs

constexpr double kBetween = 16;  // columns

Cells cellsOf(const QString& name, const engine::spec::WorkRow& row) {
    if (!row.known) return {name, QStringLiteral("?"), QStringLiteral("?"), QStringLiteral("?")};
    return {name, QString::fromStdString(engine::spec::countText(row.multiply_adds)),
            QString::fromStdString(engine::spec::memoryText(row.weight_bytes)),
            QString::fromStdString(engine::spec::memoryText(row.output_bytes))};
}

// Returns where each column but the first ends, in pixels, so that every cell has room.
QList<QTextOption::Tab> tabsOf(const std::vector<Cells>& rows, const QFontMetricsF& metrics) {
    QList<QTextOption::Tab> tabs;
    double end = 0;
    for (std::size_t column = 0; column < Cells().size(); ++column) {
        double width = 0;
        for (const Cells& cells : rows) width = std::max(width, metrics.horizontalAdvance(cells[column]));
        end += width + (column > 0 ? kBetween : 0);
        if (column > 0) tabs.append(QTextOption::Tab(end, QTextOption::RightTab));
    }
    return tabs;
}

}  // namespace

SummaryDialog::SummaryDialog(const session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QDialog(parent),
      keras_(QString::fromStdString(engine::spec::modelSummary(project.spec().model))),
      work_(engine::spec::workOf(project.spec())) {
    setObjectName(QStringLiteral("summaryDialog"));
    title_ = new widgets::TextLabel(themes, TextRole::kTitle, Ink::kText, this);
    text_ = new QPlainTextEdit(this);
    text_->setObjectName(QStringLiteral("summaryText"));
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(themes.font(TextRole::kMono));
    copy_ = widgets::makeButton(themes, {.object_name = QStringLiteral("summaryCopy"), .icon = QStringLiteral("copy")}, this);
    close_ = widgets::makeButton(themes, {.object_name = QStringLiteral("summaryClose"), .icon = {}, .kind = widgets::ButtonKind::kPrimary},
                                 this);
    close_->setDefault(true);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kSpace3);
    foot->addStretch();
    foot->addWidget(copy_);
    foot->addWidget(close_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kSpace6, theme::kSpace5, theme::kSpace6, theme::kSpace5);
    layout->setSpacing(theme::kSpace4);
    layout->addWidget(title_);
    layout->addWidget(text_, 1);
    layout->addLayout(foot);
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text_->toPlainText()); });
    connect(close_, &QPushButton::clicked, this, &QDialog::accept);
    text_->setFocus();
    retranslate();
}

void SummaryDialog::retranslate() {
    title_->setText(tr("Summary"));
    setWindowTitle(title_->text());
    text_->setAccessibleName(tr("Summary of the model"));
    copy_->setText(tr("Copy"));
    close_->setText(tr("Close"));
    showTables();
}

void SummaryDialog::showTables() {
    std::vector<Cells> rows{{tr("layer"), tr("multiply-adds a sample"), tr("weights"), tr("outputs, batch %1").arg(work_.batch)}};
    for (const engine::spec::WorkRow& row : work_.layers) rows.push_back(cellsOf(QString::fromStdString(row.layer), row));
    rows.push_back(cellsOf(tr("total"), work_.total));
    QString text = keras_ + QLatin1Char('\n');
    for (const Cells& cells : rows) text += QStringList(cells.begin(), cells.end()).join(QLatin1Char('\t')) + QLatin1Char('\n');
    text += tr("%1 slots").arg(QString::fromStdString(work_.optimizer)) + QStringLiteral("  ") +
            QString::fromStdString(engine::spec::memoryText(work_.slot_bytes)) + QLatin1Char('\n');
    if (text_->toPlainText() == text) return;
    QTextOption option = text_->document()->defaultTextOption();
    option.setTabs(tabsOf(rows, QFontMetricsF(text_->font())));
    text_->document()->setDefaultTextOption(option);
    text_->setPlainText(text);
}

void SummaryDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

}  // namespace ui::views

#include "moc_summary_dialog.cpp"
