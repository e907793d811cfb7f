#include "engine/data/readers/csv_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "engine/data/mapped_file.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

constexpr std::size_t kLooksForZeros = 4096;  // bytes at the begin of a file: text has none of them
constexpr std::size_t kMostColumns = 1 << 20;
constexpr std::size_t kMostCategories = 1 << 20;
constexpr std::int64_t kNumbersToAText = 20;  // and more: the column is numeric, its texts are mistakes

// The lines of one file as cells. A line break inside quotes belongs to its cell.
class LineReader {
public:
    LineReader(const MappedFile& file, const spec::CsvFormat& format)
        : text_(file.text()), name_(file.path().string()), delimiter_(format.delimiter[0]), quotes_(format.quotes) {
        if (text_.starts_with("\xEF\xBB\xBF")) {
            text_.remove_prefix(3);  // byte order mark
        }
        if (text_.substr(0, kLooksForZeros).find('\0') != std::string_view::npos) {
            throw Error(ErrorCode::kInvalidArgument,
                        name_ + ": expected a table as text (UTF-8), got " +
                            (text_.starts_with("PK\x03\x04") ? "a ZIP archive, as .npz files are" : "binary data"));
        }
    }

    // False at the end. Empty lines are passed over.
    bool next() {
        while (at_ < text_.size()) {
            line_ = following_;
            cells_.clear();
            problem_.clear();
            do {
                cells_.push_back(cell());
            } while (at_ < text_.size() && text_[at_] == delimiter_ && ++at_ != 0 && cells_.size() < kMostColumns);
            endLine();
            if (cells_.size() > 1 || !cells_[0].empty() || !problem_.empty()) {
                return true;
            }
        }
        return false;
    }
    const std::vector<std::string>& cells() const { return cells_; }
    const std::string& problem() const { return problem_; }  // empty, or what is wrong with this line
    std::string where() const { return name_ + ":" + std::to_string(line_) + ": "; }

private:
    std::string cell() {
        std::string value;
        if (!quotes_ || at_ >= text_.size() || text_[at_] != '"') {
            const std::size_t begin = at_;
            while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') {
                ++at_;
            }
            value = text_.substr(begin, at_ - begin);
            if (!value.empty() && value.back() == '\r') {
                value.pop_back();
            }
            return value;
        }
        for (++at_;; ++at_) {
            if (at_ >= text_.size()) {
                problem_ = "expected a quote that closes the cell, got the end of the file";
                return value;
            }
            if (text_[at_] == '"') {
                if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') {
                    break;
                }
                ++at_;
            }
            following_ += text_[at_] == '\n' ? 1 : 0;
            value += text_[at_];
        }
        ++at_;
        if (at_ < text_.size() && text_[at_] == '\r') {
            ++at_;
        }
        if (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') {
            problem_ = "expected the delimiter or the end of the line after a closing quote";
        }
        return value;
    }
    void endLine() {
        while (at_ < text_.size() && text_[at_] != '\n') {
            ++at_;
        }
        at_ += at_ < text_.size() ? 1 : 0;
        ++following_;
    }

    std::string_view text_;
    std::string name_;
    char delimiter_;
    bool quotes_;
    std::size_t at_ = 0;
    std::int64_t line_ = 0;
    std::int64_t following_ = 1;
    std::vector<std::string> cells_;
    std::string problem_;
};

std::optional<double> numberOf(const std::string& cell) {
    std::string_view text = cell;
    while (text.starts_with(' ')) {
        text.remove_prefix(1);
    }
    while (text.ends_with(' ')) {
        text.remove_suffix(1);
    }
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

bool isInt32(double number) {
    return std::floor(number) == number && number >= std::numeric_limits<std::int32_t>::min() &&
           number <= std::numeric_limits<std::int32_t>::max();
}

// Finds the column by name, else by index: "3" from the front, "-1" from the end.
std::size_t findColumn(const std::string& wanted, const std::vector<std::string>& names, const std::string& field) {
    const auto named = std::find(names.begin(), names.end(), wanted);
    if (named != names.end()) {
        return static_cast<std::size_t>(named - names.begin());
    }
    const auto width = static_cast<std::int64_t>(names.size());
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
    if (error == std::errc() && end == wanted.data() + wanted.size() && index >= -width && index < width) {
        return static_cast<std::size_t>(index < 0 ? index + width : index);
    }
    std::string known;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 20); ++i) {
        known += (i == 0 ? "" : ", ") + names[i];
    }
    throw Error(ErrorCode::kInvalidArgument, field + ": expected a column of the table (" + known + ") or an index below " +
                                                 std::to_string(width) + ", got \"" + wanted + "\"");
}

CsvTable chooseColumns(const std::vector<std::string>& names, const spec::CsvFormat& format,
                       const std::vector<spec::ObjectSpec>& feature_columns, const std::string& file) {
    CsvTable table;
    table.width = names.size();
    const std::size_t label = findColumn(format.label, names, file + ": data.csv.label");
    table.label = {names[label], label};
    for (std::size_t i = 0; i < feature_columns.size(); ++i) {
        const std::string field = file + ": data.feature_columns[" + std::to_string(i) + "].key";
        const FeatureEncoder encoder(feature_columns[i]);
        const std::size_t index = findColumn(encoder.key(), names, field);
        table.features.push_back({.name = names[index], .index = index, .feature = encoder});
    }
    if (format.features.empty() && feature_columns.empty()) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i != label) {
                table.features.push_back({names[i], i});
            }
        }
    }
    for (const std::string& feature : format.features) {
        const std::size_t index = findColumn(feature, names, file + ": data.csv.features");
        const auto is_same = [index](const CsvColumn& column) { return column.index == index; };
        if (index == label || std::any_of(table.features.begin(), table.features.end(), is_same)) {
            throw Error(ErrorCode::kInvalidArgument, file + ": data.csv.features: expected every column once and without the label, got " +
                                                         names[index] + (index == label ? ", which is data.csv.label" : " twice"));
        }
        table.features.push_back({names[index], index});
    }
    if (table.features.empty()) {
        throw Error(ErrorCode::kInvalidArgument,
                    file + ": data.csv.features: expected at least one column beside the label, the table has none" +
                        (names.size() == 1 ? " where \"" + format.delimiter + "\" parts cells (data.csv.delimiter)" : ""));
    }
    return table;
}

// What a column turns out to be while its cells go by.
struct ColumnFacts {
    bool has_fraction = false;
    std::set<std::string> texts;
    double sum = 0;
    std::int64_t numbers = 0, others = 0;

    void see(const std::string& cell) {
        const std::optional<double> number = numberOf(cell);
        if (number) {
            has_fraction = has_fraction || !isInt32(*number);
            sum += *number;
            ++numbers;
        } else {
            ++others;
        }
        if (texts.size() <= kMostCategories) {
            texts.insert(cell);
        }
    }
    void decide(CsvColumn& column) const {
        if (column.feature) {  // the project has decided
            column.type = column.feature->takesText() ? CsvType::kCategory : CsvType::kNumber;
            column.mean = numbers > 0 ? sum / static_cast<double>(numbers) : 0;
            return;
        }
        // A few texts among many numbers are mistakes in a numeric column, not its categories: readCsv() names their lines.
        const bool has_text = others > 0 && others * kNumbersToAText > numbers;
        column.type = has_text ? CsvType::kCategory : has_fraction ? CsvType::kNumber : CsvType::kInteger;
        column.mean = numbers > 0 ? sum / static_cast<double>(numbers) : 0;
        if (!has_text) {
            return;
        }
        if (texts.size() > kMostCategories) {
            throw Error(ErrorCode::kResourceExhausted, "data.csv: expected at most " + std::to_string(kMostCategories) +
                                                           " different texts in a column, got more in \"" + column.name + "\"");
        }
        column.categories.assign(texts.begin(), texts.end());
    }
};

bool isMissing(const std::string& cell, const spec::CsvFormat& format) {
    return cell == format.missing_value;
}

// False after reporting a line that does not have the table's width.
bool isWhole(const LineReader& reader, std::size_t width, ReadReport& report) {
    if (!reader.problem().empty()) {
        report.bad(reader.where() + reader.problem());
        return false;
    }
    if (reader.cells().size() != width) {
        report.bad(reader.where() + "expected " + std::to_string(width) + " cells, got " + std::to_string(reader.cells().size()));
        return false;
    }
    return true;
}

class RowWriter {
public:
    RowWriter(const spec::CsvFormat& format, const CsvTable& table) : format_(format), table_(table) {}

    // False when the line is left out; throws Error saying what is wrong with it.
    bool add(const std::vector<std::string>& cells) {
        row_.clear();
        for (const CsvColumn& column : table_.features) {
            if (column.feature) {
                if (!addFeature(cells[column.index], column)) return false;
                continue;
            }
            const std::optional<double> value = valueOf(cells[column.index], column);
            if (!value) {
                return false;
            }
            row_.push_back(static_cast<float>(*value));
        }
        const std::optional<double> label = valueOf(cells[table_.label.index], table_.label);
        if (!label) {
            return false;
        }
        features_.insert(features_.end(), row_.begin(), row_.end());
        labels_.push_back(*label);
        return true;
    }
    std::int64_t count() const { return static_cast<std::int64_t>(labels_.size()); }

    void moveInto(Samples& samples) {
        samples.count = count();
        samples.sample_shape = {labels_.empty() ? 0 : static_cast<std::int64_t>(features_.size() / labels_.size())};
        samples.sample_dtype = tensor::DType::kFloat32;
        samples.samples = ByteBuffer(features_.size() * sizeof(float));
        std::memcpy(samples.samples.data(), features_.data(), samples.samples.size());
        samples.label_dtype = table_.label.type == CsvType::kNumber ? tensor::DType::kFloat32 : tensor::DType::kInt32;
        samples.labels = ByteBuffer(labels_.size() * 4);
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            std::byte* into = samples.labels.data() + i * 4;
            if (table_.label.type == CsvType::kNumber) {
                const auto number = static_cast<float>(labels_[i]);
                std::memcpy(into, &number, sizeof(number));
            } else {
                const auto index = static_cast<std::int32_t>(labels_[i]);
                std::memcpy(into, &index, sizeof(index));
            }
        }
    }

private:
    // What a feature column makes of a cell; false when the line is left out. A missing value has no place among categories and buckets.
    bool addFeature(const std::string& cell, const CsvColumn& column) {
        const FeatureEncoder& feature = *column.feature;
        const bool is_missing = isMissing(cell, format_);
        std::optional<double> number;
        if (is_missing || !feature.takesText()) {
            number = valueOf(cell, column);
            if (!number) return false;
        }
        row_.resize(row_.size() + feature.width(), 0.0F);
        float* row = row_.data() + (row_.size() - feature.width());
        const bool has_place = !is_missing || feature.isNumeric() || (format_.missing != "zero" && !feature.takesText());
        if (has_place && feature.takesText()) feature.addText(cell, row);
        if (has_place && !feature.takesText()) feature.addNumber(*number, row);
        return true;
    }

    std::optional<double> valueOf(const std::string& cell, const CsvColumn& column) const {
        if (isMissing(cell, format_)) {
            if (format_.missing == "refuse") {
                throw Error(ErrorCode::kDataLoss,
                            "the cell of \"" + column.name + "\" is missing (data.csv.missing: skip, zero or mean fills it)");
            }
            // A guessed label would teach nonsense.
            if (format_.missing == "skip" || &column == &table_.label) {
                return std::nullopt;
            }
            return format_.missing == "mean" && column.type != CsvType::kCategory ? column.mean : 0;
        }
        if (column.type == CsvType::kCategory) {
            const auto found = std::lower_bound(column.categories.begin(), column.categories.end(), cell);
            if (found == column.categories.end() || *found != cell) {
                throw Error(ErrorCode::kDataLoss,
                            "expected a value of \"" + column.name + "\" that the training file has, got \"" + cell + "\"");
            }
            return static_cast<double>(found - column.categories.begin());
        }
        const std::optional<double> number = numberOf(cell);
        if (!number || (column.type == CsvType::kInteger && &column == &table_.label && !isInt32(*number))) {
            throw Error(ErrorCode::kDataLoss, "expected a number in \"" + column.name + "\", got \"" + cell + "\"");
        }
        return number;
    }

    const spec::CsvFormat& format_;
    const CsvTable& table_;
    std::vector<float> row_;
    std::vector<float> features_;
    std::vector<double> labels_;
};

}  // namespace

CsvTable inspectCsv(const std::vector<std::filesystem::path>& files, const spec::CsvFormat& format,
                    const std::vector<spec::ObjectSpec>& feature_columns) {
    ReadReport ignored(spec::BadRecord::kSkip);  // readCsv() meets the same lines
    std::optional<CsvTable> table;
    std::vector<ColumnFacts> facts;
    for (const std::filesystem::path& path : files) {
        const MappedFile file(path);
        LineReader reader(file, format);
        for (bool first = true; reader.next(); first = false) {
            if (!table) {
                std::vector<std::string> names = reader.cells();
                for (std::size_t i = 0; !format.header && i < names.size(); ++i) {
                    names[i] = "column " + std::to_string(i);
                }
                table = chooseColumns(names, format, feature_columns, path.string());
                facts.resize(table->features.size() + 1);
            }
            if ((first && format.header) || !isWhole(reader, table->width, ignored)) {
                continue;
            }
            for (std::size_t i = 0; i < facts.size(); ++i) {
                const CsvColumn& column = i < table->features.size() ? table->features[i] : table->label;
                if (!isMissing(reader.cells()[column.index], format)) {
                    facts[i].see(reader.cells()[column.index]);
                }
            }
        }
    }
    if (!table) {
        throw Error(ErrorCode::kInvalidArgument,
                    (files.empty() ? "data.train_files" : files[0].string()) + ": expected a table, got no line");
    }
    for (std::size_t i = 0; i < table->features.size(); ++i) {
        facts[i].decide(table->features[i]);
    }
    facts.back().decide(table->label);
    return std::move(*table);
}

Samples readCsv(const std::vector<std::filesystem::path>& files, const spec::CsvFormat& format, const CsvTable& table, ReadReport& report) {
    Samples samples;
    RowWriter rows(format, table);
    for (const std::filesystem::path& path : files) {
        const MappedFile file(path);
        LineReader reader(file, format);
        const auto begin = static_cast<std::uint32_t>(rows.count());
        for (bool first = true; reader.next(); first = false) {
            if ((first && format.header) || !isWhole(reader, table.width, report)) {
                continue;
            }
            try {
                rows.add(reader.cells());
            } catch (const Error& problem) {
                report.bad(reader.where() + problem.what());
            }
        }
        samples.files.push_back({begin, static_cast<std::uint32_t>(rows.count())});
    }
    samples.source = samples.label_source = files.front().string();
    if (rows.count() == 0) {
        report.nothingLeft(samples.source, "line of samples");
    }
    rows.moveInto(samples);
    samples.class_names = table.label.categories;
    return samples;
}

}  // namespace engine::data
