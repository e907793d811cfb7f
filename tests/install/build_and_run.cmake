# Installs the component `library` of BUILD below SCRATCH, builds SOURCE against it and runs its PROGRAM; with SCRIPT that one by PYTHON,
# which starts the program named by TANDEM_PROGRAM.
file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/prefix)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${prefix} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
                        -DCMAKE_CXX_COMPILER=${COMPILER}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${SCRATCH}/build COMMAND_ERROR_IS_FATAL ANY)
if(SCRIPT)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TANDEM_PROGRAM=${SCRATCH}/build/${PROGRAM} PYTHONDONTWRITEBYTECODE=1 ${PYTHON} ${SOURCE}/${SCRIPT}
                  COMMAND_ERROR_IS_FATAL ANY)
else()
  execute_process(COMMAND ${SCRATCH}/build/${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
endif()
