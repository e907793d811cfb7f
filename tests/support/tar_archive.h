// Small .tar.gz archives.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

namespace tests::support {

struct TarMember {
    std::string name;
    std::string bytes;
    std::string link;  // not empty: the member is a symbolic link to this
};

inline void writeTarGz(const std::filesystem::path& file, const std::vector<TarMember>& members) {
    ::archive* made = archive_write_new();
    archive_write_add_filter_gzip(made);
    archive_write_set_format_ustar(made);
    archive_write_open_filename(made, file.c_str());
    for (const TarMember& member : members) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, member.name.c_str());
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_filetype(entry, member.link.empty() ? AE_IFREG : AE_IFLNK);
        archive_entry_set_size(entry, static_cast<la_int64_t>(member.bytes.size()));
        if (!member.link.empty()) {
            archive_entry_set_symlink(entry, member.link.c_str());
        }
        archive_write_header(made, entry);
        archive_write_data(made, member.bytes.data(), member.bytes.size());
        archive_entry_free(entry);
    }
    archive_write_close(made);
    archive_write_free(made);
}

// Bytes that gzip can hardly shrink, as those of photographs.
inline std::string noise(std::size_t size) {
    std::string bytes(size, 0);
    std::uint32_t state = 1;
    for (char& byte : bytes) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<char>(state >> 24U);
    }
    return bytes;
}

}  // namespace tests::support
