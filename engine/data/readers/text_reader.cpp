#include "engine/data/readers/text_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/data/mapped_file.h"
#include "engine/data/texts/utf8.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

constexpr std::int32_t kUnknownWord = 1;
constexpr std::int32_t kFirstWord = 2;

template <typename Use>
void forEachLine(std::string_view text, Use&& use) {
    for (std::int64_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        use(line, number);
    }
}

// Lines with nothing in them part others.
template <typename Use>
void forEachFilledLine(std::string_view text, Use&& use) {
    forEachLine(text, [&](std::string_view line, std::int64_t number) {
        if (!line.empty()) {
            use(line, number);
        }
    });
}

template <typename Use>
void forEachWord(std::string_view text, Use&& use) {
    std::string word;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(i < text.size() ? text[i] : ' ');
        const bool is_capital = byte >= 'A' && byte <= 'Z';
        if (is_capital || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte >= 0x80 || byte == '\'') {
            word += static_cast<char>(is_capital ? byte + ('a' - 'A') : byte);
        } else if (!word.empty()) {
            use(word);
            word.clear();
        }
    }
}

std::optional<std::int32_t> integerOf(std::string_view text) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<std::int32_t> labelOf(std::string_view text, const std::vector<std::string>& class_names) {
    if (class_names.empty()) {
        return integerOf(text);
    }
    const auto found = std::lower_bound(class_names.begin(), class_names.end(), text);
    if (found == class_names.end() || *found != text) {
        return std::nullopt;
    }
    return static_cast<std::int32_t>(found - class_names.begin());
}

// Labels that are texts; none when all are integers.
std::vector<std::string> namesOf(const std::set<std::string, std::less<>>& labels) {
    const bool are_texts = std::any_of(labels.begin(), labels.end(), [](const std::string& label) { return !integerOf(label); });
    return are_texts ? std::vector<std::string>(labels.begin(), labels.end()) : std::vector<std::string>();
}

// What is known of labelled lines, whatever becomes of their texts: all but the samples. `use` takes the text of a line and
// a function that tells the line's place; false leaves the line out.
template <typename Use>
Samples readLabelled(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& class_names, ReadReport& report,
                     Use&& use) {
    Samples samples;
    std::vector<std::int32_t> labels;
    for (const std::filesystem::path& path : files) {
        const MappedFile file(path);
        const auto begin = static_cast<std::uint32_t>(labels.size());
        forEachFilledLine(file.text(), [&](std::string_view line, std::int64_t number) {
            const std::size_t tab = line.find('\t');
            const std::optional<std::int32_t> label =
                tab == std::string_view::npos ? std::nullopt : labelOf(line.substr(0, tab), class_names);
            const auto place = [&] { return path.string() + ":" + std::to_string(number); };
            if (!label) {
                report.bad(place() + ": expected a label of the training file, a tab and a text");
            } else if (use(line.substr(tab + 1), place)) {
                labels.push_back(*label);
            }
        });
        samples.files.push_back({begin, static_cast<std::uint32_t>(labels.size())});
    }
    samples.source = samples.label_source = files.empty() ? "data.train_files" : files.front().string();
    if (labels.empty()) {
        report.nothingLeft(samples.source, "line \"label<TAB>text\"");
    }
    samples.count = static_cast<std::int64_t>(labels.size());
    samples.label_dtype = tensor::DType::kInt32;
    samples.labels = ByteBuffer(labels.size() * sizeof(std::int32_t));
    std::memcpy(samples.labels.data(), labels.data(), samples.labels.size());
    samples.class_names = class_names;
    return samples;
}

void setRows(Samples& samples, const std::vector<std::int32_t>& rows, std::int64_t length) {
    samples.sample_shape = {length};
    samples.sample_dtype = tensor::DType::kInt32;
    samples.samples = ByteBuffer(rows.size() * sizeof(std::int32_t));
    std::memcpy(samples.samples.data(), rows.data(), samples.samples.size());
}

void setSequenceRows(Samples& samples, const std::vector<std::int32_t>& rows, const spec::TextFormat& format) {
    setRows(samples, rows, format.length);
    samples.shape_field = "data.text.length=" + std::to_string(format.length) + " makes them so";
}

// Short texts are padded in front, of long ones the end is kept: Keras' pad_sequences.
void appendSequence(std::string_view text, const spec::TextFormat& format, const Vocabulary& vocabulary, std::vector<std::int32_t>& rows) {
    std::vector<std::int32_t> sequence;
    forEachWord(text, [&](const std::string& word) {
        const auto found = vocabulary.words.find(word);
        sequence.push_back(found == vocabulary.words.end() ? kUnknownWord : found->second);
    });
    const auto length = static_cast<std::size_t>(format.length);
    const std::size_t kept = std::min(length, sequence.size());
    rows.insert(rows.end(), length - kept, 0);
    rows.insert(rows.end(), sequence.end() - static_cast<std::ptrdiff_t>(kept), sequence.end());
}

// How often each word is there.
class WordCounts {
public:
    void add(std::string_view text) {
        forEachWord(text, [this](const std::string& word) { ++counts_[word]; });
    }
    // The indices of the most frequent words, as many as there is room for.
    std::map<std::string, std::int32_t, std::less<>> mostFrequent(const spec::TextFormat& format) const {
        std::vector<std::pair<std::string, std::int64_t>> ranked(counts_.begin(), counts_.end());
        std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
        ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(format.vocabulary - kFirstWord)));
        std::map<std::string, std::int32_t, std::less<>> words;
        for (std::size_t i = 0; i < ranked.size(); ++i) {
            words.emplace(ranked[i].first, static_cast<std::int32_t>(i) + kFirstWord);
        }
        return words;
    }

private:
    std::map<std::string, std::int64_t> counts_;
};

}  // namespace

Vocabulary readVocabulary(const std::vector<std::filesystem::path>& files, const spec::TextFormat& format) {
    WordCounts counts;
    std::set<std::string, std::less<>> labels;
    for (const std::filesystem::path& path : files) {
        const MappedFile file(path);
        forEachFilledLine(file.text(), [&](std::string_view line, std::int64_t) {
            const std::size_t tab = line.find('\t');
            if (tab != std::string_view::npos) {
                labels.emplace(line.substr(0, tab));
                counts.add(line.substr(tab + 1));
            }
        });
    }
    return {.words = counts.mostFrequent(format), .labels = namesOf(labels)};
}

Vocabulary vocabularyOf(std::span<const std::string> texts, const spec::TextFormat& format) {
    WordCounts counts;
    for (const std::string& text : texts) {
        counts.add(text);
    }
    return {.words = counts.mostFrequent(format), .labels = {}};
}

Samples readTexts(const std::vector<std::filesystem::path>& files, const spec::TextFormat& format, const Vocabulary& vocabulary,
                  ReadReport& report) {
    std::vector<std::int32_t> rows;
    Samples samples = readLabelled(files, vocabulary.labels, report, [&](std::string_view text, const auto&) {
        appendSequence(text, format, vocabulary, rows);
        return true;
    });
    setSequenceRows(samples, rows, format);
    return samples;
}

void setSequences(Samples& samples, std::span<const std::string> texts, const spec::TextFormat& format, const Vocabulary& vocabulary) {
    std::vector<std::int32_t> rows;
    rows.reserve(texts.size() * static_cast<std::size_t>(format.length));
    for (const std::string& text : texts) {
        appendSequence(text, format, vocabulary, rows);
    }
    setSequenceRows(samples, rows, format);
}

std::vector<std::string> readTextLabels(const std::vector<std::filesystem::path>& files) {
    std::set<std::string, std::less<>> labels;
    for (const std::filesystem::path& path : files) {
        const MappedFile file(path);
        forEachFilledLine(file.text(), [&](std::string_view line, std::int64_t) {
            if (const std::size_t tab = line.find('\t'); tab != std::string_view::npos) labels.emplace(line.substr(0, tab));
        });
    }
    return namesOf(labels);
}

TextLines readTextLines(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& class_names, ReadReport& report) {
    TextLines lines;
    lines.samples = readLabelled(files, class_names, report, [&](std::string_view text, const auto& place) {
        if (firstOutsideUtf8(text)) {
            report.bad(place() + ": expected a text in UTF-8, got other bytes");
            return false;
        }
        lines.texts.emplace_back(text);
        return true;
    });
    numberTexts(lines);
    return lines;
}

void numberTexts(TextLines& lines) {
    std::vector<std::int32_t> numbers(lines.texts.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    setRows(lines.samples, numbers, 1);
}

std::vector<std::string> readPlainTexts(const std::filesystem::path& path) {
    const MappedFile file(path);
    std::vector<std::string> texts;
    forEachLine(file.text(), [&](std::string_view line, std::int64_t number) {
        if (firstOutsideUtf8(line)) {
            throw Error(ErrorCode::kInvalidArgument,
                        path.string() + ":" + std::to_string(number) + ": expected a text in UTF-8, got other bytes");
        }
        texts.emplace_back(line);
    });
    if (texts.empty()) throw Error(ErrorCode::kInvalidArgument, path.string() + ": expected a text in each line, got none");
    return texts;
}

}  // namespace engine::data
