// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_curves.h"

#include <QHBoxLayout>
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/models/finding_text.h"
#include "ui/monitor/monitor_marks.h"
#include "ui/runs/seed_mean.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"

namespace ui::views {

using charts::ChartCard;
using models::Curve;
using models::CurvePoint;
using session::RunRecord;

namespace {

constexpr int kRebuildMs = 200;
constexpr double kFar = 10;
constexpr std::string_view kValidation = "val_", kLoss = "loss", kRate = "learning_rate";

bool isMetric(std::string_view name) {
    return name != kLoss && name != kRate && !name.starts_with(kValidation);
}

double stepsPerEpoch(const RunRecord& run) {
    if (run.started() && run.started()->steps_per_epoch > 0) return static_cast<double>(run.started()->steps_per_epoch);
    if (run.epochs().empty()) return 1;
    const auto& first = run.epochs().front().end;
    const std::int64_t epochs = std::max<std::int64_t>(1, first.epoch + 1 - run.epochsPassedOver());
    return static_cast<double>(first.step) / static_cast<double>(epochs);
}

Curve epochCurve(const RunRecord& run, const std::string& log) {
    Curve curve;
    for (const auto& epoch : run.epochs()) {
        const double value = epoch.log(log);
        if (std::isfinite(value)) curve.push_back({epoch.end.step, epoch.time_s, value});
    }
    return curve;
}

Curve stepCurve(const RunRecord& run, const std::string& name) {
    Curve curve;
    const session::PointTable& table = run.global();
    const auto* values = table.find(name);
    if (values == nullptr) return curve;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (std::isfinite((*values)[i])) curve.push_back({static_cast<std::int64_t>(table.step[i]), table.time_s[i], (*values)[i]});
    }
    return curve;
}

// Returns the first metric that any run logs.
std::string metricOf(const std::vector<RunRecord*>& runs) {
    for (const RunRecord* run : runs) {
        for (const std::string& name : run->global().names) {
            if (isMetric(name)) return name;
        }
        for (const auto& epoch : run->epochs()) {
            for (const auto& [name, value] : epoch.end.logs) {
                if (isMetric(name)) return name;
            }
        }
    }
    return "accuracy";
}

// Marks the curves that lie so far from the others that these would be one line: their last values are further from the median than ten
// times the median distance is. Of three or fewer curves it marks none.
std::vector<bool> outliers(const std::vector<Curve>& curves) {
    std::vector<double> ends;
    for (const Curve& curve : curves) {
        if (!curve.empty()) ends.push_back(curve.back().value);
    }
    std::vector<bool> far(curves.size(), false);
    if (ends.size() < 4) return far;
    const auto median = [](std::vector<double> values) {
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
        return values[values.size() / 2];
    };
    const double middle = median(ends);
    std::vector<double> distances;
    for (const double end : ends) distances.push_back(std::abs(end - middle));
    const double usual = median(distances);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        far[i] = usual > 0 && !curves[i].empty() && std::abs(curves[i].back().value - middle) > kFar * usual;
    }
    return far;
}

std::int64_t unixNs(const RunRecord& run, double seconds) {
    return run.createdUnixNs() + (std::isfinite(seconds) ? std::llround(seconds * 1e9) : 0);
}

// True when a later run repeats this one. Older agents made a run of each attempt: the same folder and the same seed are one sample, and
// the last one tells it.
bool isEarlierAttempt(const RunRecord& run, const std::vector<RunRecord*>& runs) {
    const session::RunSummary& one = run.summary();
    return std::any_of(runs.begin(), runs.end(), [&](const RunRecord* other) {
        const session::RunSummary& later = other->summary();
        return !one.run_dir.isEmpty() && later.run_dir == one.run_dir && later.facts.twin_key == one.facts.twin_key &&
               later.facts.seed == one.facts.seed && later.created_unix_ns > one.created_unix_ns;
    });
}

}  // namespace

RunCurves::RunCurves(session::Runs& runs, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), runs_(runs), group_(new charts::ChartGroup(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace3);
    metric_ = new ChartCard(QStringLiteral("compareMetric"), themes, this);
    loss_ = new ChartCard(QStringLiteral("compareLoss"), themes, this);
    cards_ = {metric_, loss_};
    group_->setAxes({models::XAxis::kEpoch, models::XAxis::kStep, models::XAxis::kRelative});
    for (ChartCard* card : cards_) {
        row->addWidget(card, 1);
        group_->add(*card);
        connect(card, &ChartCard::expandWanted, this, [this, card] {
            for (ChartCard* other : cards_) {
                if (other != card) other->setVisible(!other->isVisible());
            }
        });
    }
    group_->setXAxis(models::XAxis::kEpoch);
    group_->setSmoothing(0);
    rebuild_.setSingleShot(true);
    connect(&rebuild_, &QTimer::timeout, this, &RunCurves::rebuild);
    connect(&runs_, &session::Runs::comparedChanged, this, &RunCurves::adopt);
    setTexts();
}

bool RunCurves::leaveFullSize() {
    const bool is_alone = std::any_of(cards_.begin(), cards_.end(), [](const ChartCard* card) { return card->isHidden(); });
    for (ChartCard* card : cards_) card->show();
    return is_alone;
}

void RunCurves::setSource(Source source) {
    source_ = source;
    rebuild();
}

void RunCurves::setSeeds(Seeds seeds) {
    seeds_ = seeds;
    rebuild();
}

void RunCurves::setSelected(const QString& id) {
    selected_ = id;
    highlight();
}

void RunCurves::highlight() {
    const auto at = std::find(shown_.begin(), shown_.end(), selected_);
    const bool several = shown_.size() > 1 && at != shown_.end();
    for (ChartCard* card : cards_) card->setHighlighted(several ? std::optional(static_cast<int>(at - shown_.begin())) : std::nullopt);
}

bool RunCurves::hasTwins() const {
    std::map<QString, int> counts;
    for (const RunRecord* run : runs_.compared()) {
        const QString key = run->summary().facts.twin_key;
        if (key.isEmpty() || isEarlierAttempt(*run, runs_.compared())) continue;
        if (++counts[key] > 1) return true;
    }
    return false;
}

void RunCurves::adopt() {
    const auto later = [this] {
        if (!rebuild_.isActive()) rebuild_.start(kRebuildMs);
    };
    for (RunRecord* run : runs_.compared()) {
        run->disconnect(this);
        for (const auto signal : {&RunRecord::epochsChanged, &RunRecord::pointsArrived, &RunRecord::stateChanged})
            connect(run, signal, this, later);
    }
    rebuild();
    emit twinsChanged();
}

Curve RunCurves::curveOf(const RunRecord& run, bool loss) const {
    const std::string name = loss ? std::string(kLoss) : metric_name_;
    return source_ == Source::kValidation ? epochCurve(run, std::string(kValidation) + name) : stepCurve(run, name);
}

void RunCurves::addCurve(ChartCard& card, const RunRecord& run, const QString& name, const Curve& curve, bool outlier) {
    const session::RunSummary& summary = run.summary();
    const bool validation = source_ == Source::kValidation;
    const int index = card.addSeries(name, {.color = summary.color,
                                            .dashed = validation,
                                            .hollow_points = validation,
                                            .exact = validation,
                                            .second_dash = summary.dash > 0,
                                            .outlier = outlier,
                                            .live = isActive(summary.state)});
    models::Series& series = card.series(index);
    series.setOrigin(run.createdUnixNs());
    series.setPauses(pausesOf(run));
    series.setStepsPerEpoch(stepsPerEpoch(run), static_cast<double>(run.epochsPassedOver()));
    for (const CurvePoint& point : curve) series.append(point.step, unixNs(run, point.seconds), static_cast<float>(point.value));
}

void RunCurves::fill(ChartCard& card, bool loss) {
    const auto zoom = card.axes().xRange();
    card.clearSeries();
    shown_.clear();
    bool live = false;
    std::map<QString, std::vector<const RunRecord*>> twins;
    for (const RunRecord* run : runs_.compared()) {
        live |= run->state() == session::RunState::kTraining;
        const QString key = run->summary().facts.twin_key;
        if (seeds_ == Seeds::kMean && isEarlierAttempt(*run, runs_.compared())) continue;
        twins[seeds_ == Seeds::kMean && !key.isEmpty() ? key : run->id()].push_back(run);
    }
    struct Drawn {
        const RunRecord* run;
        QString name;
        models::MeanCurve curve;
    };
    std::vector<Drawn> drawn;
    std::vector<Curve> curves;
    for (const RunRecord* run : runs_.compared()) {
        const QString key = run->summary().facts.twin_key;
        const auto& group = twins[seeds_ == Seeds::kMean && !key.isEmpty() ? key : run->id()];
        if (group.empty() || group.front() != run) continue;
        shown_.push_back(run->id());
        if (group.size() == 1) {
            drawn.push_back({run, run->summary().name, {curveOf(*run, loss), {}, {}}});
        } else {
            std::vector<Curve> seeds;
            for (const RunRecord* twin : group) seeds.push_back(curveOf(*twin, loss));
            drawn.push_back({run, tr("%1, mean of %n seed(s)", nullptr, static_cast<int>(group.size())).arg(run->summary().name),
                             models::meanCurve(seeds)});
        }
        curves.push_back(drawn.back().curve.mean);
    }
    const std::vector<bool> far = outliers(curves);
    std::vector<charts::Marker> marks;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        addCurve(card, *drawn[i].run, drawn[i].name, curves[i], far[i]);
        if (!drawn[i].curve.lower.empty()) {  // of several runs
            card.setBand(card.seriesCount() - 1, drawn[i].curve.lower, drawn[i].curve.upper);
            continue;
        }
        for (charts::Marker& mark : restartMarks(*drawn[i].run)) {
            mark.series = card.seriesCount() - 1;
            mark.subject = drawn[i].run->id();
            mark.tooltip = models::withName(drawn[i].name, mark.tooltip);
            marks.push_back(std::move(mark));
        }
    }
    card.setMarkers(std::move(marks));
    card.setLive(live);
    if (zoom) card.axes().setXRange(zoom);
    card.dataChanged();
}

void RunCurves::rebuild() {
    rebuild_.stop();
    metric_name_ = metricOf(runs_.compared());
    setTexts();
    fill(*metric_, false);
    fill(*loss_, true);
    highlight();
}

void RunCurves::setTexts() {
    const bool validation = source_ == Source::kValidation;
    QString name = QString::fromStdString(metric_name_).replace('_', ' ');
    if (metric_name_ == "accuracy") name = tr("accuracy");
    metric_->setTexts(validation ? tr("Validation %1", "a metric's name").arg(name) : tr("Training %1", "a metric's name").arg(name), name);
    loss_->setTexts(validation ? tr("Validation loss") : tr("Training loss"), tr("loss"));
    const auto& compared = runs_.compared();
    const bool are_over = std::all_of(compared.begin(), compared.end(), [](const auto& run) { return isFinal(run->state()); });
    const QString nothing = compared.empty() ? tr("Check runs in the table (Space) to draw them.")
                            : are_over       ? tr("none of these runs has told any")
                            : validation     ? tr("appears with the end of the first epoch")
                                             : QString();
    for (ChartCard* card : cards_) card->setEmptyText(nothing);
}

void RunCurves::retranslate() {
    setTexts();
    for (ChartCard* card : cards_) card->retranslate();
    rebuild();
}

}  // namespace ui::views

#include "moc_run_curves.cpp"
