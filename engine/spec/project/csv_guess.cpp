#include "engine/spec/project/csv_guess.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace engine::spec {
namespace {

constexpr std::size_t kMostLines = 50;

using Line = std::vector<std::string>;

// Whole lines as cells; a line that the end of `text` cuts off is left out, unless it is the only one.
std::vector<Line> linesOf(std::string_view text, char delimiter, bool quotes) {
    std::vector<Line> lines;
    Line line{""};
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size() && lines.size() < kMostLines; ++i) {
        const char letter = text[i];
        if (quotes && letter == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted && letter == '\n') {
            if (line.size() > 1 || !line[0].empty()) lines.push_back(line);
            line = {""};
        } else if (!is_quoted && letter == delimiter) {
            line.emplace_back();
        } else if (letter != '\r') {
            line.back() += letter;
        }
    }
    if (lines.empty() && (line.size() > 1 || !line[0].empty())) lines.push_back(line);
    return lines;
}

bool isNumber(const std::string& cell) {
    const std::size_t begin = cell.find_first_not_of(" \t+");
    if (begin == std::string::npos) return false;
    const std::size_t end = cell.find_last_not_of(" \t") + 1;
    double value = 0;
    const auto [at, error] = std::from_chars(cell.data() + begin, cell.data() + end, value);
    return error == std::errc() && at == cell.data() + end;
}

// Names where a column of numbers begins with a word, or where no cell is a number.
bool hasNames(const std::vector<Line>& lines) {
    const Line& first = lines.front();
    if (std::none_of(first.begin(), first.end(), isNumber)) return true;
    for (std::size_t column = 0; column < first.size(); ++column) {
        if (first[column].empty() || isNumber(first[column]) || lines.size() < 2) continue;
        const bool numbers_below =
            std::all_of(lines.begin() + 1, lines.end(), [&](const Line& line) { return column < line.size() && isNumber(line[column]); });
        if (numbers_below) return true;
    }
    return false;
}

}  // namespace

CsvFormat guessCsv(std::string_view beginning, CsvFormat format) {
    if (beginning.starts_with("\xEF\xBB\xBF")) beginning.remove_prefix(3);
    std::size_t most = 1;
    for (const char candidate : {',', ';', '\t', '|'}) {
        const std::vector<Line> lines = linesOf(beginning, candidate, format.quotes);
        if (lines.empty()) return format;
        const std::size_t cells = lines.front().size();
        const auto as_many = std::count_if(lines.begin(), lines.end(), [&](const Line& line) { return line.size() == cells; });
        // Most of them: a broken line is the reader's to name.
        if (cells > most && static_cast<std::size_t>(as_many) * 4 >= lines.size() * 3) {
            most = cells;
            format.delimiter = candidate;
        }
    }
    format.header = hasNames(linesOf(beginning, format.delimiter.empty() ? ',' : format.delimiter[0], format.quotes));
    return format;
}

}  // namespace engine::spec
