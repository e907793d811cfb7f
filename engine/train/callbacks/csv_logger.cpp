#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <sstream>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "engine/files/output_file.h"
#include "engine/files/place.h"
#include "engine/spec/error.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train {
namespace {

class CsvLogger final : public Callback {
public:
    explicit CsvLogger(const spec::Fields& config)
        : file_name_(config.getString("filename", "training.csv")),
          separator_(config.getString("separator", ",")),
          append_(config.getBool("append", false)) {
        if (separator_.size() != 1) {
            throw Error(ErrorCode::kInvalidArgument, "callbacks.csv_logger.separator: expected one character, got \"" + separator_ + "\"");
        }
        if (file_name_.empty()) {
            throw Error(ErrorCode::kInvalidArgument, "callbacks.csv_logger.filename: expected a file name, got an empty one");
        }
    }

    void onTrainBegin(TrainingContext& context) override {
        if (!context.isChief()) {
            return;
        }
        path_ = context.runDir() / file_name_;
        try {
            open(files::Place(context.runFolder(), file_name_));
        } catch (const Error& error) {
            end(context, error.what());
        }
    }

    void onEpochEnd(TrainingContext& context, std::int32_t epoch, Logs& logs) override {
        if (!file_.isOpen()) {
            return;
        }
        if (columns_.empty()) {
            chooseColumns(logs);
            if (!header_there_) {
                std::string header = "epoch";
                for (const std::string& column : columns_) {
                    header += separator_ + quoted(column);
                }
                file_.write(header + "\r\n");
            }
        }
        std::string row = std::to_string(epoch);
        for (const std::string& column : columns_) {
            const double* value = findLog(logs, column);
            row += separator_ + quoted(value == nullptr ? "NA" : pythonRepr(*value));
        }
        file_.write(row + "\r\n");
        if (const int error = file_.flush(); error != 0) {
            end(context, std::strerror(error));
        }
    }

    void onTrainEnd(TrainingContext& /*context*/) override { file_.close(); }

    void save(exporter::SavedObject& state) const override {
        std::error_code error;
        const std::uintmax_t size = path_.empty() ? 0 : std::filesystem::file_size(path_, error);
        state.set("size", error ? std::int64_t{0} : static_cast<std::int64_t>(size));
        std::string columns;
        for (const std::string& column : columns_) {
            columns += column + "\n";
        }
        state.set("columns", columns);
        state.set("header_there", std::int64_t{header_there_ ? 1 : 0});
    }

    void restore(const exporter::SavedObject& state) override {
        resumed_at_ = state.get<std::int64_t>("size", 0);
        header_there_ = state.get<std::int64_t>("header_there", 0) != 0;
        std::istringstream columns(state.get<std::string>("columns", ""));
        columns_.clear();
        for (std::string column; std::getline(columns, column);) {
            columns_.push_back(column);
        }
    }

private:
    void chooseColumns(const Logs& logs) {
        std::set<std::string> names;
        bool validated = false;
        for (const auto& [name, value] : logs) {
            names.insert(name);
            validated = validated || name.starts_with("val_");
        }
        columns_.assign(names.begin(), names.end());
        if (!validated) {
            for (const std::string& name : names) {
                columns_.push_back("val_" + name);
            }
        }
    }

    // Python's csv, QUOTE_MINIMAL.
    std::string quoted(const std::string& text) const {
        if (text.find_first_of("\"\r\n" + separator_) == std::string::npos) {
            return text;
        }
        std::string result = "\"";
        for (const char c : text) {
            result += c == '"' ? "\"\"" : std::string(1, c);
        }
        return result + "\"";
    }

    void open(const files::Place& file) {
        file.parent().makeFolder();
        const bool resumes = resumed_at_ >= 0 && file.exists();
        if (!resumes) {
            columns_.clear();
        }
        if (!resumes && !append_) {
            header_there_ = false;
            file_ = files::OutputFile(file.create());
            return;
        }
        files::FileDescriptor opened = file.openToAppend();
        struct stat found {};
        const std::int64_t size = ::fstat(opened.get(), &found) == 0 ? found.st_size : 0;
        if (!resumes) {
            header_there_ = size > 0;
        } else if (resumed_at_ < size && ::ftruncate(opened.get(), resumed_at_) != 0) {
            // Rows that were written after the backup are written again.
            throw Error(files::codeOfErrno(errno), std::strerror(errno));
        }
        file_ = files::OutputFile(std::move(opened));
    }

    // A log that cannot be written ends the log, not the training.
    void end(TrainingContext& context, const std::string& why) {
        context.log(spec::LogLevel::kError, "CSVLogger: " + path_.string() + " cannot be written (" + why + "); it ends here");
        file_ = {};
    }

    const std::string file_name_;
    const std::string separator_;
    const bool append_;
    std::filesystem::path path_;
    bool header_there_ = false;
    std::int64_t resumed_at_ = -1;  // bytes of the file that count; -1: a new run
    std::vector<std::string> columns_;
    files::OutputFile file_;
};

}  // namespace

std::unique_ptr<Callback> makeCsvLogger(const spec::Fields& config) {
    return std::make_unique<CsvLogger>(config);
}

}  // namespace engine::train
