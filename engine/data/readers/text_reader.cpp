#include "engine/data/readers/text_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/data/mapped_file.h"
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
        if (!line.empty()) {
            use(line, number);
        }
    }
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

std::optional<std::int32_t> labelOf(std::string_view text, const Vocabulary& vocabulary) {
    if (vocabulary.labels.empty()) {
        return integerOf(text);
    }
    const auto found = std::lower_bound(vocabulary.labels.begin(), vocabulary.labels.end(), text);
    if (found == vocabulary.labels.end() || *found != text) {
        return std::nullopt;
    }
    return static_cast<std::int32_t>(found - vocabulary.labels.begin());
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

}  // namespace

Vocabulary readVocabulary(const std::vector<std::filesystem::path>& files, const spec::TextFormat& format) {
    std::map<std::string, std::int64_t> counts;
    std::set<std::string, std::less<>> labels;
    for (const std::filesystem::path& path : files) {
        const MappedFile file(path);
        forEachLine(file.text(), [&](std::string_view line, std::int64_t) {
            const std::size_t tab = line.find('\t');
            if (tab != std::string_view::npos) {
                labels.emplace(line.substr(0, tab));
                forEachWord(line.substr(tab + 1), [&](const std::string& word) { ++counts[word]; });
            }
        });
    }
    std::vector<std::pair<std::string, std::int64_t>> ranked(counts.begin(), counts.end());
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(format.vocabulary - kFirstWord)));
    Vocabulary vocabulary;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        vocabulary.words.emplace(ranked[i].first, static_cast<std::int32_t>(i) + kFirstWord);
    }
    if (std::any_of(labels.begin(), labels.end(), [](const std::string& label) { return !integerOf(label); })) {
        vocabulary.labels.assign(labels.begin(), labels.end());
    }
    return vocabulary;
}

Samples readTexts(const std::vector<std::filesystem::path>& files, const spec::TextFormat& format, const Vocabulary& vocabulary,
                  ReadReport& report) {
    Samples samples;
    std::vector<std::int32_t> rows, labels;
    for (const std::filesystem::path& path : files) {
        const MappedFile file(path);
        const auto begin = static_cast<std::uint32_t>(labels.size());
        forEachLine(file.text(), [&](std::string_view line, std::int64_t number) {
            const std::size_t tab = line.find('\t');
            const std::optional<std::int32_t> label =
                tab == std::string_view::npos ? std::nullopt : labelOf(line.substr(0, tab), vocabulary);
            if (!label) {
                report.bad(path.string() + ":" + std::to_string(number) + ": expected a label of the training file, a tab and a text");
                return;
            }
            labels.push_back(*label);
            appendSequence(line.substr(tab + 1), format, vocabulary, rows);
        });
        samples.files.push_back({begin, static_cast<std::uint32_t>(labels.size())});
    }
    samples.source = samples.label_source = files.empty() ? "data.train_files" : files.front().string();
    if (labels.empty()) {
        report.nothingLeft(samples.source, "line \"label<TAB>text\"");
    }
    samples.count = static_cast<std::int64_t>(labels.size());
    samples.sample_shape = {format.length};
    samples.shape_field = "data.text.length=" + std::to_string(format.length) + " makes them so";
    samples.sample_dtype = tensor::DType::kInt32;
    samples.samples = ByteBuffer(rows.size() * sizeof(std::int32_t));
    std::memcpy(samples.samples.data(), rows.data(), samples.samples.size());
    samples.label_dtype = tensor::DType::kInt32;
    samples.labels = ByteBuffer(labels.size() * sizeof(std::int32_t));
    std::memcpy(samples.labels.data(), labels.data(), samples.labels.size());
    samples.class_names = vocabulary.labels;
    return samples;
}

}  // namespace engine::data
