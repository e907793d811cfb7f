// Archives of runs. First byte even: the file itself. Odd: a zip file with a manifest that fits, so that what is in its members is reached:
// a piece of record.json, one of journal.events, then names and contents of further members.
#include <algorithm>
#include <utility>
#include <vector>

#include "agent/archive/manifest.h"
#include "agent/archive/run_archive.h"
#include "engine/checksum/sha256.h"
#include "engine/export/zip_archive.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/temp_dir.h"

namespace {

using agent::archive::RunArchive;

std::string packed(tests::fuzz::Input& input) {
    agent::archive::Manifest manifest{.run = "20261121-100000-7f3a", .host = "node1"};
    std::vector<std::pair<std::string, std::string>> members{
        {"record.json", std::string(input.piece())}, {"journal.events", std::string(input.piece())}, {"project.tandem", "{}"}};
    manifest.events = input.byte();
    manifest.last_sequence = input.byte();
    while (!input.atEnd() && members.size() < 10) {
        std::string name(input.piece());
        name.erase(std::find(name.begin(), name.end(), '\0'), name.end());
        members.emplace_back(name.empty() ? "x" : name, std::string(input.piece()));
    }
    for (const auto& [name, bytes] : members) {
        engine::checksum::Sha256 sum;
        sum.add(bytes.data(), bytes.size());
        manifest.members.push_back({name, sum.hex(), static_cast<std::int64_t>(bytes.size())});
    }
    members.emplace_back("manifest.json", toJson(manifest));
    return engine::exporter::writeZip(members);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const tests::support::TempDir dir;
    const std::filesystem::path file = dir.path() / "a.tandem-run", folder = dir.path() / "out" / "run";
    tests::fuzz::Input input(data, size);
    const bool is_packed = input.byte() % 2 == 1;
    tests::fuzz::expectErrorAtMost([&] {
        tests::fuzz::writeFile(file, is_packed ? packed(input) : input.rest());
        const RunArchive archive(file);
        std::uint64_t last = 0;
        archive.unpack(engine::files::SafeFolder::make(folder),
                       [&](const std::vector<RunArchive::Event>& events) {
                           for (const RunArchive::Event& event : events) {
                               if (event.sequence <= last) tests::fuzz::fail("events out of order");
                               last = event.sequence;
                           }
                       },
                       {});
    });
    std::size_t names = 0;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path())) names += entry.path().filename() != "out" ? 1 : 0;
    if (names > 1) tests::fuzz::fail("something was written beside the folder");
    std::filesystem::remove_all(dir.path() / "out");
    return 0;
}
