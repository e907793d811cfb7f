#include "agent/inspect/data_facts.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <ostream>
#include <span>

#include <nlohmann/json.hpp>

#include "agent/worker/project_loader.h"
#include "engine/data/dataset_catalog.h"
#include "engine/data/dataset_summary.h"
#include "engine/data/named_sets.h"
#include "engine/data/own_files.h"
#include "engine/data/readers/csv_reader.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/validate.h"
#include "engine/train/input_check.h"

namespace agent::worker {

namespace data = engine::data;
namespace fs = std::filesystem;
namespace spec = engine::spec;
namespace tensor = engine::tensor;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t kMostFilesCounted = 200000;

std::string base64(std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group = group << 8U | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
        }
    }
    return text;
}

struct Found {
    spec::DataSpec data;
    data::Dataset set;
    data::DatasetSummary summary;
    std::int64_t bytes = 0;
    bool is_checked = false;  // its files carry checksums, which fitted
    std::vector<data::CsvColumn> columns;
    std::string label_column;
    std::int64_t bad = 0;
    std::vector<std::string> first_bad;
    std::vector<std::string> refusals;  // --check: why a run would end
};

class Looking {
public:
    Looking(const DataOptions& options, const TaskSurroundings& surroundings, const spec::RunSpec& run)
        : options_(options), surroundings_(surroundings), run_(run), settings_(run.data), set_(data::findNamedSet(settings_.dataset)) {
        settings_.on_error = spec::BadRecord::kSkip;
        settings_.one_hot = 0;
        settings_.download = options.fetch;
        settings_.cache = false;
    }

    Found run() {
        Found found{.data = settings_};
        checkDownloads();
        data::LoadHooks hooks{options_.fetch ? options_.download_folder : fs::path(), {}};
        hooks.how_to_fetch = "fetch it with --fetch";
        hooks.download.progress = [this](const data::DownloadProgress& step) { tell("fetch", step.name, step.done, step.total); };
        // It looks at all records even where a run would end at the first bad one.
        hooks.download.log = [this](const std::string& text) {
            const std::string_view skipped = "skipped: ";
            const bool ends_a_run = run_.data.on_error == spec::BadRecord::kRefuse && text.starts_with(skipped);
            log(ends_a_run ? "bad: " + text.substr(skipped.size()) : text);
        };
        hooks.download.is_cancelled = surroundings_.stop_requested;
        found.set = data::loadDataset(settings_, options_.dataset_folders, base(), hooks);
        data::SummaryOptions look{.samples_per_class = options_.samples, .draw = options_.draw, .reads_all = options_.check};
        look.progress = [this](std::int64_t done, std::int64_t total) { tell("read", settings_.dataset, done, total); };
        look.is_cancelled = surroundings_.stop_requested;
        found.summary = data::summarize(found.set, look);
        if (const auto& report = found.set.train->report) {
            found.bad = report->skipped();
            found.first_bad = report->firstSkipped();
        }
        if (options_.check) {
            found.refusals = refusals(found);
        }
        found.bytes = sizeOnDisk();
        found.is_checked = hasChecksums();
        if (settings_.dataset == "csv") {
            data::CsvTable table = data::inspectCsv(ownFiles(settings_.train_files), settings_.csv);
            found.columns = std::move(table.features);
            found.label_column = table.label.name;
            found.columns.push_back(std::move(table.label));
        }
        return found;
    }

    bool canFetch() const {
        const spec::NamedDataset* named = spec::findNamedDataset(settings_.dataset);
        return set_ != nullptr && named != nullptr && !options_.download_folder.empty();
    }

private:
    // What ends a run with this data: a bad sample unless it skips them, and what the model of the project can't take, where it has one.
    std::vector<std::string> refusals(const Found& found) const {
        std::vector<std::string> all;
        if (found.bad > 0 && run_.data.on_error == spec::BadRecord::kRefuse) {
            all.push_back(std::to_string(found.bad) + (found.bad == 1 ? " sample" : " samples") +
                          " of the data can't be read, expected none with data.on_error=refuse (skip goes on without them)");
        }
        if (run_.model.layers.empty() || hasErrors(spec::validate(run_))) {
            return all;
        }
        try {
            engine::train::checkDataset(run_, found.set, run_.data.one_hot);
        } catch (const engine::Error& error) {
            all.emplace_back(error.what());
        }
        return all;
    }

    fs::path base() const { return options_.base.empty() ? fs::absolute(options_.project).parent_path() : options_.base; }
    std::vector<fs::path> ownFiles(const std::vector<std::string>& names) const {
        data::SearchFolders folders{base()};
        folders.insert(folders.end(), options_.dataset_folders.begin(), options_.dataset_folders.end());
        return data::expandFiles(names, folders);
    }

    void log(const std::string& text) const {
        if (options_.json) {
            surroundings_.out << Json{{"log", text}}.dump() << std::endl;
        } else {
            surroundings_.errors << text << '\n';
        }
    }
    void tell(const char* stage, const std::string& name, std::int64_t done, std::int64_t total) const {
        if (options_.json) {
            surroundings_.out << Json{{"progress", {{"stage", stage}, {"name", name}, {"done", done}, {"total", total}}}}.dump()
                              << std::endl;
        }
    }

    // A download of ours that no longer has the published checksum ends it, or is removed where it may be fetched again. Files that came
    // another way may be packed otherwise: gzip's own checksum is compared when they are read.
    void checkDownloads() const {
        for (std::size_t i = 0; set_ != nullptr && set_->members.empty() && i < set_->files.size(); ++i) {
            const data::RemoteFile& file = set_->files[i];
            const std::optional<fs::path> here = whereIs(file.name);
            const bool is_ours =
                here && !options_.download_folder.empty() && here->string().starts_with(options_.download_folder.string() + "/");
            if (!is_ours || data::hasHash(*here, file.hash)) {
                continue;
            }
            if (!options_.fetch) {
                throw engine::Error(engine::ErrorCode::kDataLoss, here->string() + ": is damaged: its checksum differs from " + file.hash);
            }
            std::error_code ignored;
            fs::remove(*here, ignored);
        }
    }
    // After reading: every file was packed with a checksum, which fitted.
    bool hasChecksums() const {
        if (set_ == nullptr || !set_->members.empty()) {
            return false;
        }
        std::vector<fs::path> folders = options_.dataset_folders;
        folders.push_back(options_.download_folder);
        const auto found = data::findFiles(*set_, folders);
        const auto is_packed = [](const fs::path& file) { return file.extension() == ".gz"; };
        return found && std::all_of(found->train.begin(), found->train.end(), is_packed) &&
               std::all_of(found->test.begin(), found->test.end(), is_packed);
    }
    // In the first folder that has it, as the set is found.
    std::optional<fs::path> whereIs(const std::string& name) const {
        for (const fs::path& folder : options_.dataset_folders) {
            for (const std::string& below : set_->folders) {
                std::error_code ignored;
                if (fs::is_regular_file(folder / below / name, ignored)) {
                    return folder / below / name;
                }
            }
        }
        return std::nullopt;
    }

    std::int64_t sizeOnDisk() const {
        std::vector<fs::path> files;
        if (set_ != nullptr) {
            std::vector<fs::path> folders = options_.dataset_folders;
            folders.push_back(options_.download_folder);
            if (const auto found = data::findFiles(*set_, folders)) {
                files = found->train;
                files.insert(files.end(), found->test.begin(), found->test.end());
            }
        } else {
            std::vector<std::string> names = settings_.train_files;
            names.insert(names.end(), settings_.test_files.begin(), settings_.test_files.end());
            for (const std::string* pair :
                 {&settings_.train_images, &settings_.train_labels, &settings_.test_images, &settings_.test_labels}) {
                if (!pair->empty()) {
                    names.push_back(*pair);
                }
            }
            files = ownFiles(names);
        }
        std::int64_t sum = 0, counted = 0;
        for (const fs::path& file : files) {
            std::error_code failed;
            if (!fs::is_directory(file, failed)) {
                const auto bytes = fs::file_size(file, failed);
                sum += failed ? 0 : static_cast<std::int64_t>(bytes);
                continue;
            }
            for (auto at = fs::recursive_directory_iterator(file, failed); !failed && at != fs::end(at) && counted < kMostFilesCounted;
                 at.increment(failed), ++counted) {
                std::error_code none;
                const auto bytes = at->is_regular_file(none) ? at->file_size(none) : 0;
                sum += none ? 0 : static_cast<std::int64_t>(bytes);
            }
        }
        return sum;
    }

    const DataOptions& options_;
    const TaskSurroundings& surroundings_;
    const spec::RunSpec& run_;
    spec::DataSpec settings_;
    const data::NamedSet* set_;
};

const char* typeName(data::CsvType type) {
    return type == data::CsvType::kCategory ? "category" : type == data::CsvType::kNumber ? "number" : "integer";
}

Json sampleJson(const data::SampleLook& sample) {
    if (sample.picture.pixels.empty()) {
        return {{"index", sample.index}, {"text", sample.text}};
    }
    return {{"index", sample.index},
            {"rows", sample.picture.rows},
            {"columns", sample.picture.columns},
            {"channels", sample.picture.channels},
            {"pixels", base64(sample.picture.pixels)}};
}

Json toJson(const Found& found) {
    const data::Samples& train = *found.set.train;
    Json json{{"dataset", found.set.name},
              {"train_samples", train.count},
              {"train_files", Json::array()},
              {"test_samples", found.set.test == nullptr ? 0 : found.set.test->count},
              {"sample_shape", train.sample_shape},
              {"sample_dtype", tensor::toString(train.sample_dtype)},
              {"label_dtype", tensor::toString(train.label_dtype)},
              {"smallest", found.summary.smallest},
              {"largest", found.summary.largest},
              {"bytes", found.bytes},
              {"checksum", found.is_checked},
              {"bad", {{"count", found.bad}, {"first", found.first_bad}}},
              {"not_finite", {{"count", found.summary.not_finite}, {"first", found.summary.first_not_finite}}},
              {"refusals", found.refusals},
              {"columns", Json::array()},
              {"has_classes", found.summary.has_classes},
              {"groups_left_out", found.summary.groups_left_out},
              {"groups", Json::array()}};
    for (const data::Extent& file : train.files) {
        json["train_files"].push_back(file.end - file.begin);
    }
    for (const data::CsvColumn& column : found.columns) {
        json["columns"].push_back({{"name", column.name},
                                   {"type", typeName(column.type)},
                                   {"label", &column == &found.columns.back()},
                                   {"categories", column.categories.size()}});
    }
    for (const data::LabelGroup& group : found.summary.groups) {
        Json samples = Json::array();
        for (const data::SampleLook& sample : group.samples) {
            samples.push_back(sampleJson(sample));
        }
        json["groups"].push_back({{"name", group.name}, {"train", group.train}, {"test", group.test}, {"samples", std::move(samples)}});
    }
    return json;
}

void printText(const Found& found, std::ostream& out) {
    const data::Samples& train = *found.set.train;
    out << "data set: " << found.set.name << ", " << train.count << " training and "
        << (found.set.test == nullptr ? 0 : found.set.test->count) << " test samples of shape " << data::toString(train.sample_shape)
        << ", " << tensor::toString(train.sample_dtype) << " from " << found.summary.smallest << " to " << found.summary.largest << ", "
        << found.bytes << " bytes" << (found.is_checked ? ", the checksums fit" : "") << '\n';
    for (const data::LabelGroup& group : found.summary.groups) {
        out << (found.summary.has_classes ? "class " : "labels ") << (group.name.empty() ? "all" : group.name) << ": " << group.train
            << " training, " << group.test << " test\n";
    }
    for (const data::CsvColumn& column : found.columns) {
        out << (column.name == found.label_column ? "label " : "column ") << column.name << ": " << typeName(column.type);
        if (column.type == data::CsvType::kCategory) {
            out << " of " << column.categories.size() << " texts";
        }
        out << '\n';
    }
    for (const std::string& bad : found.first_bad) {
        out << "bad: " << bad << '\n';
    }
    if (found.bad > static_cast<std::int64_t>(found.first_bad.size())) {
        out << "bad: " << found.bad << " in all\n";
    }
    if (found.summary.not_finite > 0) {
        out << "not finite: " << found.summary.not_finite << " samples or labels; the first: " << found.summary.first_not_finite << '\n';
    }
}

// Settings of `data` alone are looked at: the diagnostics that name them.
bool isUsable(const spec::RunSpec& run, const DataOptions& options, const TaskSurroundings& surroundings) {
    spec::Diagnostics all = spec::validate(run);
    std::erase_if(all,
                  [](const spec::Diagnostic& one) { return one.severity != spec::Severity::kError || !one.path.starts_with("data."); });
    for (const spec::Diagnostic& one : all) {
        surroundings.errors << options.project.string() << ": " << toString(one) << '\n';
    }
    if (!all.empty() && options.json) {
        surroundings.out << Json{{"error",
                                  {{"code", engine::toString(engine::ErrorCode::kInvalidArgument)},
                                   {"message", all.front().path + ": " + all.front().message},
                                   {"can_fetch", false}}}}
                                .dump()
                         << std::endl;
    }
    return all.empty();
}

}  // namespace

int runData(const DataOptions& options, const TaskSurroundings& surroundings) {
    if (options.list) {
        const std::vector<std::string> available = data::availableDatasets(options.dataset_folders);
        if (options.json) {
            surroundings.out << Json{{"available", available}}.dump() << std::endl;
        }
        for (std::size_t i = 0; !options.json && i < available.size(); ++i) {
            surroundings.out << available[i] << '\n';
        }
        return kExitDone;
    }
    const auto run = readRun(options.project, options.settings, surroundings.errors);
    if (!run || !isUsable(*run, options, surroundings)) {
        return kExitUsage;
    }
    Looking looking(options, surroundings, *run);
    const auto fail = [&](engine::ErrorCode code, const std::string& message) {
        if (options.json) {
            const Json error{{"code", engine::toString(code)}, {"message", message}, {"can_fetch", looking.canFetch()}};
            surroundings.out << Json{{"error", error}}.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
        } else {
            surroundings.errors << "error: " << message << '\n';
        }
        return kExitFailed;
    };
    try {
        const Found found = looking.run();
        if (options.json) {
            surroundings.out << Json{{"data", toJson(found)}}.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
        } else {
            printText(found, surroundings.out);
            for (const std::string& refusal : found.refusals) {
                surroundings.errors << "error: " << refusal << '\n';
            }
        }
        return found.refusals.empty() ? kExitDone : kExitFailed;
    } catch (const engine::Error& error) {
        return fail(error.code(), error.what());
    } catch (const std::exception& error) {
        return fail(engine::ErrorCode::kInternal, error.what());
    }
}

}  // namespace agent::worker
