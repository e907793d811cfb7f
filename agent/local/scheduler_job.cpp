#include "agent/local/scheduler_job.h"

#include <cstring>

#include <nlohmann/json.hpp>

#include "agent/local/file_descriptor.h"
#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::convert {
namespace {

using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;
using nlohmann::json;

constexpr std::uint64_t kMostJobBytes = 16384;

[[noreturn]] void refuseNote(const SafeFolder& folder, const std::string& expected) {
    throw Error(ErrorCode::kDataLoss, (folder.path() / kSchedulerFile).string() + ": expected " + expected + ", got something else");
}

std::string textIn(const SafeFolder& folder, const json& note, const char* name) {
    const json value = note.value(name, json());
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) refuseNote(folder, std::string("a text for \"") + name + "\"");
    return value.get<std::string>();
}

// It becomes an argument of the scheduler's programs: nothing that could be an option.
bool isJobNumber(const std::string& job) {
    const std::size_t digits = job.find_first_not_of("0123456789");
    const std::string rest = digits == std::string::npos ? "" : job.substr(digits);
    return digits != 0 && !job.empty() &&
           (rest.empty() || (rest.size() > 1 && rest[0] == '_' && rest.find_first_not_of("0123456789", 1) == std::string::npos));
}

std::int64_t numberOf(const SafeFolder& folder, const json& note, const char* name, std::int64_t most) {
    const json value = note.value(name, json());
    if (!value.is_number_integer() || value.get<double>() < 1 || value.get<double>() > static_cast<double>(most)) {
        refuseNote(folder, std::string("a whole number from 1 on for \"") + name + "\"");
    }
    return value.get<std::int64_t>();
}

}  // namespace

std::optional<SchedulerJob> readSchedulerJob(const SafeFolder& folder) {
    if (!folder.isFile(kSchedulerFile)) return std::nullopt;
    const FileDescriptor file = folder.openToRead(kSchedulerFile);
    const json note = json::parse(engine::files::readWhole(file.get(), folder.path() / kSchedulerFile, kMostJobBytes), nullptr, false);
    if (!note.is_object()) refuseNote(folder, "the JSON object of a scheduler's job");
    constexpr std::int64_t kMostTasks = 100000, kMostTime = INT64_MAX / 2;
    if (note.value("scheduler", json()) != "slurm") refuseNote(folder, "\"slurm\" for \"scheduler\"");
    if (!isJobNumber(textIn(folder, note, "job"))) refuseNote(folder, "a number such as 123 or 123_4 for \"job\"");
    return SchedulerJob{.scheduler = textIn(folder, note, "scheduler"),
                        .job = textIn(folder, note, "job"),
                        .run = textIn(folder, note, "run"),
                        .name = textIn(folder, note, "name"),
                        .tasks = static_cast<int>(numberOf(folder, note, "tasks", kMostTasks)),
                        .submitted_unix_ns = numberOf(folder, note, "submitted_unix_ns", kMostTime)};
}

bool hasSchedulerJob(const std::filesystem::path& folder) {
    std::error_code failed;
    return !folder.empty() && std::filesystem::is_regular_file(folder / kSchedulerFile, failed);
}

void writeSchedulerJob(const SafeFolder& folder, const SchedulerJob& job) {
    const json note{{"scheduler", job.scheduler}, {"job", job.job},     {"run", job.run},
                    {"name", job.name},           {"tasks", job.tasks}, {"submitted_unix_ns", job.submitted_unix_ns}};
    const std::string aside = std::string(kSchedulerFile) + ".new";  // whoever follows the folder reads it at any time
    engine::files::OutputFile file(folder.create(aside));
    file.write(note.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    if (const int error = file.finish(); error != 0) {
        throw Error(engine::files::codeOfErrno(error),
                    (folder.path() / kSchedulerFile).string() + ": can't be written: " + std::strerror(error));
    }
    folder.rename(aside, kSchedulerFile);
}

}  // namespace agent::convert
