#include "engine/export/tensor_board/run_logs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/export/event_file.h"
#include "engine/export/tensor_board/run_pages.h"
#include "engine/run/event_file_run.h"

namespace engine::exporter {
namespace {

constexpr std::string_view kValidation = "val_";

class Writer {
public:
    Writer(const run::RunHistory& run, const files::Place& folder)
        : run_(run), folder_(folder), is_foreign_(isOfEventFiles(run.info())), train_(folder / "train") {}

    WrittenRunLogs write() {
        at(0);
        if (!is_foreign_) {
            addModelGraph(train_, run_.run().model);
            addProjectText(train_, run_.run());
            addHyperparameters(train_, run_.run());
        }
        // What reads the file from its beginning finds an epoch's values behind its steps, as Keras writes them.
        auto epoch = run_.epochs().begin();
        addTable(run_.global(), is_foreign_ ? "" : "batch_", [&](double step) {
            for (; epoch != run_.epochs().end() && static_cast<double>(epoch->end.step) < step; ++epoch) addEpoch(*epoch);
        });
        for (; epoch != run_.epochs().end(); ++epoch) addEpoch(*epoch);
        for (const run::TaskRecord& task : run_.tasks()) {
            if (is_foreign_) addTable(task.own, "", [](double) {});
        }
        addDistributions(run_.weightReports().weights(), "");
        addDistributions(run_.weightReports().gradients(), "/gradient");
        for (const run::FilterEntry& filters : run_.weightReports().filters()) addFilters(filters);
        if (isFinal(run_.state()) && !is_foreign_) {
            at(run_.secondsSinceCreation(run_.finishedUnixNs()));
            train_.addSessionEnd(run_.state() == run::RunState::kDone);
        }
        train_.flush();
        if (validation_) validation_->flush();
        return {.files = validation_ ? 2 : 1, .points = points_};
    }

private:
    void at(double time_s) {
        const double wall = static_cast<double>(run_.createdUnixNs()) * 1e-9 + time_s;
        train_.setWallTime(wall);
        if (validation_) validation_->setWallTime(wall);
    }

    // before_step(step) is called before the points of each step.
    void addTable(const run::PointTable& table, const std::string& prefix, const std::function<void(double)>& before_step) {
        for (std::size_t row = 0; row < table.size(); ++row) {
            before_step(table.step[row]);
            at(table.time_s[row]);
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const double value = table.columns[column][row];
                if (std::isnan(value)) continue;
                train_.addScalar(prefix + table.names[column], static_cast<std::int64_t>(table.step[row]), static_cast<float>(value));
                ++points_;
            }
        }
    }

    void addEpoch(const run::EpochEntry& epoch) {
        for (const auto& [name, value] : epoch.end.logs) {
            const bool is_validation = name.starts_with(kValidation);
            if (is_validation && !validation_) validation_.emplace(folder_ / "validation");
            at(epoch.time_s);
            const std::string own = is_validation ? name.substr(kValidation.size()) : name;
            EventFile& file = is_validation ? *validation_ : train_;
            file.addScalar("epoch_" + own, epoch.end.epoch, static_cast<float>(value));
            if (is_validation) file.addScalar("evaluation_" + own + "_vs_iterations", epoch.end.step, static_cast<float>(value));
            ++points_;
        }
    }

    void addDistributions(const std::vector<run::VariableHistory>& variables, const std::string& suffix) {
        const std::string prefix = is_foreign_ ? std::string() : run_.run().model.name + "/";
        for (const run::VariableHistory& variable : variables) {
            for (const run::DistributionEntry& entry : variable.entries) {
                at(entry.time_s);
                const Histogram histogram{.minimum = entry.minimum, .maximum = entry.maximum, .norm = entry.norm, .counts = entry.counts};
                if (!histogram.counts.empty()) {
                    train_.addHistogram(prefix + variable.name + suffix + "/histogram", static_cast<std::int64_t>(entry.epoch), histogram);
                    ++points_;
                }
            }
        }
    }

    void addFilters(const run::FilterEntry& entry) {
        const spec::FilterPictures& filters = entry.filters;
        const std::size_t size =
            static_cast<std::size_t>(filters.height) * static_cast<std::size_t>(filters.width) * static_cast<std::size_t>(filters.channels);
        if (size == 0 || filters.count <= 0 || filters.values.size() != size * static_cast<std::size_t>(filters.count)) return;
        const auto [least, most] = std::minmax_element(filters.values.begin(), filters.values.end());
        const float span = *most - *least;
        std::vector<Picture> pictures;
        for (std::int32_t i = 0; i < filters.count; ++i) {
            Picture picture{.height = filters.height, .width = filters.width, .channels = filters.channels, .pixels = {}};
            for (std::size_t j = 0; j < size; ++j) {
                const float value = filters.values[static_cast<std::size_t>(i) * size + j];
                picture.pixels.push_back(static_cast<std::uint8_t>(span > 0 ? std::lround((value - *least) / span * 255.0F) : 0));
            }
            pictures.push_back(std::move(picture));
        }
        at(entry.time_s);
        train_.addImages(run_.run().model.name + "/" + filters.name + "/image", static_cast<std::int64_t>(entry.epoch), pictures);
    }

    const run::RunHistory& run_;
    const files::Place folder_;
    const bool is_foreign_;
    EventFile train_;
    std::optional<EventFile> validation_;
    std::int64_t points_ = 0;
};

}  // namespace

WrittenRunLogs writeRunLogs(const run::RunHistory& run, const files::Place& folder) {
    return Writer(run, folder).write();
}

}  // namespace engine::exporter
