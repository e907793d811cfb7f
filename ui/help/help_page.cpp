// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help_page.h"

#include <QDesktopServices>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/help/manual_view.h"
#include "ui/parts/host_checks.h"
#include "ui/session/host/host.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/segmented_control.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kColumnWidth = 380, kRow = 28, kHead = 40, kKeyWidth = 140;

}  // namespace

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

HelpPage::HelpPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes) {
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
    topic_ = new widgets::SegmentedControl(themes, header_);
    topic_->setObjectName("helpTopic");
    header_->addAction(topic_);
    stack_ = new QStackedWidget(this);
    auto* scroll = new QScrollArea(stack_);
    scroll->setWidgetResizable(true);
    auto* body = new QWidget(scroll);
    auto* inner = new QVBoxLayout(body);
    inner->setContentsMargins(theme::kSpace6, theme::kSpace2, theme::kSpace5, theme::kSpace6);
    sheet_ = new ShortcutSheet(themes, body);
    inner->addWidget(sheet_);
    inner->addStretch(1);
    scroll->setWidget(body);
    stack_->addWidget(scroll);
    manual_ = new ManualView(session.shareDir() + QStringLiteral("/manual"), themes, stack_);
    stack_->addWidget(manual_);
    column->addWidget(stack_, 1);
    connect(topic_, &widgets::SegmentedControl::currentChanged, this, [this](int index) { show(static_cast<HelpTopic>(index)); });
    connect(runs_folder_, &QPushButton::clicked, this, [this] {
        if (session_.host().info()) openFolder(QString::fromStdString(session_.host().info()->runs_dir));
    });
    connect(run_folder_, &QPushButton::clicked, this, [this] {
        if (session_.runs().current()) openFolder(session_.runs().current()->summary().run_dir);
    });
    connect(&session_.host(), &session::Host::changed, this, &HelpPage::refresh);
    connect(&session_.runs(), &session::Runs::currentChanged, this, &HelpPage::refresh);
    retranslate();
}

void HelpPage::retranslate() {
    header_->title().setText(tr("Help"));
    runs_folder_->setText(tr("Folder of all runs"));
    run_folder_->setText(tr("This run: checkpoints and logs"));
    sheet_->setAccessibleName(tr("Keyboard shortcuts"));
    topic_->setEntries({tr("Keys"), tr("Manual")});
    topic_->setAccessibleName(tr("What to read"));
    manual_->retranslate();
    refreshKeys();
    refresh();
}

void HelpPage::setActionKeys(std::vector<ShortcutSection> sections) {
    action_keys_ = std::move(sections);
    refreshKeys();
}

void HelpPage::refreshKeys() {
    std::vector<ShortcutSection> sections;
    for (const ShortcutSection& section : action_keys_) {
        if (!section.keys.empty()) sections.push_back(section);
    }
    sections.push_back({tr("Monitor"), {{"Space", tr("pause or resume")}, {"→", tr("one step while paused")}}});
    sections.push_back({tr("Data"),
                        {{"Alt+Up, Alt+Down", tr("move the step of the pipeline")},
                         {tr("Space"), tr("switch it on or off")},
                         {"Ctrl+F", tr("find a data set")}}});
    sections.push_back({tr("Model"),
                        {{tr("%1 then %2").arg("A", "C D F P"), tr("add a layer by its letter")},
                         {tr("%1 then %2").arg("A", "O B A"), tr("add a layer by its letter")},
                         {"Del", tr("delete the layer")},
                         {"Ctrl+D", tr("duplicate it")},
                         {"Ctrl+C, Ctrl+X", tr("copy or cut it, as Keras code")},
                         {"Ctrl+V", tr("paste layers or other Keras code")},
                         {"Alt+Up, Alt+Down", tr("move it")},
                         {"Ctrl+Enter", tr("to its properties")}}});
    sections.push_back({tr("Cluster"),
                        {{"Ctrl+←, Ctrl+→", tr("move the chosen task to the next host")},
                         {tr("Enter, Del"), tr("change its port, remove it")},
                         {"Ctrl+V", tr("paste a cluster")},
                         {"Ctrl+Shift+C", tr("copy the TF_CONFIG of every task")}}});
    sections.push_back({tr("Charts"),
                        {{"L", tr("logarithmic y axis")},
                         {"Shift+L", tr("logarithmic x axis")},
                         {"X", tr("step, relative or wall time, epoch")},
                         {"0", tr("show everything")},
                         {tr("drag"), tr("zoom into a range; double click resets")},
                         {tr("+, −"), tr("zoom")},
                         {"Ctrl+←, Ctrl+→", tr("pan")},
                         {"Shift+←, Shift+→", tr("move the cursor")},
                         {"M, Shift+M", tr("next and previous mark; Ctrl+Enter opens it")},
                         {"Alt+←, Alt+→", tr("move the chart")},
                         {tr("Enter, Esc"), tr("full size and back; ← → change the chart")},
                         {"Ctrl+Shift+T", tr("the chart as a table")}}});
    sections.push_back({tr("Runs"),
                        {{"Ctrl+F", tr("filter")},
                         {tr("Space"), tr("check the run for the charts")},
                         {tr("Enter"), tr("open the run in Monitor")},
                         {"F2", tr("rename")},
                         {"P", tr("pin")},
                         {"Del", tr("archive (the toast undoes it)")}}});
    sections.push_back(
        {tr("Manual"),
         {{"Ctrl+F", tr("search")}, {"F3, Shift+F3", tr("next and previous place")}, {"Alt+←, Alt+→", tr("back and forward")}}});
    sections_ = sections;
    sheet_->setSections(std::move(sections));
}

void HelpPage::show(HelpTopic topic) {
    topic_->setCurrent(static_cast<int>(topic));
    stack_->setCurrentIndex(static_cast<int>(topic));
    refresh();
    if (topic == HelpTopic::kManual) manual_->open();
}

bool HelpPage::showPlace(const QString& place) {
    show(HelpTopic::kManual);
    return manual_->follow(place);
}

void HelpPage::setNarrow(bool narrow) {
    manual_->setNarrow(narrow);
}

QWidget* HelpPage::sidebar() const {
    return stack_->currentIndex() == static_cast<int>(HelpTopic::kManual) ? manual_->contents() : nullptr;
}

void HelpPage::refresh() {
    const bool manual = stack_->currentIndex() == static_cast<int>(HelpTopic::kManual);
    header_->sentence().setText(manual ? tr("How to use the studio and the command line")
                                       : tr("Keys of the studio; everything can be done without a mouse"));
    runs_folder_->setEnabled(session_.host().info().has_value());
    run_folder_->setEnabled(session_.runs().current() != nullptr);
}

}  // namespace ui::views

#include "moc_help_page.cpp"
