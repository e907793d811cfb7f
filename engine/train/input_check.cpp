#include "engine/train/input_check.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>

#include <unistd.h>

#include "engine/backend/executor.h"
#include "engine/data/dataset_catalog.h"
#include "engine/data/own_files.h"
#include "engine/data/readers/class_folders.h"
#include "engine/data/readers/idx_reader.h"
#include "engine/data/readers/image_folder_reader.h"
#include "engine/data/readers/npy_reader.h"
#include "engine/export/backup_file.h"
#include "engine/export/keras_file.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/vocabulary_room.h"
#include "engine/train/callbacks/backup_and_restore.h"
#include "engine/train/fit/initial_state.h"
#include "engine/train/task_plans.h"

namespace engine::train {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostLabelBytes = std::int64_t{64} << 20;

spec::TaskPlan anyTask(const spec::RunSpec& run) {
    return spec::planTasks(run).front();
}

// -1: there is no such file.
std::int64_t sizeOf(const fs::path& file) {
    std::error_code failed;
    const auto bytes = fs::file_size(file, failed);
    return failed ? -1 : static_cast<std::int64_t>(bytes);
}

class InputCheck {
public:
    InputCheck(const spec::RunSpec& run, const InputCheckOptions& options) : run_(run), options_(options) {
        folders_.push_back(options.base);
        folders_.insert(folders_.end(), options.dataset_folders.begin(), options.dataset_folders.end());
    }

    spec::Diagnostics run() {
        look("fit.initial_weights", [this] { lookAtWeights(); });
        look("fit.epochs", [this] { lookAtEpochs(); });
        look("fit.save_weights", [this] { lookWhereWeightsGo(); });
        look("callbacks.backup_and_restore", [this] { lookAtBackup(); });
        if (spec::findDatasetFormat(run_.data.dataset) != nullptr) {
            look(dataField(), [this] { lookAtData(); });
        }
        return std::move(found_);
    }

private:
    void look(const std::string& field, const std::function<void()>& check) {
        try {
            check();
        } catch (const Error& error) {
            found_.push_back({spec::Severity::kError, field, error.what(), ""});
        } catch (const fs::filesystem_error&) {  // the reader says it better
        }
    }

    bool hasPairs() const { return spec::findDatasetFormat(run_.data.dataset)->has_pairs; }
    std::string dataField() const { return hasPairs() ? "data.train_images, data.train_labels" : "data.train_files"; }

    void lookAtWeights() const {
        const fs::path file = run_.fit.initial_weights;
        if (file.empty()) {
            return;
        }
        const bool is_whole = exporter::isKerasFileName(file) || exporter::isBackupFileName(file) || exporter::isOnnxFileName(file);
        const auto prefix = is_whole ? std::optional(file) : exporter::latestCheckpoint(file);
        const fs::path bytes = is_whole || !prefix ? file : fs::path(prefix->string() + ".data-00000-of-00001");
        if (sizeOf(bytes) > kMostWeightBytes) {
            return;
        }
        backend::Variables variables(trainingPlan(run_, anyTask(run_), 0, 1));
        if (run_.fit.initial_state) {
            readInitialStateFile(run_, anyTask(run_), variables);
            return;
        }
        std::vector<exporter::MutableVariableView> views;
        for (const backend::Variables::Entry& entry : variables.entries()) {
            if (!entry.is_slot) {
                views.push_back({entry.name, entry.shape, entry.values});
            }
        }
        exporter::readWeights(file, run_.model, views);
    }

    // A file that can't be read is a mistake in fit.initial_weights, which says so.
    void lookAtEpochs() {
        if (!found_.empty()) {
            return;
        }
        const auto behind = epochsBehindInitialState(run_);
        if (const auto fault = behind ? noEpochsLeft(run_, *behind) : std::nullopt) {
            found_.push_back({spec::Severity::kError, "fit.epochs", *fault, ""});
        }
    }

    // Folders that are missing will be made.
    void lookWhereWeightsGo() const {
        const fs::path named = options_.weights_file.empty() ? fs::path(run_.fit.save_weights) : options_.weights_file;
        if (named.empty()) {
            return;
        }
        const fs::path file = (options_.run_folder.empty() ? options_.base : options_.run_folder) / named;
        if (fs::is_directory(file)) {
            throw Error(ErrorCode::kInvalidArgument, file.string() + ": expected the name of a file, found a folder");
        }
        fs::path folder = file.parent_path();
        std::error_code ignored;
        while (!fs::exists(fs::symlink_status(folder, ignored)) && folder.has_relative_path()) {
            folder = folder.parent_path();
        }
        if (!fs::is_directory(folder, ignored)) {
            throw Error(ErrorCode::kInvalidArgument, file.string() + ": expected a folder to write to, found a file: " + folder.string());
        }
        if (::access(folder.c_str(), W_OK | X_OK) != 0) {
            throw Error(ErrorCode::kPermissionDenied,
                        file.string() + ": expected a folder that can be written to: " + folder.string() + ": " + std::strerror(errno));
        }
    }

    // A damaged one is left to the task, which may take the one before; so is that of a model whose vocabulary the texts give.
    void lookAtBackup() const {
        const spec::LayerSpec* texts = spec::textLayer(run_.model);
        if (texts != nullptr && !spec::hasVocabulary(*texts)) {
            return;
        }
        const auto backup = BackupAndRestore::ofRun(run_);
        if (backup == nullptr || options_.run_folder.empty()) {
            return;
        }
        std::optional<BackupAndRestore::Found> found;
        try {
            const auto folder = files::SafeFolder::open(options_.run_folder);
            found = backup->readObjects(folder, static_cast<std::uintmax_t>(kMostWeightBytes));
        } catch (const Error&) {
            return;
        }
        if (found) {
            requireSameRun(*found, run_, anyTask(run_));
        }
    }

    void lookAtData() {
        const spec::DataSpec& data = run_.data;
        std::vector<std::string> names = data.train_files;
        names.insert(names.end(), data.test_files.begin(), data.test_files.end());
        for (const std::string* name : {&data.train_images, &data.train_labels, &data.test_images, &data.test_labels}) {
            if (hasPairs() && !name->empty()) {
                names.push_back(*name);
            }
        }
        std::for_each(names.begin(), names.end(), [this](const std::string& name) { expectSomewhere(name); });
        std::int64_t bytes = 0;
        for (const fs::path& file : data::expandFiles(names, folders_)) {
            bytes += std::max<std::int64_t>(0, sizeOf(file));
        }
        if (spec::isFolder(data.dataset)) {
            lookAtClasses();
        } else if (bytes <= kMostDataBytes) {
            spec::RunSpec quiet = run_;
            quiet.data.cache = false;
            quiet.data.download = false;
            const data::Dataset set = data::loadRunDataset(quiet, options_.dataset_folders, options_.base);
            checkDataset(run_, set, 0);
            if (!data::takeAdapted(quiet, set).empty()) {
                lookAtVocabulary(quiet);
                look("fit.initial_weights", [&] { lookAtWords(quiet); });
            }
        } else if (hasPairs()) {
            data::Dataset set;
            set.train = labelsOf(data.train_images, data.train_labels);
            set.test = data.test_images.empty() ? nullptr : labelsOf(data.test_images, data.test_labels);
            if (set.train != nullptr) {
                checkDataset(run_, set, data.one_hot);
            }
        }
    }

    // `adapted`: the project with the vocabulary that its texts gave.
    void lookAtVocabulary(const spec::RunSpec& adapted) {
        if (const auto fault = spec::vocabularyRoomFault(adapted)) {
            found_.push_back(*fault);
        }
    }

    void lookAtWords(const spec::RunSpec& adapted) const {
        const bool is_named = std::any_of(found_.begin(), found_.end(), [](const auto& one) { return one.path == "fit.initial_weights"; });
        if (!adapted.fit.initial_weights.empty() && !is_named) {
            exporter::requireSameVocabulary(adapted.fit.initial_weights, adapted.model);
        }
    }

    // A relative name may lie in several places: the reader would name the last one alone.
    void expectSomewhere(const fs::path& name) const {
        const fs::path wanted = name.filename().string().find('*') == std::string::npos ? name : name.parent_path();
        std::error_code ignored;
        const auto holds = [&](const fs::path& folder) { return fs::exists(folder / wanted, ignored); };
        if (wanted.is_absolute() || std::any_of(folders_.begin(), folders_.end(), holds)) {
            return;
        }
        std::string places = "beside the project";
        for (const fs::path& folder : options_.dataset_folders) {
            places += ", in " + folder.string();
        }
        throw Error(ErrorCode::kNotFound, name.string() + ": expected a file " + places + ", found none");
    }

    // A set without samples; null when even its labels are large.
    std::shared_ptr<const data::Samples> labelsOf(const std::string& samples_file, const std::string& labels_file) const {
        const fs::path from = data::expandFiles({samples_file}, folders_).front(),
                       labels = data::expandFiles({labels_file}, folders_).front();
        if (sizeOf(labels) > kMostLabelBytes) {
            return nullptr;
        }
        data::Array array;
        array.source = labels.string();
        const bool is_idx = run_.data.dataset == "idx";
        if (is_idx) {
            data::IdxArray read = data::readIdx(labels);
            array.shape = std::move(read.shape);
            array.dtype = read.dtype;
            array.values = std::move(read.values);
        } else {
            array = data::readNpy(labels);
        }
        data::Array header;
        header.source = from.string();
        header.shape = is_idx ? data::idxShape(from) : data::npyShape(from);
        return std::make_shared<const data::Samples>(data::pairArrays(std::move(header), std::move(array)));
    }

    // Every sub-folder is a class, whatever is in it.
    void lookAtClasses() const {
        for (const fs::path& folder : data::expandFiles(run_.data.train_files, folders_)) {
            std::error_code ignored;
            if (!fs::is_directory(folder, ignored)) {
                throw Error(ErrorCode::kNotFound, folder.string() + ": expected a folder with one sub-folder a class, found none");
            }
            const auto count = static_cast<std::int64_t>(data::classFolders(folder).size());
            const std::int64_t outputs = labelNeed(forwardPlan(run_, anyTask(run_), 0, 1)).classes;
            if (outputs > 0 && count > outputs) {
                throw Error(ErrorCode::kInvalidArgument, folder.string() + ": has " + std::to_string(count) +
                                                             " sub-folders, each a class, expected at most " + std::to_string(outputs) +
                                                             " (the model has " + std::to_string(outputs) + " outputs)");
            }
            data::Samples classes;
            classes.source = classes.label_source = folder.string();
            if (spec::hasTexts(run_.data.dataset)) {  // which become what the model takes
                classes.sample_shape = spec::fedShape(run_.model);
            } else {
                classes.sample_shape = {run_.data.images.size[0], run_.data.images.size[1],
                                        run_.data.images.color_mode == "grayscale" ? 1 : 3};
                classes.shape_field = data::pictureShapeText(run_.data.images);
            }
            classes.label_dtype = tensor::DType::kInt32;
            data::Dataset set;
            set.train = std::make_shared<const data::Samples>(std::move(classes));
            checkDataset(run_, set, run_.data.one_hot);
        }
    }

    const spec::RunSpec& run_;
    const InputCheckOptions& options_;
    data::SearchFolders folders_;
    spec::Diagnostics found_;
};

}  // namespace

void checkDataset(const spec::RunSpec& run, const data::Dataset& dataset, std::int64_t one_hot) {
    const data::LabelNeed need = labelNeed(forwardPlan(run, anyTask(run), 0, 1));
    for (const auto& samples : {dataset.train, dataset.test}) {
        if (samples != nullptr) {
            data::checkAgainstModel(*samples, spec::fedShape(run.model), need, one_hot);
        }
    }
}

spec::Diagnostics checkInputs(const spec::RunSpec& run, const InputCheckOptions& options) {
    return InputCheck(run, options).run();
}

}  // namespace engine::train
