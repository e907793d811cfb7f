#include "agent/hosts/bundle.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <unistd.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

#include "engine/checksum/sha256.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::hosts {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::string_view kFacts = "share/tandem/bundle.json";
constexpr std::size_t kMostFactsBytes = 64u << 10;
constexpr std::size_t kHashDigitsOfName = 12;

// A header of a tar archive has 512 bytes. The content of a file follows its header, filled up to whole blocks.
constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameAt = 0, kNameBytes = 100, kSizeAt = 124, kSizeBytes = 12, kPrefixAt = 345, kPrefixBytes = 155;

[[noreturn]] void refuse(const fs::path& file, const std::string& got) {
    throw Error(ErrorCode::kInvalidArgument, file.string() + ": expected an archive that installer/bundle.sh has made, got " + got);
}

std::string field(std::string_view header, std::size_t at, std::size_t size) {
    const std::string_view whole = header.substr(at, size);
    return std::string(whole.substr(0, std::min(whole.find('\0'), size)));
}

// A gzip stream, read in order.
class Unpacked {
public:
    explicit Unpacked(const fs::path& file) : name_(file), stream_(gzopen(file.c_str(), "rb"), &gzclose) {
        if (stream_ == nullptr) {
            refuse(file, "a file that can't be read");
        }
    }
    // False at the end of the stream.
    bool read(char* into, std::size_t size) {
        const int got = gzread(stream_.get(), into, static_cast<unsigned>(size));
        if (got < 0) {
            refuse(name_, "broken gzip data");
        }
        return static_cast<std::size_t>(got) == size;
    }
    void skip(std::uint64_t size) {
        std::vector<char> block(64u << 10);
        while (size > 0) {
            const std::size_t piece = std::min<std::uint64_t>(size, block.size());
            if (!read(block.data(), piece)) {
                refuse(name_, "one that ends too early");
            }
            size -= piece;
        }
    }

private:
    const fs::path& name_;
    std::unique_ptr<gzFile_s, int (*)(gzFile)> stream_;
};

std::string factsIn(const fs::path& file) {
    Unpacked stream(file);
    std::array<char, kBlock> bytes{};
    while (stream.read(bytes.data(), bytes.size()) && bytes[0] != '\0') {
        const std::string_view header(bytes.data(), bytes.size());
        const std::string prefix = field(header, kPrefixAt, kPrefixBytes);
        const std::string name = (prefix.empty() ? "" : prefix + "/") + field(header, kNameAt, kNameBytes);
        const std::uint64_t size = std::strtoull(field(header, kSizeAt, kSizeBytes).c_str(), nullptr, 8);
        if (name == kFacts && size <= kMostFactsBytes) {
            std::string text(size, '\0');
            return stream.read(text.data(), size) ? text : "";
        }
        stream.skip((size + kBlock - 1) / kBlock * kBlock);
    }
    refuse(file, "one without " + std::string(kFacts));
}

std::string textOf(const nlohmann::json& facts, const char* key) {
    const auto found = facts.find(key);
    return found != facts.end() && found->is_string() ? found->get<std::string>() : "";
}

// A part of a path and a word of a shell's arguments.
bool isPlain(const std::string& version) {
    return !version.empty() && version.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.+~_") == std::string::npos;
}

}  // namespace

Bundle openBundle(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) {
        throw Error(ErrorCode::kNotFound, file.string() +
                                              ": expected an archive of Tandem for other computers, found none: in the source tree bash "
                                              "installer/bundle.sh FILE.tar.gz makes one, and --bundle FILE.tar.gz names it");
    }
    const engine::files::RegularFile archive(file);
    const nlohmann::json facts = nlohmann::json::parse(factsIn(file), nullptr, false);
    if (!facts.is_object()) {
        refuse(file, "one whose " + std::string(kFacts) + " is no JSON object");
    }
    Bundle bundle{.file = file,
                  .bytes = archive.size(),
                  .sha256 = engine::checksum::sha256Of(archive.descriptor(), file),
                  .version = textOf(facts, "version"),
                  .architecture = textOf(facts, "architecture"),
                  .glibc = textOf(facts, "glibc")};
    const auto unpacked = facts.find("unpacked_bytes");
    bundle.unpacked_bytes = unpacked != facts.end() && unpacked->is_number_unsigned() ? unpacked->get<std::uint64_t>() : 0;
    if (!isPlain(bundle.version) || bundle.architecture.empty() || bundle.glibc.empty()) {
        refuse(file, "one whose " + std::string(kFacts) + " lacks version, architecture or glibc");
    }
    return bundle;
}

std::string folderNameOf(const Bundle& bundle) {
    return bundle.version + "-" + bundle.sha256.substr(0, kHashDigitsOfName);
}

}  // namespace agent::hosts
