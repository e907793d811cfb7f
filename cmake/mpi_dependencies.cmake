# Open MPI's header and library. Needed to build alone, and by one module alone: libtandem-mpi.so, which a program opens when a project asks
# for MPI.
#
#   TANDEM_MPI        AUTO builds the module where Open MPI is found; ON fails without it, OFF does not look
#   TANDEM_MPI_FOUND  PkgConfig::open_mpi is there
set(TANDEM_MPI AUTO CACHE STRING "Build the module for MPI: AUTO, ON or OFF")
set_property(CACHE TANDEM_MPI PROPERTY STRINGS AUTO ON OFF)
set(TANDEM_MPI_FOUND FALSE)
if(NOT TANDEM_MPI)
  message(STATUS "MPI: not wanted (TANDEM_MPI=${TANDEM_MPI})")
  return()
endif()
pkg_check_modules(open_mpi QUIET IMPORTED_TARGET ompi-c)
if(open_mpi_FOUND)
  set(TANDEM_MPI_FOUND TRUE)
  message(STATUS "MPI: Open MPI ${open_mpi_VERSION}")
elseif(TANDEM_MPI STREQUAL "AUTO")
  message(STATUS "MPI: not found, so libtandem-mpi.so is not built (package libopenmpi-dev)")
else()
  message(FATAL_ERROR "MPI: expected Open MPI's ompi-c.pc for TANDEM_MPI=${TANDEM_MPI} (package libopenmpi-dev), found none")
endif()
