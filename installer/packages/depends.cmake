# Read by cpack for the packages, after the version that they get is known.
set(same_version "(= ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_DESKTOP_PACKAGE_DEPENDS "tandem-agent ${same_version}")
set(CPACK_DEBIAN_GPU_PACKAGE_DEPENDS "tandem-agent ${same_version}")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "tandem-agent ${same_version}")
