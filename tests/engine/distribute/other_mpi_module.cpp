// A module of another version of Tandem.
#include "engine/distribute/mpi/mpi_functions.h"

extern "C" __attribute__((visibility("default"))) const engine::distribute::mpi::Functions* tandem_mpi_functions() {
    static const engine::distribute::mpi::Functions kOther{.version = engine::distribute::mpi::kFunctionsVersion + 1};
    return &kOther;
}
