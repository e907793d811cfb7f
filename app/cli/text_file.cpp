#include "app/cli/text_file.h"

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <system_error>

#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

constexpr std::size_t kMostMiB = 64, kMost = kMostMiB << 20;

}  // namespace

std::optional<std::string> readAllText(std::istream& in, const std::string& name, std::ostream& err) {
    constexpr std::size_t kAtOnce = 1 << 16;
    std::string text;
    while (in && text.size() <= kMost) {
        const std::size_t before = text.size();
        text.resize(before + kAtOnce);
        in.read(text.data() + before, kAtOnce);
        text.resize(before + static_cast<std::size_t>(in.gcount()));
    }
    if (text.size() > kMost) {
        err << "error: " << name << ": expected a text of at most " << kMostMiB << " MiB, got more\n";
        return std::nullopt;
    }
    return text;
}

std::optional<std::string> readTextFile(const std::filesystem::path& path, std::ostream& err) {
    try {
        return engine::files::readWhole(path, kMost);
    } catch (const engine::Error& error) {
        err << "error: " << error.what() << '\n';
        return std::nullopt;
    }
}

bool writeWholeText(const std::filesystem::path& path, std::string_view text, std::ostream& err) {
    std::error_code failed, ignored;
    const bool in_place = std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
    const bool is_link = std::filesystem::is_symlink(path, ignored);
    const std::filesystem::path goal = is_link ? std::filesystem::weakly_canonical(path, ignored) : path;
    const std::filesystem::path target = in_place ? goal : std::filesystem::path(goal.string() + ".new");
    errno = 0;
    std::ofstream file(target, std::ios::binary);
    file << text;
    file.close();
    if (!file) failed = std::error_code(errno, std::generic_category());
    const bool written = static_cast<bool>(file);
    if (written && !in_place) std::filesystem::rename(target, goal, failed);
    if (written && !failed) return true;
    if (!in_place) std::filesystem::remove(target, ignored);
    err << "error: " << path.string() << ": could not be written" << (failed ? ": " + failed.message() : "") << '\n';
    return false;
}

bool giveText(const std::string& file, std::string_view text, std::ostream& out, std::ostream& err) {
    if (file.empty()) {
        out << text;
        return true;
    }
    if (!writeWholeText(file, text, err)) return false;
    out << file << '\n';
    return true;
}

}  // namespace app::cli
