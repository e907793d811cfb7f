#include "agent/hosts/ssh_config.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include <glob.h>

#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::hosts {

namespace fs = std::filesystem;

namespace {

constexpr int kMostDepth = 16;
constexpr int kMostFiles = 64;
constexpr std::size_t kMostConfigBytes = 1u << 20, kMostNames = 1000, kLongestName = 255;

fs::path homeFolder() {
    const char* home = std::getenv("HOME");
    return home != nullptr && home[0] == '/' ? fs::path(home) : fs::path();
}

// A line's words: between blanks or in quotes, up to a word that begins with #.
std::vector<std::string> wordsOf(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
        if (std::isspace(static_cast<unsigned char>(line[at])) != 0) {
            ++at;
            continue;
        }
        if (line[at] == '#') {
            break;
        }
        std::string word;
        char quote = 0;
        for (; at < line.size() && (quote != 0 || std::isspace(static_cast<unsigned char>(line[at])) == 0); ++at) {
            const char c = line[at];
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            } else {
                word += c;
            }
        }
        words.push_back(std::move(word));
    }
    return words;
}

// "Host=node1" and "Host = node1" are "Host node1".
std::string withoutEquals(std::string line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::size_t end = line.find_first_of(" \t=\"", begin == std::string::npos ? line.size() : begin);
    const std::size_t next = end == std::string::npos ? end : line.find_first_not_of(" \t", end);
    if (next != std::string::npos && line[next] == '=') {
        line[next] = ' ';
    }
    return line;
}

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool isSingleName(const std::string& word) {
    return !word.empty() && word.size() <= kLongestName && word.front() != '-' && word.find_first_of("*?!%") == std::string::npos &&
           std::all_of(word.begin(), word.end(), [](unsigned char c) { return c > ' ' && c != 0x7f; });
}

class Reader {
public:
    explicit Reader(fs::path folder) : folder_(std::move(folder)) {}

    void read(const fs::path& file, int depth) {
        if (depth > kMostDepth || files_ >= kMostFiles || bytes_ >= kMostConfigBytes) {
            return;
        }
        ++files_;
        std::string text;
        try {
            text = engine::files::readWhole(file, kMostConfigBytes - bytes_);
        } catch (const engine::Error&) {
            return;
        }
        bytes_ += text.size();
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            readLine(line, depth);
        }
    }
    std::vector<std::string> names() && { return std::move(names_); }

private:
    void readLine(const std::string& line, int depth) {
        const std::vector<std::string> words = wordsOf(withoutEquals(line));
        const std::string keyword = words.empty() ? std::string() : lowered(words.front());
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (keyword == "host") {
                add(words[i]);
            } else if (keyword == "include") {
                include(words[i], depth);
            }
        }
    }
    void add(const std::string& word) {
        if (names_.size() < kMostNames && isSingleName(word) && std::find(names_.begin(), names_.end(), word) == names_.end()) {
            names_.push_back(word);
        }
    }
    void include(const std::string& word, int depth) {
        const fs::path pattern = word.starts_with("~/") ? homeFolder() / word.substr(2) : folder_ / word;
        glob_t found{};
        if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
            for (std::size_t i = 0; i < found.gl_pathc; ++i) {
                read(found.gl_pathv[i], depth + 1);
            }
        }
        ::globfree(&found);
    }

    const fs::path folder_;  // where relative includes lie
    std::vector<std::string> names_;
    int files_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace

fs::path sshConfigFile() {
    const fs::path home = homeFolder();
    return home.empty() ? fs::path() : home / ".ssh/config";
}

std::vector<std::string> sshConfigNames(const fs::path& file) {
    Reader reader(file.parent_path());
    reader.read(file, 0);
    return std::move(reader).names();
}

}  // namespace agent::hosts
