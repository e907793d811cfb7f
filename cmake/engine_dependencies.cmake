# What the engine links. The build includes it, and the installed package: a program that links Tandem::engine needs the same.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(leveldb REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
find_package(Protobuf REQUIRED)  # the checkpoint formats need it too
find_package(CURL REQUIRED)
find_package(JPEG REQUIRED)
find_package(LibArchive REQUIRED)
find_package(PNG REQUIRED)
