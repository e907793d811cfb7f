// Finds MPI's module. A program starts, and sums by its own ring, on computers without it.
#pragma once

#include "engine/distribute/mpi/mpi_functions.h"

namespace engine::distribute::mpi {

// Those of libtandem-mpi.so, which is opened now and stays. Any thread. Throws Error(kUnavailable): no module, one that can't be loaded,
// one of another version of Tandem.
const Functions& openFunctions();

}  // namespace engine::distribute::mpi
