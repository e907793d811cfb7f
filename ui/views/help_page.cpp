// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/help_page.h"

#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/views/host_checks.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kColumnWidth = 380, kRow = 28, kHead = 40, kKeyWidth = 176;

}  // namespace

struct ShortcutSection {
    QString title;
    std::vector<std::pair<QString, QString>> keys;  // key, what it does
};

// Sections as cards in as many columns as fit.
class ShortcutSheet : public QWidget {
public:
    ShortcutSheet(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
        connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    }
    void setSections(std::vector<ShortcutSection> sections) {
        sections_ = std::move(sections);
        place();
    }

protected:
    void resizeEvent(QResizeEvent*) override { place(); }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const theme::Theme& t = themes_.theme();
        for (std::size_t i = 0; i < sections_.size(); ++i) {
            const QRectF card = cards_[i];
            widgets::paintBox(painter, card, theme::kRadiusCard, t.surface, t.border);
            widgets::paintText(painter, QRectF(card.left() + 16, card.top(), card.width() - 32, kHead), sections_[i].title,
                               themes_.font(TextRole::kSection), t.text);
            double top = card.top() + kHead;
            for (const auto& [key, what] : sections_[i].keys) {
                widgets::paintText(painter, QRectF(card.left() + 16, top, kKeyWidth, kRow), key, themes_.font(TextRole::kMono), t.text);
                widgets::paintText(painter, QRectF(card.left() + 16 + kKeyWidth, top, card.width() - 32 - kKeyWidth, kRow), what,
                                   themes_.font(TextRole::kSmall), t.text2);
                top += kRow;
            }
        }
    }

private:
    void place() {
        const int columns = std::max(1, width() / kColumnWidth);
        const double each = (width() - (columns - 1.0) * theme::kSpace3) / columns;
        std::vector<double> feet(static_cast<std::size_t>(columns), 0);
        cards_.clear();
        for (const ShortcutSection& section : sections_) {
            const auto shortest = std::min_element(feet.begin(), feet.end());
            const double left = static_cast<double>(shortest - feet.begin()) * (each + theme::kSpace3);
            const double height = kHead + kRow * static_cast<double>(section.keys.size()) + theme::kSpace3;
            cards_.emplace_back(left, *shortest, each, height);
            *shortest += height + theme::kSpace3;
        }
        setMinimumHeight(static_cast<int>(*std::max_element(feet.begin(), feet.end())));
        update();
    }

    const theme::ThemeController& themes_;
    std::vector<ShortcutSection> sections_;
    std::vector<QRectF> cards_;
};

HelpPage::HelpPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent) : Page(parent), session_(session) {
    setObjectName("helpPage");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    header_ = new widgets::PageHeader(themes, this);
    runs_folder_ = widgets::makeButton(themes, {.object_name = "helpRunsFolder", .icon = "folder"}, header_);
    run_folder_ = widgets::makeButton(themes, {.object_name = "helpRunFolder", .icon = "folder"}, header_);
    header_->addAction(runs_folder_);
    header_->addAction(run_folder_);
    column->addWidget(header_);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    auto* body = new QWidget(scroll);
    auto* inner = new QVBoxLayout(body);
    inner->setContentsMargins(theme::kSpace6, theme::kSpace2, theme::kSpace5, theme::kSpace6);
    sheet_ = new ShortcutSheet(themes, body);
    inner->addWidget(sheet_);
    inner->addStretch(1);
    scroll->setWidget(body);
    column->addWidget(scroll, 1);
    connect(runs_folder_, &QPushButton::clicked, this, [this] {
        if (session_.host()) openFolder(session_.host()->runs_dir);
    });
    connect(run_folder_, &QPushButton::clicked, this, [this] {
        if (session_.currentRun()) openFolder(session_.currentRun()->summary().run_dir);
    });
    connect(&session_, &session::Session::hostChanged, this, &HelpPage::refresh);
    connect(&session_, &session::Session::currentRunChanged, this, &HelpPage::refresh);
    retranslate();
}

void HelpPage::retranslate() {
    header_->title().setText(tr("Help"));
    header_->sentence().setText(tr("Keys of the studio; everything can be done without a mouse"));
    runs_folder_->setText(tr("Folder of all runs"));
    run_folder_->setText(tr("This run: checkpoints and logs"));
    sheet_->setAccessibleName(tr("Keyboard shortcuts"));
    sheet_->setSections({
        {tr("Window"),
         {{"Ctrl+1 … Ctrl+7", tr("the seven pages")},
          {"Ctrl+K", tr("find an action, a layer or a run")},
          {"Alt+1 … Alt+5", tr("the panes at the foot")},
          {"Alt+0", tr("fold the left list")},
          {"Alt+Shift+D", tr("light or dark")},
          {"Ctrl+/", tr("this page")}}},
        {tr("Project"),
         {{"Ctrl+N", tr("new blank project")},
          {"Ctrl+O", tr("open")},
          {"Ctrl+S, Ctrl+Shift+S", tr("save, save as")},
          {"Ctrl+Z, Ctrl+Shift+Z", tr("undo, redo")},
          {"Ctrl+E", tr("export TF_CONFIG")}}},
        {tr("Run"),
         {{"Ctrl+R", tr("launch")},
          {"Space", tr("pause or resume (Monitor)")},
          {"→", tr("one step while paused (Monitor)")},
          {"Shift+F5", tr("stop after this step, with a checkpoint")}}},
        {tr("Model"),
         {{"A then C F P D", tr("add a layer by its letter")},
          {"Del", tr("delete the layer")},
          {"Ctrl+D", tr("duplicate it")},
          {"Alt+Up, Alt+Down", tr("move it")},
          {"Ctrl+Enter", tr("to its properties")}}},
        {tr("Charts"),
         {{"L", tr("logarithmic y axis")},
          {"X", tr("step, relative or wall time")},
          {"0", tr("show everything")},
          {tr("drag"), tr("zoom into a range; double click resets")}}},
        {tr("Runs"), {{"Ctrl+F", tr("filter")}, {tr("Enter"), tr("open the run in Monitor")}}},
    });
    refresh();
}

void HelpPage::refresh() {
    runs_folder_->setEnabled(session_.host().has_value());
    run_folder_->setEnabled(session_.currentRun() != nullptr);
}

}  // namespace ui::views
