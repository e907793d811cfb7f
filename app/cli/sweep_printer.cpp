#include "app/cli/sweep_printer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "engine/sweep/field_importance.h"
#include "engine/sweep/sweep_project.h"

namespace app::cli {
namespace {

using engine::sweep::Sweep;
using engine::sweep::Trial;
using engine::sweep::TrialState;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRows = 12;

std::string shortNumber(double value, const char* format = "%.4f") {
    if (std::isnan(value)) return "-";
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

const Trial& trialOf(const Sweep& sweep, int index) {
    return sweep.trials()[static_cast<std::size_t>(index)];
}

// The mean of the runs' latest values, while they train; else the trial's own.
double latestOf(const Trial& trial) {
    double sum = 0;
    int told = 0;
    for (const engine::sweep::TrialRun& run : trial.runs) {
        if (std::isnan(run.latest)) continue;
        sum += run.latest;
        ++told;
    }
    return trial.state == TrialState::kTraining && told > 0 ? sum / told : trial.value();
}

std::string labelOf(const Sweep& sweep, const Trial& trial) {
    return engine::sweep::labelOf(sweep.settings().fields, trial.configuration);
}

std::string countOf(std::int64_t number, const char* one, const char* many) {
    return std::to_string(number) + " " + (number == 1 ? one : many);
}

// "12 of 27 trials ended, 2 train, 41 epochs; best val_accuracy 0.9412, trial 7"
std::string headline(const Sweep& sweep) {
    const auto count = [&](TrialState state) {
        return std::count_if(sweep.trials().begin(), sweep.trials().end(), [state](const Trial& one) { return one.state == state; });
    };
    const auto ended = count(TrialState::kPaused) + count(TrialState::kDone) + count(TrialState::kFailed);
    std::string text =
        std::to_string(ended) + " of " + countOf(static_cast<std::int64_t>(sweep.trials().size()), "trial", "trials") + " ended";
    if (const auto training = count(TrialState::kTraining); training > 0) text += ", " + std::to_string(training) + " in training";
    if (const auto failed = count(TrialState::kFailed); failed > 0) text += ", " + std::to_string(failed) + " failed";
    text += ", " + countOf(sweep.epochsTrained(), "epoch", "epochs");
    if (const auto best = sweep.best()) {
        text += "; best " + sweep.settings().objective.log + " " + shortNumber(trialOf(sweep, *best).value()) + ", trial " +
                std::to_string(*best + 1);
    }
    return text;
}

// Returns the trials in training first, then the others from the best on.
std::vector<int> rowsOf(const Sweep& sweep, bool with_training) {
    std::vector<int> rows(sweep.trials().size());
    std::iota(rows.begin(), rows.end(), 0);
    std::erase_if(rows, [&](int index) { return trialOf(sweep, index).state == TrialState::kWaiting; });
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
        const Trial &first = trialOf(sweep, a), &second = trialOf(sweep, b);
        const bool trains = with_training && first.state == TrialState::kTraining;
        const bool other_trains = with_training && second.state == TrialState::kTraining;
        if (trains != other_trains) return trains;
        const double value = first.state == TrialState::kFailed ? engine::sweep::kNoValue : first.value();
        const double other = second.state == TrialState::kFailed ? engine::sweep::kNoValue : second.value();
        return sweep.isBetter(value, other) || (value == other && first.values.size() > second.values.size());
    });
    if (rows.size() > kMostRows) rows.resize(kMostRows);
    return rows;
}

// A line for each of the rows, under a head: "trial  state  epochs  val_accuracy  optimizer.learning_rate  layers[1].units".
std::vector<std::string> tableOf(const Sweep& sweep, const std::vector<int>& rows) {
    std::vector<std::vector<std::string>> cells{{"trial", "state", "epochs", sweep.settings().objective.log}};
    for (const engine::sweep::SweepField& field : sweep.settings().fields) cells[0].push_back(engine::sweep::shortPath(field.path));
    for (const int index : rows) {
        const Trial& trial = trialOf(sweep, index);
        const std::int64_t epochs = trial.rung < 0 ? 0 : sweep.rungs()[static_cast<std::size_t>(trial.rung)];
        cells.push_back({std::to_string(index + 1), std::string(toString(trial.state)),
                         std::to_string(trial.epochs()) + "/" + std::to_string(epochs), shortNumber(latestOf(trial))});
        cells.back().insert(cells.back().end(), trial.configuration.begin(), trial.configuration.end());
        if (!trial.error.empty()) cells.back().push_back(trial.error);
    }
    const std::size_t columns = cells[0].size();
    std::vector<std::size_t> widths(columns, 0);
    for (const auto& row : cells) {
        for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::vector<std::string> lines;
    for (const auto& row : cells) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += (i == 0 ? "" : "  ") + row[i];
            if (i + 1 < row.size() && i < columns) line.append(widths[i] - row[i].size(), ' ');
        }
        lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
    }
    return lines;
}

// The last words, for people.
void printSummary(std::ostream& out, const Sweep& sweep, const SweepOrigin& origin, double seconds) {
    out << (sweep.isOver() ? "The sweep is over: " : "The sweep has stopped: ") << headline(sweep) << " in " << shortNumber(seconds, "%.0f")
        << " s\n";
    const std::optional<int> best = sweep.best();
    if (!best) return;
    for (const std::string& line : tableOf(sweep, rowsOf(sweep, false))) out << line << '\n';
    if (const auto importance = engine::sweep::importanceOf(sweep)) {
        out << "Importance, of " << importance->trials << " trials:";
        for (std::size_t i = 0; i < importance->alone.size(); ++i) {
            out << (i == 0 ? " " : ", ") << engine::sweep::shortPath(sweep.settings().fields[i].path) << " "
                << shortNumber(100 * importance->alone[i], "%.0f %%");
        }
        out << ", fields together and noise " << shortNumber(100 * importance->together, "%.0f %%") << '\n';
    }
    out << "The best again: " << commandOf(sweep, *best, origin) << '\n';
}

std::string beginning(const Sweep& sweep) {
    const engine::sweep::SweepSettings& settings = sweep.settings();
    std::string text = "Sweep: " + std::string(toString(settings.method)) + " over " +
                       countOf(static_cast<std::int64_t>(sweep.trials().size()), "configuration", "configurations");
    if (settings.seeds > 1) text += ", " + std::to_string(settings.seeds) + " seeds each";
    text += ", " + std::to_string(settings.at_once) + " at once, for " + (settings.objective.rises ? "the greatest " : "the least ") +
            settings.objective.log;
    if (sweep.rungs().size() > 1) {
        text += ", rungs at";
        for (const std::int64_t epochs : sweep.rungs()) text += " " + std::to_string(epochs);
        text += " epochs";
    }
    return text;
}

class PeoplePrinter : public SweepPrinter {
public:
    PeoplePrinter(std::ostream& out, SweepOrigin origin) : out_(out), origin_(std::move(origin)) {}

    void begin(const Sweep& sweep, const std::filesystem::path& folder) override {
        out_ << beginning(sweep) << "\nFolder: " << folder.string() << '\n' << std::flush;
    }
    void finish(const Sweep& sweep, double seconds) override {
        printSummary(out_, sweep, origin_, seconds);
        out_ << std::flush;
    }

protected:
    std::ostream& out_;
    const SweepOrigin origin_;
};

// Drawn anew over itself; the terminal cuts lines that are too long.
class TablePrinter : public PeoplePrinter {
public:
    using PeoplePrinter::PeoplePrinter;

    void changed(const Sweep& sweep) override {
        erase();
        std::vector<std::string> lines = tableOf(sweep, rowsOf(sweep, true));
        lines.push_back(headline(sweep));
        out_ << "\x1b[?7l";
        for (const std::string& line : lines) out_ << line << '\n';
        out_ << "\x1b[?7h" << std::flush;
        drawn_ = lines.size();
    }
    void finish(const Sweep& sweep, double seconds) override {
        erase();
        PeoplePrinter::finish(sweep, seconds);
    }

private:
    void erase() {
        if (drawn_ > 0) out_ << "\x1b[" << drawn_ << "A\r\x1b[J";
        drawn_ = 0;
    }
    std::size_t drawn_ = 0;
};

// True when something differs between two looks.
bool isNews(const Trial& before, const Trial& now) {
    return before.state != now.state || before.rung != now.rung || before.runs != now.runs;
}

class LinePrinter : public PeoplePrinter {
public:
    using PeoplePrinter::PeoplePrinter;

    void begin(const Sweep& sweep, const std::filesystem::path& folder) override {
        PeoplePrinter::begin(sweep, folder);
        before_ = sweep.trials();
    }
    void changed(const Sweep& sweep) override {
        for (std::size_t i = 0; i < sweep.trials().size(); ++i) {
            const Trial& trial = sweep.trials()[i];
            if (before_[i].state == trial.state && before_[i].rung == trial.rung) continue;
            const std::string name = "trial " + std::to_string(i + 1);
            if (trial.state == TrialState::kTraining) {
                out_ << name << ": " << labelOf(sweep, trial) << (trial.rung > 0 ? ", on to " : ", to ")
                     << countOf(sweep.rungs()[static_cast<std::size_t>(trial.rung)], "epoch", "epochs") << '\n';
            } else if (trial.state == TrialState::kFailed) {
                out_ << name << ": failed: " << trial.error << '\n';
            } else {
                out_ << name << ": " << sweep.settings().objective.log << " " << shortNumber(trial.value()) << " after "
                     << countOf(trial.epochs(), "epoch", "epochs") << (sweep.best() == static_cast<int>(i) ? ", the best so far" : "")
                     << '\n';
            }
        }
        before_ = sweep.trials();
        out_ << std::flush;
    }

private:
    std::vector<Trial> before_;
};

Json numberOrNull(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

class SweepJsonPrinter : public SweepPrinter {
public:
    explicit SweepJsonPrinter(std::ostream& out) : out_(out) {}

    void begin(const Sweep& sweep, const std::filesystem::path& folder) override {
        const engine::sweep::SweepSettings& settings = sweep.settings();
        print({{"event", "sweep"},
               {"folder", folder.string()},
               {"method", toString(settings.method)},
               {"objective", settings.objective.log},
               {"direction", settings.objective.rises ? "max" : "min"},
               {"rungs", sweep.rungs()},
               {"trials", sweep.trials().size()}});
        before_.resize(sweep.trials().size());
        for (std::size_t i = 0; i < before_.size(); ++i) before_[i].runs.resize(sweep.trials()[i].runs.size());
        changed(sweep);
    }
    void changed(const Sweep& sweep) override {
        for (std::size_t i = 0; i < sweep.trials().size(); ++i) {
            if (!isNews(before_[i], sweep.trials()[i])) continue;
            Json event{{"event", "trial"}};
            event.update(trialJson(sweep, static_cast<int>(i)));
            print(event);
        }
        before_ = sweep.trials();
    }
    void finish(const Sweep& sweep, double seconds) override {
        const std::optional<int> best = sweep.best();
        Json event{{"event", "finished"},
                   {"state", sweep.isOver() ? "over" : "stopped"},
                   {"best", best ? trialJson(sweep, *best) : Json(nullptr)},
                   {"epochs", sweep.epochsTrained()},
                   {"seconds", seconds},
                   {"importance", nullptr}};
        if (const auto importance = engine::sweep::importanceOf(sweep)) {
            Json fields = Json::object();
            for (std::size_t i = 0; i < importance->alone.size(); ++i) fields[sweep.settings().fields[i].path] = importance->alone[i];
            event["importance"] = {{"trials", importance->trials}, {"fields", fields}, {"together", importance->together}};
        }
        print(event);
    }

private:
    static Json trialJson(const Sweep& sweep, int index) {
        const Trial& trial = trialOf(sweep, index);
        Json values = Json::object(), runs = Json::array();
        for (std::size_t i = 0; i < trial.configuration.size(); ++i) values[sweep.settings().fields[i].path] = trial.configuration[i];
        for (const engine::sweep::TrialRun& run : trial.runs) runs.push_back(run.run_id.empty() ? Json(nullptr) : Json(run.run_id));
        return {{"trial", index + 1},
                {"values", std::move(values)},
                {"state", toString(trial.state)},
                {"rung", trial.rung + 1},
                {"epochs", trial.epochs()},
                {"value", numberOrNull(trial.value())},
                {"latest", numberOrNull(latestOf(trial))},
                {"runs", std::move(runs)},
                {"error", trial.error.empty() ? Json(nullptr) : Json(trial.error)}};
    }
    void print(const Json& event) { out_ << event.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush; }

    std::ostream& out_;
    std::vector<Trial> before_;
};

}  // namespace

std::unique_ptr<SweepPrinter> makeSweepPrinter(std::ostream& out, SweepStyle style, const SweepOrigin& origin) {
    switch (style) {
        case SweepStyle::kTable:
            return std::make_unique<TablePrinter>(out, origin);
        case SweepStyle::kLines:
            return std::make_unique<LinePrinter>(out, origin);
        case SweepStyle::kJson:
            break;
    }
    return std::make_unique<SweepJsonPrinter>(out);
}

}  // namespace app::cli
