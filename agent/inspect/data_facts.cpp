#include "agent/inspect/data_facts.h"

#include <algorithm>
#include <optional>

#include "engine/data/dataset_catalog.h"
#include "engine/data/dataset_summary.h"
#include "engine/data/named_sets.h"
#include "engine/data/own_files.h"
#include "engine/data/readers/csv_reader.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"
#include "engine/spec/validate/validate.h"
#include "engine/train/input_check.h"

namespace agent::worker {

namespace data = engine::data;
namespace fs = std::filesystem;
namespace spec = engine::spec;
namespace tensor = engine::tensor;

namespace {

constexpr std::int64_t kMostFilesCounted = 200000;

struct Found {
    spec::DataSpec data;
    data::Dataset set;
    data::DatasetSummary summary;
    std::int64_t bytes = 0;
    bool is_checked = false;  // its files carry checksums, which fitted
    std::vector<data::CsvColumn> columns;
    std::int64_t bad = 0;
    std::vector<std::string> first_bad;
    std::vector<std::string> refusals;  // where every sample is read: why a run would end
};

class Looking {
public:
    Looking(const spec::EngineQuestion& question, const spec::DataQuestion& asked, const EngineSurroundings& surroundings)
        : asked_(asked),
          surroundings_(surroundings),
          run_(question.run),
          base_(question.base_dir),
          settings_(run_.data),
          set_(data::findNamedSet(settings_.dataset)) {
        settings_.on_error = spec::BadRecord::kSkip;
        settings_.one_hot = 0;
        settings_.download = asked.fetch;
        settings_.cache = false;
    }

    Found run() {
        Found found{.data = settings_};
        checkDownloads();
        data::LoadHooks hooks{asked_.fetch ? surroundings_.download_folder : fs::path(), {}};
        hooks.how_to_fetch = "fetch it with --fetch";
        hooks.download.progress = [this](const data::DownloadProgress& step) {
            tell(spec::EngineProgress::Stage::kFetch, step.name, step.done, step.total);
        };
        // It looks at all records even where a run would end at the first bad one.
        hooks.download.log = [this](const std::string& text) {
            const std::string_view skipped = "skipped: ";
            const bool ends_a_run = run_.data.on_error == spec::BadRecord::kRefuse && text.starts_with(skipped);
            log(ends_a_run ? "bad: " + text.substr(skipped.size()) : text);
        };
        hooks.download.is_cancelled = surroundings_.is_cancelled;
        found.set = load(hooks);
        data::SummaryOptions look{.samples_per_class = asked_.samples, .draw = asked_.draw, .reads_all = asked_.check};
        look.progress = [this](std::int64_t done, std::int64_t total) {
            tell(spec::EngineProgress::Stage::kRead, settings_.dataset, done, total);
        };
        look.is_cancelled = surroundings_.is_cancelled;
        found.summary = data::summarize(found.set, look);
        if (const auto& report = found.set.train->report) {
            found.bad = report->skipped();
            found.first_bad = report->firstSkipped();
        }
        if (asked_.check) {
            found.refusals = refusals(found);
        }
        found.bytes = sizeOnDisk();
        found.is_checked = hasChecksums();
        if (settings_.dataset == "csv") {
            data::CsvTable table = data::inspectCsv(ownFiles(settings_.train_files), settings_.csv);
            found.columns = std::move(table.features);
            found.columns.push_back(std::move(table.label));
        }
        return found;
    }

    bool canFetch() const {
        const spec::NamedDataset* named = spec::findNamedDataset(settings_.dataset);
        return set_ != nullptr && named != nullptr && !surroundings_.download_folder.empty();
    }

private:
    // A model that takes texts has samples of its own, as soon as its first layer fits.
    data::Dataset load(const data::LoadHooks& hooks) const {
        const spec::LayerSpec* layer = spec::textLayer(run_.model);
        if (layer == nullptr || !spec::inferShapes(run_.model).front().known) {
            return data::loadDataset(settings_, surroundings_.dataset_folders, base_, hooks);
        }
        spec::RunSpec run = run_;
        run.data = settings_;
        return data::loadRunDataset(run, surroundings_.dataset_folders, base_, hooks);
    }

    // Returns what ends a run with this data: a bad sample unless it skips them, and what the model of the project can't take, where it has
    // one.
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

    std::vector<fs::path> ownFiles(const std::vector<std::string>& names) const {
        data::SearchFolders folders{base_};
        folders.insert(folders.end(), surroundings_.dataset_folders.begin(), surroundings_.dataset_folders.end());
        return data::expandFiles(names, folders);
    }

    void log(const std::string& text) const {
        if (surroundings_.note) {
            surroundings_.note(text);
        }
    }
    void tell(spec::EngineProgress::Stage stage, const std::string& name, std::int64_t done, std::int64_t total) const {
        if (surroundings_.progress) {
            surroundings_.progress({stage, name, done, total});
        }
    }

    // A download of ours that no longer has the published checksum ends it, or is removed where it may be fetched again. Files that came
    // another way may be packed otherwise: gzip's own checksum is compared when they are read.
    void checkDownloads() const {
        for (std::size_t i = 0; set_ != nullptr && set_->members.empty() && i < set_->files.size(); ++i) {
            const data::RemoteFile& file = set_->files[i];
            const std::optional<fs::path> here = whereIs(file.name);
            const bool is_ours =
                here && !surroundings_.download_folder.empty() && here->string().starts_with(surroundings_.download_folder.string() + "/");
            if (!is_ours || data::hasHash(*here, file.hash)) {
                continue;
            }
            if (!asked_.fetch) {
                throw engine::Error(engine::ErrorCode::kDataLoss, here->string() + ": is damaged: its checksum differs from " + file.hash);
            }
            std::error_code ignored;
            fs::remove(*here, ignored);
        }
    }
    // Called after reading: true when every file was packed with a checksum, which fitted.
    bool hasChecksums() const {
        if (set_ == nullptr || !set_->members.empty()) {
            return false;
        }
        std::vector<fs::path> folders = surroundings_.dataset_folders;
        folders.push_back(surroundings_.download_folder);
        const auto found = data::findFiles(*set_, folders);
        const auto is_packed = [](const fs::path& file) { return file.extension() == ".gz"; };
        return found && std::all_of(found->train.begin(), found->train.end(), is_packed) &&
               std::all_of(found->test.begin(), found->test.end(), is_packed);
    }
    // Returns the file in the first folder that has it, as the set is found.
    std::optional<fs::path> whereIs(const std::string& name) const {
        for (const fs::path& folder : surroundings_.dataset_folders) {
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
            std::vector<fs::path> folders = surroundings_.dataset_folders;
            folders.push_back(surroundings_.download_folder);
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

    const spec::DataQuestion& asked_;
    const EngineSurroundings& surroundings_;
    const spec::RunSpec& run_;
    const fs::path base_;
    spec::DataSpec settings_;
    const data::NamedSet* set_;
};

const char* typeName(data::CsvType type) {
    return type == data::CsvType::kCategory ? "category" : type == data::CsvType::kNumber ? "number" : "integer";
}

spec::SampleFacts sampleFacts(const data::SampleLook& sample) {
    spec::SampleFacts facts{.index = sample.index, .pixels = {}, .text = sample.text};
    if (!sample.picture.pixels.empty()) {
        facts.rows = sample.picture.rows;
        facts.columns = sample.picture.columns;
        facts.channels = sample.picture.channels;
        facts.pixels.reserve(sample.picture.pixels.size());
        for (const std::byte value : sample.picture.pixels) {
            facts.pixels.push_back(std::to_integer<std::uint8_t>(value));
        }
    }
    return facts;
}

spec::DataFacts toFacts(const Found& found) {
    const data::Samples& train = *found.set.train;
    spec::DataFacts facts{.problem = {},
                          .dataset = found.set.name,
                          .train_samples = train.count,
                          .test_samples = found.set.test == nullptr ? 0 : found.set.test->count,
                          .train_files = {},
                          .sample_shape = train.sample_shape,
                          .sample_dtype = std::string(tensor::toString(train.sample_dtype)),
                          .label_dtype = std::string(tensor::toString(train.label_dtype)),
                          .smallest = found.summary.smallest,
                          .largest = found.summary.largest,
                          .bytes = found.bytes,
                          .is_checked = found.is_checked,
                          .bad = found.bad,
                          .first_bad = found.first_bad,
                          .not_finite = found.summary.not_finite,
                          .first_not_finite = found.summary.first_not_finite,
                          .refusals = found.refusals,
                          .columns = {},
                          .has_classes = found.summary.has_classes,
                          .groups_left_out = found.summary.groups_left_out,
                          .groups = {}};
    for (const data::Extent& file : train.files) {
        facts.train_files.push_back(file.end - file.begin);
    }
    for (const data::CsvColumn& column : found.columns) {
        facts.columns.push_back({.name = column.name,
                                 .type = typeName(column.type),
                                 .is_label = &column == &found.columns.back(),
                                 .categories = static_cast<std::int64_t>(column.categories.size())});
    }
    for (const data::LabelGroup& group : found.summary.groups) {
        spec::GroupFacts& added = facts.groups.emplace_back(spec::GroupFacts{group.name, group.train, group.test, {}});
        for (const data::SampleLook& sample : group.samples) {
            added.samples.push_back(sampleFacts(sample));
        }
    }
    return facts;
}

}  // namespace

spec::DataFacts dataFacts(const spec::EngineQuestion& question, const spec::DataQuestion& asked, const EngineSurroundings& surroundings) {
    for (const spec::Diagnostic& one : spec::validate(question.run)) {  // of settings of `data` alone
        if (one.severity == spec::Severity::kError && one.path.starts_with("data.")) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument, one.path + ": " + one.message);
        }
    }
    Looking looking(question, asked, surroundings);
    const auto failed = [&looking](engine::ErrorCode code, const std::string& message) {
        spec::DataFacts facts;
        facts.problem = {code, message, looking.canFetch()};
        return facts;
    };
    try {
        return toFacts(looking.run());
    } catch (const engine::Error& error) {
        return failed(error.code(), error.what());
    } catch (const std::exception& error) {
        return failed(engine::ErrorCode::kInternal, engine::exceptionText(error));
    }
}

spec::Datasets datasets(const EngineSurroundings& surroundings) {
    return {data::availableDatasets(surroundings.dataset_folders)};
}

}  // namespace agent::worker
