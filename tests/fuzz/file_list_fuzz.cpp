// The list of a project's files that another computer sends. What is taken for one stays inside its folder, and comes back from its text.
#include <filesystem>

#include "agent/files/file_list.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::expectErrorAtMost([&] {
        const agent::files::FileList list = agent::files::parseFileList({reinterpret_cast<const char*>(data), size});
        const std::filesystem::path folder = "/store";
        for (const agent::files::ListedFile& file : list.files) {
            const std::string inside = (folder / file.name).lexically_normal().string();
            ENGINE_CHECK(inside == folder.string() + "/" + file.name);
        }
        for (const std::string& name : list.folders) {
            ENGINE_CHECK((folder / name).lexically_normal().string() == folder.string() + "/" + name);
        }
        ENGINE_CHECK(agent::files::parseFileList(toText(list)) == list);
        idOf(list);
    });
    return 0;
}
