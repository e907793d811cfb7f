# What Tandem::distributed links beside what the engine does. The installed package includes it; the build finds the same in dependencies.cmake.
find_package(gRPC CONFIG QUIET)
