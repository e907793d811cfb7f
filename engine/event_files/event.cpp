#include "engine/event_files/event.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "engine/event_files/wire_reader.h"

namespace engine::event_files {
namespace {

constexpr std::size_t kMostBuckets = 4096, kMostPlugins = 4096, kMostHparams = 256, kMostTextBytes = 64u << 10;

// TensorFlow's DataType.
enum DataType : int {
    kFloat = 1,
    kDouble = 2,
    kInt32 = 3,
    kUint8 = 4,
    kInt16 = 5,
    kInt8 = 6,
    kString = 7,
    kInt64 = 9,
    kBool = 10,
    kBfloat16 = 14,
    kUint16 = 17,
    kHalf = 19,
    kUint32 = 22,
    kUint64 = 23
};

float halfToFloat(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16, exponent = half >> 10 & 0x1FU, fraction = half & 0x3FFU;
    if (exponent == 0) return (sign != 0 ? -1.0F : 1.0F) * std::ldexp(static_cast<float>(fraction), -24);
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

std::size_t sizeOf(int type) {
    switch (type) {
        case kFloat:
        case kInt32:
        case kUint32:
            return 4;
        case kDouble:
        case kInt64:
        case kUint64:
            return 8;
        case kUint8:
        case kInt8:
        case kBool:
            return 1;
        case kInt16:
        case kUint16:
        case kHalf:
        case kBfloat16:
            return 2;
        default:
            return 0;
    }
}

double loadNumber(int type, const char* at) {
    switch (type) {
        case kFloat:
            return static_cast<double>(WireReader::load<float>(at));
        case kDouble:
            return WireReader::load<double>(at);
        case kInt32:
            return WireReader::load<std::int32_t>(at);
        case kUint32:
            return WireReader::load<std::uint32_t>(at);
        case kInt64:
            return static_cast<double>(WireReader::load<std::int64_t>(at));
        case kUint64:
            return static_cast<double>(WireReader::load<std::uint64_t>(at));
        case kUint8:
        case kBool:
            return WireReader::load<std::uint8_t>(at);
        case kInt8:
            return WireReader::load<std::int8_t>(at);
        case kInt16:
            return WireReader::load<std::int16_t>(at);
        case kUint16:
            return WireReader::load<std::uint16_t>(at);
        case kHalf:
            return static_cast<double>(halfToFloat(WireReader::load<std::uint16_t>(at)));
        case kBfloat16:
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(WireReader::load<std::uint16_t>(at)) << 16));
        default:
            return 0;
    }
}

// A tensor as it is encoded: its numbers are read when somebody asks for them.
struct TensorView {
    int type = 0;
    bool is_sound = true;
    std::vector<std::int64_t> shape;
    std::string_view content;                 // as in memory
    std::vector<std::string_view> strings{};  // string_val
    std::vector<WireReader> listed{};         // a field of numbers, packed or one each

    static TensorView of(std::string_view message) {
        TensorView view;
        WireReader reader(message);
        while (reader.next()) {
            switch (reader.field()) {
                case 1:
                    view.type = static_cast<int>(reader.number());
                    break;
                case 2:
                    view.readShape(reader.bytes());
                    break;
                case 4:
                    view.content = reader.bytes();
                    break;
                case 8:
                    view.strings.push_back(reader.bytes());
                    break;
                case 5:
                case 6:
                case 7:
                case 10:
                case 11:
                case 13:
                case 16:
                case 17:
                    view.listed.push_back(reader);
                    break;
                default:
                    break;
            }
        }
        view.is_sound = view.is_sound && !reader.isDamaged();
        return view;
    }

    // Returns at most `most` numbers: those of the content, else those of the list.
    std::vector<double> numbers(std::size_t most) const {
        std::vector<double> values;
        if (const std::size_t size = sizeOf(type); size > 0 && !content.empty()) {
            for (std::size_t at = 0; at + size <= content.size() && values.size() < most; at += size) {
                values.push_back(loadNumber(type, content.data() + at));
            }
            return values;
        }
        for (const WireReader& field : listed) addListed(field, most, values);
        return values;
    }

private:
    void readShape(std::string_view message) {
        WireReader reader(message);
        while (reader.next()) {
            if (reader.field() != 2) continue;
            std::int64_t size = 0;
            WireReader dimension(reader.bytes());
            while (dimension.next()) {
                if (dimension.field() == 1) size = static_cast<std::int64_t>(dimension.number());
            }
            shape.push_back(size);
            if (shape.size() > 8) break;
        }
    }
    void addListed(const WireReader& field, std::size_t most, std::vector<double>& values) const {
        const auto ofNumber = [this](std::uint64_t number) {
            if (type == kHalf) return static_cast<double>(halfToFloat(static_cast<std::uint16_t>(number)));
            if (type == kBfloat16) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number & 0xFFFFU) << 16));
            return type == kUint64 || type == kUint32 ? static_cast<double>(number)
                                                      : static_cast<double>(static_cast<std::int64_t>(number));
        };
        if (values.size() >= most) return;
        if (field.isNumber()) return values.push_back(ofNumber(field.number()));
        const std::string_view packed = field.bytes();
        if (packed.empty()) return values.push_back(field.field() == 6 ? field.fixed64() : static_cast<double>(field.fixed32()));
        if (field.field() == 5 || field.field() == 6) {
            const std::size_t size = field.field() == 5 ? 4 : 8;
            for (std::size_t at = 0; at + size <= packed.size() && values.size() < most; at += size) {
                values.push_back(loadNumber(field.field() == 5 ? kFloat : kDouble, packed.data() + at));
            }
            return;
        }
        std::uint64_t value = 0;
        int shift = 0;
        for (const char byte : packed) {
            if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            shift += 7;
            if ((byte & 0x80) != 0) continue;
            values.push_back(ofNumber(value));
            value = 0;
            shift = 0;
            if (values.size() >= most) return;
        }
    }
};

// (buckets, 3): left edge, right edge, count.
std::optional<EventHistogram> histogramOfRows(const TensorView& tensor) {
    const std::vector<double> rows = tensor.numbers(3 * kMostBuckets);
    EventHistogram histogram;
    for (std::size_t at = 0; at + 3 <= rows.size(); at += 3) {
        if (!std::isfinite(rows[at]) || !std::isfinite(rows[at + 1]) || !std::isfinite(rows[at + 2])) return std::nullopt;
        if (histogram.limits.empty()) histogram.limits.push_back(rows[at]);
        histogram.limits.push_back(std::max(rows[at + 1], histogram.limits.back()));
        histogram.counts.push_back(std::max(0.0, rows[at + 2]));
    }
    if (histogram.counts.empty()) return std::nullopt;
    histogram.minimum = histogram.limits.front();
    histogram.maximum = histogram.limits.back();
    return histogram;
}

void addDoubles(const WireReader& field, std::vector<double>& values) {
    const std::string_view packed = field.bytes();
    if (packed.empty()) return values.push_back(field.fixed64());
    for (std::size_t at = 0; at + 8 <= packed.size() && values.size() < kMostBuckets; at += 8) {
        values.push_back(WireReader::load<double>(packed.data() + at));
    }
}

// HistogramProto: limits of the buckets' right edges, the first one open to the left, the last one to the right.
std::optional<EventHistogram> histogramOfProto(std::string_view message) {
    EventHistogram histogram;
    std::vector<double> right;
    double sum = 0, squares = 0;
    WireReader reader(message);
    while (reader.next()) {
        switch (reader.field()) {
            case 1:
                histogram.minimum = reader.fixed64();
                break;
            case 2:
                histogram.maximum = reader.fixed64();
                break;
            case 4:
                sum = reader.fixed64();
                break;
            case 5:
                squares = reader.fixed64();
                break;
            case 6:
                addDoubles(reader, right);
                break;
            case 7:
                addDoubles(reader, histogram.counts);
                break;
            default:
                break;
        }
    }
    const auto isFinite = [](double value) { return std::isfinite(value); };
    if (reader.isDamaged() || right.empty() || right.size() != histogram.counts.size() || !isFinite(histogram.minimum) ||
        !isFinite(histogram.maximum) || histogram.minimum > histogram.maximum ||
        !std::all_of(histogram.counts.begin(), histogram.counts.end(), isFinite)) {
        return std::nullopt;
    }
    histogram.limits.push_back(histogram.minimum);
    for (const double limit : right) {
        const double inside = std::isnan(limit) ? histogram.maximum : std::clamp(limit, histogram.minimum, histogram.maximum);
        histogram.limits.push_back(std::max(inside, histogram.limits.back()));
    }
    for (double& count : histogram.counts) count = std::max(0.0, count);
    if (isFinite(sum)) histogram.sum = sum;
    if (isFinite(squares)) histogram.sum_of_squares = squares;
    return histogram;
}

std::int64_t asCount(std::string_view text) {
    std::int64_t value = 0;
    for (const char digit : text.substr(0, 9)) {
        if (digit < '0' || digit > '9') break;
        value = 10 * value + (digit - '0');
    }
    return value;
}

EventImages imageOfProto(std::string_view message) {
    EventImages images{.count = 1};
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() == 1) images.height = static_cast<std::int64_t>(reader.number());
        if (reader.field() == 2) images.width = static_cast<std::int64_t>(reader.number());
    }
    return images;
}

// google.protobuf.Value.
std::string plainText(std::string_view message) {
    WireReader reader(message);
    std::string text;
    while (reader.next()) {
        char number[40];
        switch (reader.field()) {
            case 2:
                std::snprintf(number, sizeof number, "%g", reader.fixed64());
                text = number;
                break;
            case 3:
                text = reader.bytes().substr(0, 200);
                break;
            case 4:
                text = reader.number() != 0 ? "true" : "false";
                break;
            default:
                break;
        }
    }
    return text;
}

// HParamsPluginData.
void readHparams(std::string_view content, EventValue& value) {
    WireReader data(content);
    while (data.next()) {
        WireReader part(data.bytes());
        while (data.field() == 3 && part.next()) {  // SessionStartInfo
            if (part.field() != 1 || value.hparams.size() == kMostHparams) continue;
            std::string name, text;
            WireReader entry(part.bytes());
            while (entry.next()) {
                if (entry.field() == 1) name = entry.bytes().substr(0, 200);
                if (entry.field() == 2) text = plainText(entry.bytes());
            }
            value.hparams.emplace_back(std::move(name), std::move(text));
        }
        while (data.field() == 4 && part.next()) {  // SessionEndInfo
            if (part.field() != 1) continue;
            value.ends_session = part.number() == 1 || part.number() == 2;
            value.has_failed = part.number() == 2;
        }
    }
    std::sort(value.hparams.begin(), value.hparams.end());
}

struct Metadata {
    std::string_view plugin, content;
};

Metadata metadataOf(std::string_view message) {
    Metadata found;
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() != 1) continue;
        WireReader data(reader.bytes());
        while (data.next()) {
            if (data.field() == 1) found.plugin = data.bytes();
            if (data.field() == 2) found.content = data.bytes();
        }
    }
    return found;
}

// The one number of a tensor without dimensions, as every writer of scalars encodes it. False for any other tensor.
bool readPlainScalar(std::string_view message, double& value, const char*& at) {
    WireReader reader(message);
    int type = 0;
    bool found = false;
    while (reader.next()) {
        switch (reader.field()) {
            case 1:
                type = static_cast<int>(reader.number());
                break;
            case 2:
                if (!reader.bytes().empty()) return false;
                break;
            case 4:
            case 5:
                if (type != kFloat || found || reader.bytes().size() != sizeof(float)) return false;
                at = reader.bytes().data();
                value = static_cast<double>(WireReader::load<float>(at));
                found = true;
                break;
            default:
                return false;
        }
    }
    return found && !reader.isDamaged();
}

}  // namespace

std::string_view EventReader::pluginOf(std::string_view tag, std::string_view named) {
    const auto known = std::find_if(plugins_.begin(), plugins_.end(), [&](const auto& one) { return one.first == tag; });
    if (known != plugins_.end()) return known->second;
    if (!named.empty() && named != "scalars" && plugins_.size() < kMostPlugins) {
        plugins_.emplace_back(tag.substr(0, 1024), named.substr(0, 64));
    }
    return named;
}

bool EventReader::readValue(std::string_view message, std::int64_t step, double wall_time, EventSink& sink) {
    WireReader reader(message);
    std::string_view tag, tensor, metadata, histogram, image;
    std::optional<float> simple;
    number_at_ = nullptr;
    number_tag_ = {};
    const char* number_at = nullptr;
    while (reader.next()) {
        switch (reader.field()) {
            case 1:
                tag = reader.bytes();
                break;
            case 2:
                simple = reader.fixed32();
                number_at = reader.fixedAt();
                break;
            case 4:
                image = reader.bytes();
                break;
            case 5:
                histogram = reader.bytes();
                break;
            case 8:
                tensor = reader.bytes();
                break;
            case 9:
                metadata = reader.bytes();
                break;
            default:
                break;
        }
    }
    if (reader.isDamaged()) return false;
    if (simple) {
        number_at_ = number_at;
        number_tag_ = tag;
        sink.takeScalar(tag, step, wall_time, static_cast<double>(*simple));
        return true;
    }
    const Metadata meta = metadata.empty() ? Metadata() : metadataOf(metadata);
    double number = 0;
    if (meta.plugin == "scalars" && readPlainScalar(tensor, number, number_at)) {
        number_at_ = number_at;
        number_tag_ = tag;
        sink.takeScalar(tag, step, wall_time, number);
        return true;
    }
    EventValue value{.tag = tag};
    const std::string_view plugin = pluginOf(tag, meta.plugin);
    const TensorView view = TensorView::of(tensor);
    if (!view.is_sound) return false;
    if (!histogram.empty()) {
        value.histogram = histogramOfProto(histogram);
    } else if (!image.empty()) {
        value.images = imageOfProto(image);
    } else if (plugin == "histograms" && !tensor.empty()) {
        value.histogram = histogramOfRows(view);
    } else if (plugin == "images" && view.strings.size() > 2) {
        value.images = {asCount(view.strings[0]), asCount(view.strings[1]), static_cast<std::int64_t>(view.strings.size()) - 2};
    } else if (plugin == "text" && !view.strings.empty()) {
        std::string text;
        for (const std::string_view one : view.strings) {
            if (text.size() + one.size() > kMostTextBytes) break;
            text += (text.empty() ? "" : "\n") + std::string(one);
        }
        value.text = std::move(text);
    } else if (plugin == "hparams") {
        readHparams(meta.content, value);
    } else if (plugin.empty() || plugin == "scalars") {
        // A number, where it is one and no strings.
        const std::vector<double> numbers = view.numbers(2);
        if (numbers.size() == 1 && sizeOf(view.type) > 0) {
            sink.takeScalar(tag, step, wall_time, numbers.front());
            return true;
        }
    }
    sink.takeOther(step, wall_time, value);
    return true;
}

bool EventReader::readByPattern(std::string_view summary, std::int64_t step, double wall_time, EventSink& sink) {
    if (patterns_.empty()) return false;
    const std::size_t index = patterns_[last_pattern_].next;
    const Pattern& pattern = patterns_[index];
    const std::size_t head = pattern.head.size();
    if (summary.size() != head + sizeof(float) + pattern.tail.size() || !summary.starts_with(pattern.head) ||
        !summary.ends_with(pattern.tail)) {
        return false;
    }
    last_pattern_ = index;
    sink.takeScalar(pattern.tag, step, wall_time, static_cast<double>(WireReader::load<float>(summary.data() + head)));
    return true;
}

// Requires a summary of one value, whose number lies there.
void EventReader::learn(std::string_view summary, std::string_view tag, const char* value) {
    constexpr std::size_t kMostPatterns = 4096, kMostPatternBytes = 2048;
    if (summary.size() > kMostPatternBytes) return;
    const auto head = static_cast<std::size_t>(value - summary.data());
    const auto [known, is_new] = pattern_of_.try_emplace(std::string(tag), patterns_.size());
    if (is_new && patterns_.size() == kMostPatterns) {
        pattern_of_.erase(known);
        return;
    }
    const std::size_t index = known->second;
    if (is_new) patterns_.emplace_back();
    patterns_[index].head = summary.substr(0, head);
    patterns_[index].tail = summary.substr(head + sizeof(float));
    patterns_[index].tag = tag;
    patterns_[last_pattern_].next = index;
    last_pattern_ = index;
}

bool EventReader::readSummary(std::string_view summary, std::int64_t step, double wall_time, EventSink& sink) {
    if (readByPattern(summary, step, wall_time, sink)) return true;
    WireReader reader(summary);
    int values = 0;
    while (reader.next()) {
        if (reader.field() != 1) continue;
        ++values;
        if (!readValue(reader.bytes(), step, wall_time, sink)) return false;
    }
    if (!reader.isDamaged() && values == 1 && number_at_ != nullptr) learn(summary, number_tag_, number_at_);
    return !reader.isDamaged();
}

namespace {

// An event as nearly all are: time, step and a summary, in this order and nothing else. False for any other.
struct PlainEvent {
    double wall_time = 0;
    std::uint64_t step = 0;
    std::string_view summary;

    bool read(std::string_view record) {
        constexpr std::size_t kTimeBytes = 1 + sizeof(double);
        constexpr char kTime = 1 << 3 | 1, kStep = 2 << 3, kSummary = 5 << 3 | 2;
        if (record.size() <= kTimeBytes || record[0] != kTime) return false;
        wall_time = WireReader::load<double>(record.data() + 1);
        record.remove_prefix(kTimeBytes);
        if (record[0] == kStep && !takeNumber(record, step)) return false;
        std::uint64_t size = 0;
        if (record.empty() || record[0] != kSummary || !takeNumber(record, size) || size != record.size()) return false;
        summary = record;
        return true;
    }

private:
    // Takes a number that stands behind one byte of a key.
    static bool takeNumber(std::string_view& record, std::uint64_t& number) {
        number = 0;
        for (std::size_t i = 1; i < record.size() && i <= 9; ++i) {
            const auto byte = static_cast<unsigned char>(record[i]);
            number |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * (i - 1));
            if (byte >= 0x80) continue;
            record.remove_prefix(i + 1);
            return true;
        }
        return false;
    }
};

}  // namespace

bool EventReader::read(std::string_view record, EventSink& sink) {
    constexpr int kSessionStart = 1;
    if (PlainEvent plain; plain.read(record) && std::isfinite(plain.wall_time)) {
        return readSummary(plain.summary, static_cast<std::int64_t>(plain.step), plain.wall_time, sink);
    }
    WireReader reader(record);
    std::int64_t step = 0;
    double wall_time = 0;
    std::string_view summary;
    bool starts = false;
    while (reader.next()) {
        switch (reader.field()) {
            case 1:
                wall_time = reader.fixed64();
                break;
            case 2:
                step = static_cast<std::int64_t>(reader.number());
                break;
            case 5:
                summary = reader.bytes();
                break;
            case 7: {
                WireReader session(reader.bytes());
                while (session.next()) starts = starts || (session.field() == 1 && session.number() == kSessionStart);
                break;
            }
            default:
                break;
        }
    }
    if (reader.isDamaged()) return false;
    if (!std::isfinite(wall_time)) wall_time = 0;
    if (starts) sink.takeRestart(step, wall_time);
    return readSummary(summary, step, wall_time, sink);
}

}  // namespace engine::event_files
