#include "engine/data/dataset_summary.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <thread>

#include "engine/data/read_report.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"
#include "engine/thread/usable_cores.h"

namespace engine::data {
namespace {

constexpr std::int64_t kMostClasses = 1 << 20;
constexpr std::size_t kBins = 10;  // of labels that are numbers
constexpr std::size_t kShownNumbers = 6;
constexpr std::chrono::milliseconds kTold{200};

std::string numberText(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

double numberAt(const std::byte* values, tensor::DType dtype, std::int64_t at) {
    if (dtype == tensor::DType::kUInt8) {
        return std::to_integer<int>(values[at]);
    }
    if (dtype == tensor::DType::kInt32) {
        std::int32_t number = 0;
        std::memcpy(&number, values + at * 4, sizeof(number));
        return number;
    }
    float number = 0;
    std::memcpy(&number, values + at * 4, sizeof(number));
    return static_cast<double>(number);
}

double labelOf(const Samples& samples, std::int64_t index) {
    return numberAt(samples.labels.data(), samples.label_dtype, index * elementsOf(samples.label_shape));
}

// Which group a label belongs to.
class Grouping {
public:
    explicit Grouping(const Dataset& dataset) {
        smallest_ = std::numeric_limits<double>::infinity();
        largest_ = -smallest_;
        bool are_single = true, are_whole = true;
        for (const Samples* samples : {dataset.train.get(), dataset.test.get()}) {
            if (samples == nullptr) {
                continue;
            }
            are_single = are_single && elementsOf(samples->label_shape) == 1;
            are_whole = are_whole && samples->label_dtype != tensor::DType::kFloat32;
            for (std::int64_t i = 0; are_single && i < samples->count; ++i) {
                smallest_ = std::min(smallest_, labelOf(*samples, i));
                largest_ = std::max(largest_, labelOf(*samples, i));
            }
        }
        if (!are_single) {
            kind_ = Kind::kOne;
        } else if (are_whole && smallest_ >= 0 && largest_ < kMostClasses) {
            kind_ = Kind::kClasses;
        } else {
            kind_ = largest_ > smallest_ ? Kind::kRanges : Kind::kOne;
        }
    }
    bool hasClasses() const { return kind_ == Kind::kClasses; }
    std::size_t count(const Samples& samples) const {
        if (kind_ != Kind::kClasses) {
            return kind_ == Kind::kRanges ? kBins : 1;
        }
        return std::max(samples.class_names.size(), static_cast<std::size_t>(largest_) + 1);
    }
    std::size_t of(const Samples& samples, std::int64_t index) const {
        if (kind_ == Kind::kOne) {
            return 0;
        }
        const double label = labelOf(samples, index);
        if (kind_ == Kind::kClasses) {
            return static_cast<std::size_t>(label);
        }
        const double at = (label - smallest_) / (largest_ - smallest_) * static_cast<double>(kBins);
        return std::min(kBins - 1, static_cast<std::size_t>(std::max(at, 0.0)));
    }
    std::string name(const Samples& samples, std::size_t group) const {
        if (kind_ == Kind::kOne) {
            return "";
        }
        if (kind_ == Kind::kClasses) {
            return group < samples.class_names.size() ? samples.class_names[group] : std::to_string(group);
        }
        const double width = (largest_ - smallest_) / static_cast<double>(kBins);
        return numberText(smallest_ + width * static_cast<double>(group)) + " to " +
               numberText(smallest_ + width * static_cast<double>(group + 1));
    }

private:
    enum class Kind { kClasses, kRanges, kOne };
    Kind kind_ = Kind::kOne;
    double smallest_ = 0, largest_ = 0;
};

class SampleReader {
public:
    explicit SampleReader(const Samples& samples)
        : samples_(samples),
          each_(static_cast<std::size_t>(elementsOf(samples.sample_shape)) * tensor::sizeOf(samples.sample_dtype)),
          bytes_(samples.decoder == nullptr ? 0 : each_) {}

    // The sample's bytes, valid until the next call; null for one that cannot be read, after the report has it.
    const std::byte* read(std::int64_t index) {
        if (samples_.decoder == nullptr) {
            return samples_.samples.data() + static_cast<std::size_t>(index) * each_;
        }
        try {
            samples_.decoder->decode(index, bytes_.data());
            return bytes_.data();
        } catch (const Error& error) {
            if (samples_.report == nullptr || error.code() != ErrorCode::kDataLoss) {
                throw;
            }
            samples_.report->bad(error.what());
            return nullptr;
        }
    }

private:
    const Samples& samples_;
    const std::size_t each_;
    std::vector<std::byte> bytes_;
};

bool isPicture(const spec::Shape& shape) {
    const bool has_channels = shape.size() == 3 && (shape[2] == 1 || shape[2] == 3);
    return (shape.size() == 2 || has_channels) && shape[0] > 1 && shape[1] > 1;
}

// The sample as bytes: values other than uint8 go from their own smallest (black) to their largest (white).
Image pictureOf(const Samples& samples, const std::byte* values, std::int64_t largest_side) {
    const spec::Shape& shape = samples.sample_shape;
    Image image{shape[0], shape[1], shape.size() == 3 ? shape[2] : 1, {}};
    const std::int64_t elements = elementsOf(shape);
    image.pixels.resize(static_cast<std::size_t>(elements));
    if (samples.sample_dtype == tensor::DType::kUInt8) {
        std::memcpy(image.pixels.data(), values, image.pixels.size());
    } else {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (std::int64_t i = 0; i < elements; ++i) {
            low = std::min(low, numberAt(values, samples.sample_dtype, i));
            high = std::max(high, numberAt(values, samples.sample_dtype, i));
        }
        for (std::int64_t i = 0; i < elements; ++i) {
            const double share = high > low ? (numberAt(values, samples.sample_dtype, i) - low) / (high - low) : 0;
            image.pixels[static_cast<std::size_t>(i)] = static_cast<std::byte>(std::clamp(share * 255 + 0.5, 0.0, 255.0));
        }
    }
    const std::int64_t side = std::max(image.rows, image.columns);
    if (side <= largest_side) {
        return image;
    }
    Image smaller{std::max<std::int64_t>(1, image.rows * largest_side / side),
                  std::max<std::int64_t>(1, image.columns * largest_side / side),
                  image.channels,
                  {}};
    smaller.pixels.resize(static_cast<std::size_t>(smaller.rows * smaller.columns * smaller.channels));
    resizeImage(image, smaller.rows, smaller.columns, Interpolation::kBilinear, smaller.pixels.data());
    return smaller;
}

// Whole characters of UTF-8.
std::string beginningOf(const std::string& text) {
    constexpr std::size_t kShownBytes = 200;
    if (text.size() <= kShownBytes) return text;
    std::size_t end = kShownBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end) + "…";
}

std::string textOf(const Samples& samples, const std::byte* values, std::int64_t index) {
    if (samples.texts != nullptr) return beginningOf((*samples.texts)[static_cast<std::size_t>(index)]);
    const std::int64_t elements = elementsOf(samples.sample_shape);
    std::string text;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(elements, kShownNumbers); ++i) {
        text += (i == 0 ? "" : ", ") + numberText(numberAt(values, samples.sample_dtype, i));
    }
    return text + (elements > static_cast<std::int64_t>(kShownNumbers) ? ", …" : "");
}

// Samples with a NaN or an infinity; any thread may look.
struct NotFinite {
    std::int64_t count = 0, first = -1, element = 0;
    std::string value;

    void look(const std::byte* values, std::int64_t elements, std::int64_t index) {
        for (std::int64_t i = 0; i < elements; ++i) {
            const double number = numberAt(values, tensor::DType::kFloat32, i);
            if (std::isfinite(number)) {
                continue;
            }
            const MutexLock lock(guard_);
            ++count;
            if (first < 0 || index < first) {
                first = index;
                element = i;
                value = numberText(number);
            }
            return;
        }
    }

private:
    Mutex guard_;
};

class Summarizer {
public:
    Summarizer(const Dataset& dataset, const SummaryOptions& options)
        : dataset_(dataset), train_(*dataset.train), options_(options), grouping_(dataset) {}

    DatasetSummary run() {
        count();
        if (options_.reads_all) {
            readAll(train_);
            if (dataset_.test != nullptr) {
                readAll(*dataset_.test);
            }
        }
        keepTheLargest();
        look();
        return std::move(summary_);
    }

private:
    void checkCancelled() const {
        if (options_.is_cancelled && options_.is_cancelled()) {
            throw Error(ErrorCode::kCancelled, dataset_.name + ": looking at it was cancelled");
        }
    }

    void count() {
        summary_.has_classes = grouping_.hasClasses();
        summary_.groups.resize(grouping_.count(train_));
        members_.resize(summary_.groups.size());
        for (std::int64_t i = 0; i < train_.count; ++i) {
            const std::size_t group = grouping_.of(train_, i);
            ++summary_.groups[group].train;
            members_[group].push_back(i);
        }
        for (std::int64_t i = 0; dataset_.test != nullptr && i < dataset_.test->count; ++i) {
            ++summary_.groups[grouping_.of(*dataset_.test, i)].test;
        }
        for (std::size_t g = 0; g < summary_.groups.size(); ++g) {
            summary_.groups[g].name = grouping_.name(train_, g);
        }
    }

    // Reads on all cores; the first Error that is no bad sample ends it.
    void readAll(const Samples& samples) {
        countLabels(samples);
        if (samples.decoder == nullptr && samples.sample_dtype != tensor::DType::kFloat32) {
            return;
        }
        NotFinite bad;
        std::atomic<std::int64_t> next{0};
        std::atomic<bool> ends{false};
        std::exception_ptr failure;
        Mutex guard;  // of failure
        const auto work = [&] {
            try {
                SampleReader reader(samples);
                for (std::int64_t i = 0; !ends && (i = next.fetch_add(1)) < samples.count;) {
                    const std::byte* values = reader.read(i);
                    if (values != nullptr && samples.sample_dtype == tensor::DType::kFloat32) {
                        bad.look(values, elementsOf(samples.sample_shape), i);
                    }
                }
            } catch (...) {
                const MutexLock lock(guard);
                failure = failure ? failure : std::current_exception();
                ends = true;
            }
        };
        {
            std::vector<std::jthread> threads;
            for (int t = 0, cores = usableCores(); t < cores; ++t) {
                threads.emplace_back(work);
            }
            while (!ends && next < samples.count) {
                std::this_thread::sleep_for(kTold);
                if (options_.progress) {
                    options_.progress(std::min<std::int64_t>(next, samples.count), samples.count);
                }
                ends = ends || (options_.is_cancelled && options_.is_cancelled());
            }
        }
        checkCancelled();
        if (failure) {
            std::rethrow_exception(failure);
        }
        if (options_.progress) {  // a small set is read before anybody has looked
            options_.progress(samples.count, samples.count);
        }
        keep(bad, samples.source, "sample");
    }

    void countLabels(const Samples& samples) {
        if (samples.label_dtype != tensor::DType::kFloat32) {
            return;
        }
        NotFinite bad;
        const std::int64_t each = elementsOf(samples.label_shape);
        for (std::int64_t i = 0; i < samples.count; ++i) {
            bad.look(samples.labels.data() + i * each * 4, each, i);
        }
        keep(bad, samples.label_source, "the label of sample");
    }

    void keep(const NotFinite& bad, const std::string& source, const char* what) {
        if (bad.count > 0 && summary_.first_not_finite.empty()) {
            summary_.first_not_finite =
                source + ": " + what + " " + std::to_string(bad.first) + " has " + bad.value + " as number " + std::to_string(bad.element);
        }
        summary_.not_finite += bad.count;
    }

    void keepTheLargest() {
        if (summary_.groups.size() <= kMostGroups) {
            return;
        }
        std::vector<std::size_t> order(summary_.groups.size());
        for (std::size_t g = 0; g < order.size(); ++g) {
            order[g] = g;
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return summary_.groups[a].train > summary_.groups[b].train; });
        order.resize(kMostGroups);
        std::sort(order.begin(), order.end());
        summary_.groups_left_out = static_cast<std::int64_t>(summary_.groups.size() - kMostGroups);
        for (std::size_t k = 0; k < order.size(); ++k) {
            std::swap(summary_.groups[k], summary_.groups[order[k]]);
            std::swap(members_[k], members_[order[k]]);
        }
        summary_.groups.resize(kMostGroups);
        members_.resize(kMostGroups);
    }

    void look() {
        SampleReader reader(train_);
        const bool are_pictures = isPicture(train_.sample_shape);
        const std::int64_t elements = elementsOf(train_.sample_shape);
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (std::size_t g = 0; g < summary_.groups.size(); ++g) {
            checkCancelled();
            const std::vector<std::int64_t>& members = members_[g];
            const std::size_t wanted = std::min(members.size(), static_cast<std::size_t>(options_.samples_per_class));
            std::vector<SampleLook>& shown = summary_.groups[g].samples;
            for (std::size_t k = 0; shown.size() < wanted && k < members.size(); ++k) {
                const std::int64_t index = members[(k + options_.draw * wanted) % members.size()];
                const std::byte* values = reader.read(index);
                if (values == nullptr) {
                    continue;
                }
                for (std::int64_t i = 0; i < elements; ++i) {
                    low = std::min(low, numberAt(values, train_.sample_dtype, i));
                    high = std::max(high, numberAt(values, train_.sample_dtype, i));
                }
                SampleLook look{.index = index, .picture = {}, .text = {}};
                are_pictures ? void(look.picture = pictureOf(train_, values, options_.largest_side))
                             : void(look.text = textOf(train_, values, index));
                shown.push_back(std::move(look));
            }
        }
        if (high >= low) {
            summary_.smallest = low;
            summary_.largest = high;
        }
    }

    const Dataset& dataset_;
    const Samples& train_;
    const SummaryOptions& options_;
    const Grouping grouping_;
    DatasetSummary summary_;
    std::vector<std::vector<std::int64_t>> members_;  // of each group, in the training set
};

}  // namespace

DatasetSummary summarize(const Dataset& dataset, const SummaryOptions& options) {
    ENGINE_CHECK(dataset.train != nullptr);
    return Summarizer(dataset, options).run();
}

}  // namespace engine::data
