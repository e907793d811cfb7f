// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_batch.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/batch_advice.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/strategy_table.h"
#include "ui/data/number_box.h"
#include "ui/models/engine_text.h"
#include "ui/models/numbers.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::AutoShardPolicy;
using engine::spec::DataSpec;
using engine::spec::RunSpec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kMostBatch = 1 << 20, kMostReplicas = 8, kBarHeight = 10, kPercentWidth = 64, kSeedWidth = 64, kUsualPercent = 10,
              kLeastLetters = 10, kLeastBox = 56;
constexpr std::array kPolicies{AutoShardPolicy::kAuto, AutoShardPolicy::kFile, AutoShardPolicy::kData, AutoShardPolicy::kOff};
enum Validation { kTestSet, kPart, kNone };

Validation validationOf(const DataSpec& spec) {
    if (spec.validation_split > 0) return kPart;
    return spec.validate_on_test ? kTestSet : kNone;
}

// Returns the replicas of one task: the devices of its strategy.
std::int64_t devicesEach(const RunSpec& run) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(devicesOf(run.strategy).size()));
}

// The replicas are the devices of one task, whose strategy knows no others.
bool hasOneTask(const session::Project& project) {
    const engine::spec::StrategyRow* strategy = engine::spec::findStrategy(project.spec().strategy.name);
    return session::localWorkers(project) == 1 && strategy && strategy->has_replicas && !strategy->is_clustered;
}

// True when another program trains the run: this one then knows of no replicas.
bool trainsElsewhere(const RunSpec& run) {
    const engine::spec::StrategyRow* strategy = engine::spec::findStrategy(run.strategy.name);
    return strategy != nullptr && !strategy->runs;
}

}  // namespace

// A bar that shows how training and validation share the samples.
class SplitBar : public QWidget {
public:
    SplitBar(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) { setFixedHeight(kBarHeight); }
    void setShares(double training, double validation) {
        training_ = training;
        validation_ = validation;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const theme::Theme& t = themes_.theme();
        const double all = training_ + validation_;
        if (all <= 0) return widgets::paintBox(painter, rect(), kBarHeight / 2.0, t.sunken, t.border);
        const double border = std::round(width() * training_ / all) - (validation_ > 0 ? 1 : 0);
        widgets::paintBox(painter, QRectF(0, 0, border, height()), theme::kRadiusSmall, t.seriesColor(0), QColor());
        if (validation_ > 0)
            widgets::paintBox(painter, QRectF(border + 2, 0, width() - border - 2, height()), theme::kRadiusSmall, t.seriesColor(1),
                              QColor());
    }

private:
    const theme::ThemeController& themes_;
    double training_ = 0, validation_ = 0;
};

BatchPanel::BatchPanel(session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), project_(project), themes_(themes) {
    setObjectName("batchPanel");
    build();
    retranslate();
}

NumberBox* BatchPanel::makeBox(const char* name, int minimum, int maximum) {
    auto* box = new NumberBox(minimum, maximum, this);
    box->setObjectName(name);
    box->setMinimumWidth(kLeastBox);
    box->setFont(themes_.font(TextRole::kMonoField));
    return box;
}

void BatchPanel::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    validation_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, this);
    validation_ = new QComboBox(this);
    validation_->setObjectName("validation");
    validation_->setProperty("compact", true);
    validation_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    validation_->setMinimumContentsLength(kLeastLetters);
    percent_ = makeBox("validationPercent", 1, 90);
    percent_->setProperty("compact", true);
    percent_->setFixedWidth(kPercentWidth);
    percent_->setSuffix(QStringLiteral(" %"));
    auto* first = new QHBoxLayout;
    first->addWidget(validation_title_);
    first->addStretch(1);
    first->addWidget(percent_);
    first->addWidget(validation_);
    column->addLayout(first);
    column->addWidget(bar_ = new SplitBar(themes_, this));
    training_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    held_back_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    auto* shares = new QHBoxLayout;
    shares->addWidget(training_);
    shares->addStretch(1);
    shares->addWidget(held_back_);
    column->addLayout(shares);
    column->addSpacing(theme::kSpace2);

    batch_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, this);
    seed_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    seed_ = makeBox("seedField", 0, std::numeric_limits<int>::max());
    seed_->setProperty("compact", true);
    seed_->setFixedWidth(kSeedWidth);
    auto* second = new QHBoxLayout;
    second->addWidget(batch_title_);
    second->addStretch(1);
    second->addWidget(seed_label_);
    second->addWidget(seed_);
    column->addLayout(second);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kSpace2);
    grid->setVerticalSpacing(theme::kSpace1);
    each_ = makeBox("batchField", 1, kMostBatch);
    replicas_ = makeBox("replicasField", 1, kMostReplicas);
    global_ = makeBox("globalBatchField", 1, kMostBatch);
    each_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    replicas_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    global_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    const std::pair<TextLabel*, NumberBox*> boxes[] = {{each_label_, each_}, {replicas_label_, replicas_}, {global_label_, global_}};
    for (int i = 0; i < 3; ++i) {
        grid->addWidget(boxes[i].first, 0, 2 * i);
        grid->addWidget(boxes[i].second, 1, 2 * i);
        grid->setColumnStretch(2 * i, 1);
        if (i == 2) break;
        auto* sign = new TextLabel(themes_, TextRole::kBody, Ink::kText2, this);
        sign->setText(i == 0 ? QStringLiteral("\u00d7") : QStringLiteral("="));
        grid->addWidget(sign, 1, 2 * i + 1);
    }
    column->addLayout(grid);
    auto* well = new widgets::CardFrame(themes_, widgets::FrameKind::kWell, this);
    auto* inside = new QVBoxLayout(well);
    inside->setContentsMargins(theme::kSpace4, theme::kSpace2, theme::kSpace4, theme::kSpace2);
    advice_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, well);
    advice_->setObjectName("batchAdvice");
    advice_->setWordWrap(true);
    inside->addWidget(advice_);
    column->addWidget(well);
    column->addSpacing(theme::kSpace2);

    shard_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, this);
    shard_ = new widgets::SegmentedControl(themes_, this);
    shard_->setObjectName("autoShard");
    shard_->setCompact(true);
    shard_->setEntries({"AUTO", "FILE", "DATA", "OFF"});
    shard_reason_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, this);
    shard_reason_->setObjectName("shardReason");
    shard_reason_->setWordWrap(true);
    for (QWidget* text : {advice_, shard_reason_}) text->installEventFilter(this);
    auto* third = new QHBoxLayout;
    shard_row_ = third;
    third->addWidget(shard_title_);
    third->addStretch(1);
    third->addWidget(shard_);
    column->addLayout(third);
    column->addWidget(shard_reason_);

    connect(validation_, &QComboBox::activated, this, &BatchPanel::chooseValidation);
    connect(percent_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int percent) {
        project_.change(
            tr("Change the validation split"), [percent](RunSpec& run) { run.data.validation_split = percent / 100.0; },
            session::Project::mergeKey("data.validation_split"));
    });
    connect(seed_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int seed) {
        project_.change(
            tr("Change the seed"), [seed](RunSpec& run) { run.fit.seed = seed; }, session::Project::mergeKey("fit.seed"));
    });
    connect(each_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int each) {
        project_.change(
            tr("Change the batch"), [each](RunSpec& run) { run.data.batch_size_per_replica = each; },
            session::Project::mergeKey("data.batch_size_per_replica"));
    });
    connect(global_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int global) {
        const int each = std::max(1, global / std::max(1, replicas_->value()));
        project_.change(
            tr("Change the batch"), [each](RunSpec& run) { run.data.batch_size_per_replica = each; },
            session::Project::mergeKey("data.batch_size_per_replica"));
        refresh();  // a global batch that the replicas cannot share becomes the next smaller one
    });
    connect(replicas_, qOverload<int>(&QSpinBox::valueChanged), this, &BatchPanel::setReplicas);
    connect(shard_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        project_.change(tr("Change the sharding"),
                        [index](RunSpec& run) { run.data.auto_shard = kPolicies[static_cast<std::size_t>(index)]; });
    });
}

void BatchPanel::chooseValidation(int index) {
    project_.change(tr("Change the validation"), [index](RunSpec& run) {
        run.data.validation_split = index == kPart ? kUsualPercent / 100.0 : 0;
        if (index != kPart) run.data.validate_on_test = index == kTestSet;
    });
}

// Sets the replicas on this computer: workers, or the logical devices of the one task that a strategy knows. A worker comes with all its
// devices.
void BatchPanel::setReplicas(int replicas) {
    if (hasOneTask(project_)) {
        project_.change(tr("Use %n replica(s)", nullptr, replicas), [replicas](RunSpec& run) {
            run.strategy.devices.clear();
            run.strategy.logical_cpus = replicas;
        });
        return;
    }
    session::setLocalWorkers(project_, static_cast<int>(replicas / devicesEach(project_.spec())));
    refresh();  // a number that is no whole number of workers becomes the next smaller one
}

QString BatchPanel::replicaObstacle() const {
    if (trainsElsewhere(project_.spec())) return tr("The TPU that the script finds says how many replicas there are.");
    for (const engine::spec::Job& job : project_.spec().cluster.spec.jobs) {
        for (const auto& [index, address] : job.tasks) {
            const auto where = engine::spec::parseHostPort(address);
            const bool is_local = !where || where->host.empty() || where->host == "localhost" || where->host == "127.0.0.1";
            if (!is_local) return tr("The cluster has tasks on other hosts: change it on the Cluster page.");
        }
    }
    return {};
}

void BatchPanel::setSamples(const engine::spec::SetSize& training, std::int64_t test) {
    training_set_ = training;
    test_samples_ = test;
    refresh();
}

void BatchPanel::setShardReason(const QString& reason) {
    shard_reason_->setText(models::engineText(reason));
    fitTexts();
}

bool BatchPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) fitTexts();
    return QWidget::eventFilter(watched, event);
}

// The dock scrolls: wrapped sentences take the height that they need.
void BatchPanel::fitTexts() {
    for (TextLabel* text : {advice_, shard_reason_}) {
        text->setMinimumHeight(0);  // a label is never lower than its own minimum, also when asked
        text->setMinimumHeight(std::max(0, text->heightForWidth(text->width())));
    }
    for (QWidget* at = this; at != nullptr && at != window(); at = at->parentWidget()) {
        if (at->layout() != nullptr) at->layout()->activate();
    }
}

void BatchPanel::refresh() {
    const RunSpec& run = project_.spec();
    const DataSpec& spec = run.data;
    const bool open = project_.isOpen();
    setEnabled(open);
    const std::int64_t tasks = session::localWorkers(project_), replicas = tasks * devicesEach(run);
    const QSignalBlocker quiet[] = {QSignalBlocker(replicas_), QSignalBlocker(shard_)};
    const Validation validation = validationOf(spec);
    validation_->setCurrentIndex(validation);
    percent_->setVisible(validation == kPart);
    if (validation == kPart) percent_->showValue(std::lround(spec.validation_split * 100));
    DataSpec whole = spec;
    whole.validation_split = 0;
    const std::int64_t trained = trainedSamples(spec, training_set_.samples);
    const std::int64_t held = validation == kPart      ? trainedSamples(whole, training_set_.samples) - trained
                              : validation == kTestSet ? test_samples_
                                                       : 0;
    bar_->setShares(static_cast<double>(trained), static_cast<double>(held));
    const QString missing(models::kMissing);
    training_->setText(tr("training %1").arg(training_set_.samples > 0 ? models::formatCount(trained) : missing));
    held_back_->setText(tr("validation %1").arg(training_set_.samples > 0 ? models::formatCount(held) : missing));
    seed_->showValue(run.fit.seed);
    each_->showValue(spec.batch_size_per_replica);
    const auto step = hasOneTask(project_) ? 1 : static_cast<int>(devicesEach(run));
    const int most = std::max(kMostReplicas * step, static_cast<int>(replicas));
    // Both write the text anew.
    if (replicas_->minimum() != step || replicas_->maximum() != most) replicas_->setRange(step, most);
    if (replicas_->singleStep() != step) replicas_->setSingleStep(step);
    const QString obstacle = open ? replicaObstacle() : QString();
    replicas_->setEnabled(open && obstacle.isEmpty());
    replicas_->setToolTip(obstacle);
    const bool elsewhere = trainsElsewhere(run);
    for (NumberBox* box : {replicas_, global_}) box->showInstead(elsewhere ? missing : QString());
    global_->setEnabled(!elsewhere);
    global_->setToolTip(elsewhere ? obstacle : QString());
    if (!elsewhere) {
        replicas_->showValue(replicas);
        global_->showValue(spec.batch_size_per_replica * replicas);
    }
    const std::int64_t steps = stepsPerEpoch(run, training_set_, static_cast<int>(tasks));
    QStringList lines;
    for (const std::string& line : batchAdvice(run, tasks, training_set_.samples, steps)) {
        QString text = models::engineText(line);
        text[0] = text[0].toUpper();
        lines << text;
    }
    if (!lines.isEmpty()) lines.removeFirst();  // the boxes say it
    if (elsewhere) lines = {obstacle};
    advice_->setText(open ? lines.join("\n") : QString());
    fitTexts();
    shard_->setCurrent(static_cast<int>(std::find(kPolicies.begin(), kPolicies.end(), spec.auto_shard) - kPolicies.begin()));
}

void BatchPanel::setNarrow(bool narrow) {
    shard_row_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void BatchPanel::focusSeed() {
    seed_->setFocus(Qt::OtherFocusReason);
}

void BatchPanel::retranslate() {
    validation_title_->setText(tr("Validation"));
    const QSignalBlocker quiet(validation_);
    validation_->clear();
    validation_->addItems({tr("the test set"), tr("a part of training"), tr("none")});
    batch_title_->setText(tr("Batch"));
    seed_label_->setText(tr("seed"));
    each_label_->setText(tr("per replica"));
    replicas_label_->setText(tr("replicas"));
    global_label_->setText(tr("global"));
    shard_title_->setText(tr("Auto-shard"));
    const std::pair<QWidget*, TextLabel*> named[] = {{validation_, validation_title_}, {seed_, seed_label_},     {each_, each_label_},
                                                     {replicas_, replicas_label_},     {global_, global_label_}, {shard_, shard_title_}};
    for (const auto& [field, label] : named) field->setAccessibleName(label->text());
    percent_->setAccessibleName(tr("part of the training samples for validation"));
    refresh();
}

}  // namespace ui::views

#include "moc_data_batch.cpp"
