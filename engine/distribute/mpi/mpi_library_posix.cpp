#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "engine/distribute/module_file.h"
#include "engine/distribute/mpi/mpi_library.h"
#include "engine/spec/error.h"

namespace engine::distribute::mpi {
namespace {

[[noreturn]] void refuse(const std::string& fact) {
    throw Error(ErrorCode::kUnavailable, "strategy.communication: expected MPI's module " + std::string(kModule) +
                                             " of this version of Tandem " + "beside the programs, as the package tandem-mpi has it, " +
                                             fact);
}

}  // namespace

const Functions& openFunctions() {
    const std::filesystem::path file = moduleFile(kModule, kModuleVariable);
    if (file.empty()) refuse("found none");
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* why = dlerror();
        refuse("got one that can't be loaded: " + (why == nullptr ? file.string() : std::string(why)));
    }
    const auto entry = reinterpret_cast<ModuleEntry>(dlsym(handle, kModuleEntry));
    const Functions* functions = entry == nullptr ? nullptr : entry();
    if (functions == nullptr || functions->version != kFunctionsVersion) {
        refuse("got " + file.string() + ", whose functions have version " +
               (functions == nullptr ? "none" : std::to_string(functions->version)) + " in place of " + std::to_string(kFunctionsVersion));
    }
    return *functions;
}

}  // namespace engine::distribute::mpi
