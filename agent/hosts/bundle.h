// The archive of this Tandem that other computers get, as installer/bundle.sh makes it: a .tar.gz with bin, lib and share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace agent::hosts {

// A file share/tandem/bundle.json of the archive says this of it.
struct Bundle {
    std::filesystem::path file;
    std::uint64_t bytes = 0;           // of the archive
    std::string sha256;                // of the archive, in hexadecimal
    std::string version;               // of Tandem
    std::string architecture;          // as uname -m names the processor
    std::string glibc;                 // "2.36": the oldest one that has all that the programs need
    std::uint64_t unpacked_bytes = 0;  // on a disk
    friend bool operator==(const Bundle&, const Bundle&) = default;
};

// The name of the archive in the folder share/tandem beside the programs' own.
inline constexpr const char* kBundleFile = "bundle.tar.gz";

// Reads the archive once, for its checksum, and unpacks of it no more than it takes to find bundle.json. Throws Error naming the file:
// kNotFound with how to make one, kInvalidArgument for a file that is no such archive, and what engine::files throws.
Bundle openBundle(const std::filesystem::path& file);

// "0.1.0-1f2e3d4c5b6a": the folder of the bundle on other computers, beside those of other versions.
std::string folderNameOf(const Bundle& bundle);

}  // namespace agent::hosts
