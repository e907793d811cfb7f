#include "engine/data/readers/tfrecord_reader.h"

#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/checksum/crc32c.h"
#include "engine/data/mapped_file.h"
#include "engine/data/readers/feature_encoder.h"
#include "engine/data/readers/image_decoder.h"
#include "engine/data/readers/image_folder_reader.h"
#include "engine/spec/error.h"
#include "example.pb.h"

namespace engine::data {
namespace {

constexpr std::size_t kHead = 12, kTail = 4;

template <typename Number>
Number loadNumber(std::string_view bytes, std::size_t at) {
    Number number;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    return number;
}

bool hasChecksum(std::string_view bytes, std::uint32_t expected) {
    return checksum::maskCrc(checksum::crc32c(bytes)) == expected;
}

struct Record {
    std::size_t file = 0;
    std::size_t number = 0;  // in its file, from 0
    std::string_view bytes;
};

std::string nameOf(const std::string& file, std::size_t record) {
    return file + ": record " + std::to_string(record) + ": ";
}

// The numbers of a feature, whichever list holds them; nullopt for texts.
std::optional<std::vector<double>> numbersOf(const formats::Feature& feature) {
    if (feature.has_int64_list()) {
        return std::vector<double>(feature.int64_list().value().begin(), feature.int64_list().value().end());
    }
    if (feature.has_float_list()) {
        return std::vector<double>(feature.float_list().value().begin(), feature.float_list().value().end());
    }
    return std::nullopt;
}

const formats::Feature& featureOf(const formats::Example& example, const std::string& name) {
    const auto& features = example.features().feature();
    const auto found = features.find(name);
    if (found != features.end()) {
        return found->second;
    }
    std::string names;
    for (const auto& [other, feature] : features) {
        names += (names.empty() ? "" : ", ") + other;
    }
    throw Error(ErrorCode::kDataLoss, "expected a feature \"" + name + "\", it has " + (names.empty() ? "none" : names));
}

formats::Example parse(std::string_view bytes) {
    formats::Example example;
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
        !example.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        throw Error(ErrorCode::kDataLoss, "is no tf.train.Example");
    }
    return example;
}

// What feature columns make of an Example, `row` being as wide as all of them. A feature that is absent, or holds no value, has no place
// among buckets and categories; a numeric column has all its numbers in each record.
void writeColumns(const formats::Example& example, const std::vector<FeatureEncoder>& columns, float* row) {
    for (const FeatureEncoder& column : columns) {
        const auto& features = example.features().feature();
        const auto found = features.find(column.key());
        const bool is_empty = found == features.end() || found->second.kind_case() == formats::Feature::KIND_NOT_SET;
        const auto refuse = [&](const std::string& expected, const std::string& got) {
            std::string message = "expected " + expected;
            message.append(" in \"").append(column.key()).append("\", got ").append(got);
            throw Error(ErrorCode::kDataLoss, message);
        };
        if (column.takesText()) {
            if (!is_empty && found->second.has_float_list()) refuse("texts or whole numbers", "numbers with fractions");
            if (!is_empty && found->second.has_int64_list()) {
                for (const std::int64_t number : found->second.int64_list().value()) column.addText(std::to_string(number), row);
            }
            if (!is_empty) {
                for (const std::string& text : found->second.bytes_list().value()) column.addText(text, row);
            }
        } else {
            const auto numbers = is_empty ? std::vector<double>() : numbersOf(found->second);
            if (!numbers) refuse("numbers", "texts");
            if (column.isNumeric() && numbers->size() != column.numbers()) {
                refuse(std::to_string(column.numbers()) + (column.numbers() == 1 ? " number" : " numbers"),
                       std::to_string(numbers->size()));
            }
            for (std::size_t i = 0; i < numbers->size(); ++i) column.addNumber((*numbers)[i], row, i);
        }
        row += column.width();
    }
}

// The feature columns of every record, which are few numbers: the records are not kept.
class ColumnRows {
public:
    explicit ColumnRows(const std::vector<spec::ObjectSpec>& columns) : columns_(featureEncoders(columns)) {
        for (const FeatureEncoder& column : columns_) width_ += column.width();
    }
    bool empty() const { return columns_.empty(); }
    std::size_t width() const { return width_; }
    // Throws Error(kDataLoss), the rows being as they were.
    void add(const formats::Example& example) {
        const std::size_t before = values_.size();
        values_.resize(before + width_, 0.0F);
        try {
            writeColumns(example, columns_, values_.data() + before);
        } catch (...) {
            values_.resize(before);
            throw;
        }
    }
    void dropLast() { values_.resize(values_.size() - width_); }
    void moveInto(Samples& samples) const {
        samples.sample_dtype = tensor::DType::kFloat32;
        samples.sample_shape = {static_cast<std::int64_t>(width_)};
        samples.samples = ByteBuffer(values_.size() * sizeof(float));
        std::memcpy(samples.samples.data(), values_.data(), samples.samples.size());
    }

private:
    const std::vector<FeatureEncoder> columns_;
    std::size_t width_ = 0;
    std::vector<float> values_;
};

class ExampleRecords final : public SampleDecoder {
public:
    ExampleRecords(std::vector<MappedFile> files, std::vector<Record> records, const spec::TfRecordFormat& format,
                   const spec::ImageFormat& images, std::size_t sample_bytes)
        : files_(std::move(files)), records_(std::move(records)), format_(format), images_(images), sample_bytes_(sample_bytes) {}

    void decode(std::int64_t index, std::byte* into) const override {
        const Record& record = records_[static_cast<std::size_t>(index)];
        try {
            const formats::Example example = parse(record.bytes);
            write(featureOf(example, format_.sample), into);
        } catch (const Error& error) {
            throw Error(error.code(), nameOf(files_[record.file].path().string(), record.number) + error.what());
        }
    }

private:
    void write(const formats::Feature& feature, std::byte* into) const {
        if (format_.encoding == "list") {
            writeList(feature, into);
            return;
        }
        if (!feature.has_bytes_list() || feature.bytes_list().value_size() != 1) {
            throw Error(ErrorCode::kDataLoss, "expected one text of bytes in \"" + format_.sample + "\"");
        }
        const std::string& bytes = feature.bytes_list().value(0);
        if (format_.encoding == "raw") {
            if (bytes.size() != sample_bytes_) {
                throw Error(ErrorCode::kDataLoss, "expected " + std::to_string(sample_bytes_) + " bytes in \"" + format_.sample +
                                                      "\", got " + std::to_string(bytes.size()));
            }
            std::memcpy(into, bytes.data(), bytes.size());
            return;
        }
        thread_local Image image;  // its memory serves the next picture
        decodeImage(std::as_bytes(std::span(bytes)), images_.color_mode == "grayscale" ? 1 : 3, image);
        resizeImage(image, images_.size[0], images_.size[1],
                    images_.interpolation == "nearest" ? Interpolation::kNearest : Interpolation::kBilinear, into);
    }
    void writeList(const formats::Feature& feature, std::byte* into) const {
        const auto numbers = numbersOf(feature);
        const std::size_t expected = sample_bytes_ / sizeof(float);
        if (!numbers || numbers->size() != expected) {
            throw Error(ErrorCode::kDataLoss, "expected " + std::to_string(expected) + " numbers in \"" + format_.sample + "\", got " +
                                                  (numbers ? std::to_string(numbers->size()) : "texts"));
        }
        for (std::size_t i = 0; i < expected; ++i) {
            const auto value = static_cast<float>((*numbers)[i]);
            std::memcpy(into + i * sizeof(float), &value, sizeof(value));
        }
    }

    const std::vector<MappedFile> files_;
    const std::vector<Record> records_;
    const spec::TfRecordFormat format_;
    const spec::ImageFormat images_;
    const std::size_t sample_bytes_;
};

// The records of a file with a right checksum.
std::vector<Record> recordsOf(const MappedFile& file, std::size_t index, ReadReport& report) {
    std::vector<Record> records;
    const std::string name = file.path().string();
    std::string_view rest = file.text();
    for (std::size_t number = 0; !rest.empty(); ++number) {
        if (rest.size() < kHead || !hasChecksum(rest.substr(0, 8), loadNumber<std::uint32_t>(rest, 8))) {
            const bool is_gzip = number == 0 && rest.starts_with("\x1f\x8b");
            report.bad(nameOf(name, number) +
                       (is_gzip               ? "expected records as they are, got a file compressed by gzip"
                        : rest.size() < kHead ? "truncated"
                                              : "the checksum of its length is wrong") +
                       "; the file is not read beyond");
            break;
        }
        const auto length = loadNumber<std::uint64_t>(rest, 0);
        if (length > rest.size() - kHead || rest.size() - kHead - length < kTail) {
            report.bad(nameOf(name, number) + "truncated: expected " + std::to_string(length) + " bytes, got " +
                       std::to_string(rest.size() - kHead));
            break;
        }
        const std::string_view bytes = rest.substr(kHead, length);
        if (hasChecksum(bytes, loadNumber<std::uint32_t>(rest, kHead + length))) {
            records.push_back({index, number, bytes});
        } else {
            report.bad(nameOf(name, number) + "the checksum of its bytes is wrong");
        }
        rest.remove_prefix(kHead + length + kTail);
    }
    return records;
}

// Labels of one kind: int32 while all are integers, else float32.
class LabelColumn {
public:
    explicit LabelColumn(std::size_t each) : each_(each) {}

    void add(const formats::Feature& feature, const std::string& name) {
        const auto numbers = numbersOf(feature);
        if (!numbers || numbers->size() != each_) {
            throw Error(ErrorCode::kDataLoss, "expected " + std::to_string(each_) + (each_ == 1 ? " number" : " numbers") + " in \"" +
                                                  name + "\", got " + (numbers ? std::to_string(numbers->size()) : "texts"));
        }
        for (const double number : *numbers) {
            is_integer_ = is_integer_ && feature.has_int64_list() && number >= std::numeric_limits<std::int32_t>::min() &&
                          number <= std::numeric_limits<std::int32_t>::max();
            values_.push_back(number);
        }
    }
    void moveInto(Samples& samples) const {
        samples.label_dtype = is_integer_ ? tensor::DType::kInt32 : tensor::DType::kFloat32;
        samples.labels = ByteBuffer(values_.size() * 4);
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const auto number = static_cast<float>(values_[i]);
            const auto index = static_cast<std::int32_t>(is_integer_ ? values_[i] : 0);
            std::memcpy(samples.labels.data() + i * 4, is_integer_ ? static_cast<const void*>(&index) : &number, 4);
        }
    }

private:
    std::size_t each_;
    bool is_integer_ = true;
    std::vector<double> values_;
};

tensor::DType sampleType(const spec::TfRecordFormat& format) {
    if (format.encoding == "list" || (format.encoding == "raw" && format.dtype == "float32")) {
        return tensor::DType::kFloat32;
    }
    return format.encoding == "raw" && format.dtype == "int32" ? tensor::DType::kInt32 : tensor::DType::kUInt8;
}

}  // namespace

Samples readTfRecords(const std::vector<std::filesystem::path>& files, const spec::TfRecordFormat& format, const spec::ImageFormat& images,
                      const std::shared_ptr<ReadReport>& report, const std::vector<spec::ObjectSpec>& feature_columns) {
    Samples samples;
    ColumnRows columns(feature_columns);
    std::vector<MappedFile> mapped;
    std::vector<Record> records;
    LabelColumn labels(static_cast<std::size_t>(elementsOf(format.label_shape)));
    for (const std::filesystem::path& file : files) {
        mapped.emplace_back(file);
        const auto begin = static_cast<std::uint32_t>(records.size());
        for (const Record& record : recordsOf(mapped.back(), mapped.size() - 1, *report)) {
            try {
                const formats::Example example = parse(record.bytes);
                if (columns.empty()) featureOf(example, format.sample);
                const formats::Feature& label = featureOf(example, format.label);
                if (!columns.empty()) columns.add(example);
                try {
                    labels.add(label, format.label);
                } catch (...) {
                    if (!columns.empty()) columns.dropLast();
                    throw;
                }
                records.push_back(record);
            } catch (const Error& error) {
                report->bad(nameOf(file.string(), record.number) + error.what());
            }
        }
        samples.files.push_back({begin, static_cast<std::uint32_t>(records.size())});
    }
    samples.source = samples.label_source = files.empty() ? "data.train_files" : files.front().string();
    if (records.empty()) {
        report->nothingLeft(samples.source, "record");
    }
    samples.count = static_cast<std::int64_t>(records.size());
    samples.label_shape = format.label_shape;
    samples.report = report;
    if (!columns.empty()) {
        columns.moveInto(samples);
        labels.moveInto(samples);
        return samples;
    }
    samples.sample_dtype = sampleType(format);
    samples.sample_shape =
        format.encoding == "image" ? spec::Shape{images.size[0], images.size[1], images.color_mode == "grayscale" ? 1 : 3} : format.shape;
    samples.shape_field = format.encoding == "image" ? pictureShapeText(images) : "data.tfrecord.shape makes them so";
    labels.moveInto(samples);
    const auto bytes = static_cast<std::size_t>(elementsOf(samples.sample_shape)) * tensor::sizeOf(samples.sample_dtype);
    samples.decoder = std::make_shared<ExampleRecords>(std::move(mapped), std::move(records), format, images, bytes);
    return samples;
}

}  // namespace engine::data
