// Bundles of a few hundred bytes: their programs are shell scripts.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <sys/utsname.h>

namespace tests::support {

struct SmallBundle {
    std::string version = "1.2.3";
    std::string glibc = "2.17";
    std::string architecture = {};  // empty: this computer's
    std::string unpacked_bytes = "4096";
    std::size_t padding_bytes = 0;  // of noise, which gzip can't shrink
};

// Writes it below `folder`; answers the archive.
inline std::filesystem::path writeBundle(const std::filesystem::path& folder, const SmallBundle& bundle = {}) {
    namespace fs = std::filesystem;
    utsname system{};
    uname(&system);
    const fs::path tree = folder / ("tree-" + bundle.version);
    fs::remove_all(tree);
    fs::create_directories(tree / "bin");
    fs::create_directories(tree / "lib");
    fs::create_directories(tree / "share" / "tandem");
    std::ofstream(tree / "bin" / "tandem-agent") << "#!/bin/sh\necho " << bundle.version << "\n";
    fs::permissions(tree / "bin" / "tandem-agent", fs::perms::owner_all);
    std::ofstream(tree / "share" / "tandem" / "bundle.json")
        << R"({"version": ")" << bundle.version << R"(", "architecture": ")"
        << (bundle.architecture.empty() ? system.machine : bundle.architecture) << R"(", "glibc": ")" << bundle.glibc
        << R"(", "unpacked_bytes": )" << bundle.unpacked_bytes << "}\n";
    const std::string archive = (folder / ("bundle-" + bundle.version + ".tar.gz")).string();
    const std::string command =
        "cd '" + tree.string() + "' && head -c " + std::to_string(bundle.padding_bytes) +
        " /dev/urandom > lib/padding && find bin lib -type f | sort | xargs sha256sum > share/tandem/bundle.sha256 && "
        "tar -czf '" +
        archive + "' bin lib share";
    if (std::system(command.c_str()) != 0) {
        throw std::runtime_error("the bundle could not be made");
    }
    return archive;
}

}  // namespace tests::support
