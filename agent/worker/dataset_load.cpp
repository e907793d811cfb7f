#include "agent/worker/dataset_load.h"

#include <cstdint>
#include <string>
#include <utility>

#include "engine/data/read_report.h"
#include "engine/spec/names.h"

namespace agent::worker {

namespace spec = engine::spec;

DatasetLoad::DatasetLoad(const spec::RunSpec& run, std::vector<std::filesystem::path> folders, std::filesystem::path base,
                         engine::data::LoadHooks hooks)
    : result_(std::async(std::launch::async, [run, folders = std::move(folders), base = std::move(base), hooks = std::move(hooks), this] {
          try {
              return engine::data::loadRunDataset(run, folders, base, hooks);
          } catch (...) {
              failed_.store(true);
              throw;
          }
      })) {}

engine::data::LoadHooks loadHooks(const std::filesystem::path& download_folder, TaskObserver& observer,
                                  std::function<bool()> is_cancelled) {
    engine::data::LoadHooks hooks{download_folder, {}};
    hooks.download.log = [&observer](const std::string& text) { observer.report(spec::LogLine{spec::LogLevel::kWarning, text}); };
    hooks.download.is_cancelled = std::move(is_cancelled);
    hooks.download.progress = [&observer, told = std::int64_t{-1}](const engine::data::DownloadProgress& progress) mutable {
        constexpr std::int64_t kParts = 20, kMegabyte = 1000000;
        const std::int64_t part = progress.total > 0 ? progress.done * kParts / progress.total : progress.done / (10 * kMegabyte);
        if (part != told) {
            told = part;
            observer.report(spec::StateChanged{spec::TaskState::kConnecting,
                                               "downloading " + progress.name + ": " + std::to_string(progress.done / kMegabyte) + " of " +
                                                   (progress.total > 0 ? std::to_string(progress.total / kMegabyte) : "?") + " MB"});
        }
    };
    return hooks;
}

void tellSkipped(const engine::data::Dataset& dataset, TaskObserver& observer) {
    const auto& report = dataset.train->report;  // of the test samples, too
    if (report != nullptr && report->skipped() > 0) {
        observer.report(spec::LogLine{spec::LogLevel::kWarning, spec::counted(static_cast<std::size_t>(report->skipped()), "record") +
                                                                    " of the data could not be read and left out"});
    }
}

}  // namespace agent::worker
