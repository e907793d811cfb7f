# Of the back-end for GPUs: compiled for a device into a module, and for the processor, with the emulator, into a library for tests.
file(GLOB TANDEM_CUDA_KERNELS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/backend/cuda/*/*.cu)
set(TANDEM_CUDA_SOURCES backend.cpp bind_op.cpp cuda_executor.cpp cuda_executor_host.cpp cuda_executor_steps.cpp gradient_region.cpp nvidia/trial.cpp packet_writer.cpp
    session.cpp status.cpp step_fault.cpp update_rules.cpp)
list(TRANSFORM TANDEM_CUDA_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/engine/backend/cuda/)
