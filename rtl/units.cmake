# The arithmetic units of the RTL alone: generated sources, a model of decoder and lane, their tests.

set(UNITS sm_isa_pkg sm_decode sm_alu_int sm_alu_fp sm_alu_cvt sm_sfu_rom sm_sfu sm_lane sm_unit_operand sm_unit_bench)

# sm_sfu_rom.sv is part of the sources, so that the RTL can be read and linted as it stands; a test says when it is
# stale. (That of sm_isa_pkg.sv is in tests/asm/test_isa.c.)
add_executable(sfurom sfurom_main.c)
add_test(NAME rtl_sfu_rom_is_fresh COMMAND sh -c "$<TARGET_FILE:sfurom> | cmp - sm_sfu_rom.sv ||
  { echo 'rtl/sm_sfu_rom.sv is out of date: run sfurom > rtl/sm_sfu_rom.sv'; false; }"
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})

# Decoder and lane as a C function, see tests/rtl/rtl_units.h. One step from .sv to a library, as for the machine.
function(rtl_unit_model name)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(OUTPUT ${dir}/V${name}__ALL.a
    COMMAND ${CMAKE_COMMAND} -E env OBJCACHE=${CCACHE} ${VERILATOR} --cc -Wall -sv --top-module sm_unit_bench -O3
            --x-assign fast --x-initial fast --no-assert --prefix V${name} --Mdir ${dir} --build -j 2
            -MAKEFLAGS "OPT_FAST=-O2 OPT_SLOW=-O0" ${CMAKE_CURRENT_SOURCE_DIR}/waivers.vlt ${ARGN}
    COMMAND ${CMAKE_COMMAND} -E touch ${dir}/V${name}__ALL.a
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/waivers.vlt ${ARGN}
    COMMENT "Verilating ${name}" VERBATIM)
  add_custom_target(${name}_model DEPENDS ${dir}/V${name}__ALL.a)
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/tests/rtl/rtl_units.cc)
  add_dependencies(${name} ${name}_model)
  target_include_directories(${name} PRIVATE ${dir} ${PROJECT_SOURCE_DIR}/tests/rtl)
  target_include_directories(${name} SYSTEM PRIVATE ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_compile_definitions(${name} PRIVATE RTL_UNITS=${name} RTL_MODEL=V${name} RTL_MODEL_HEADER="V${name}.h")
  target_link_libraries(${name} INTERFACE ${dir}/V${name}__ALL.a fl_verilated)
endfunction()

set(sources ${UNITS})
list(TRANSFORM sources REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1.sv")
list(TRANSFORM sources REPLACE "/sm_unit_" "/units/sm_unit_")
rtl_unit_model(rtl_units ${sources})

# The same with a mistake in every unit: the tests must find each of them.
set(broken ${UNITS})
list(TRANSFORM broken REPLACE "(.+)" "${CMAKE_CURRENT_BINARY_DIR}/mistakes/\\1.sv")
add_custom_command(OUTPUT ${broken}
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/units/make-mistakes ${CMAKE_CURRENT_BINARY_DIR}/mistakes
  DEPENDS ${sources} units/make-mistakes VERBATIM)
rtl_unit_model(rtl_units_broken ${broken})

pkg_check_modules(CUNIT REQUIRED IMPORTED_TARGET cunit)
add_executable(test_rtl_units ${PROJECT_SOURCE_DIR}/tests/rtl/test_rtl_units.c)
target_include_directories(test_rtl_units PRIVATE ${PROJECT_SOURCE_DIR}/tests/rtl)
target_link_libraries(test_rtl_units PRIVATE fl_tests fl_sm rtl_units rtl_units_broken PkgConfig::CUNIT)
set_target_properties(test_rtl_units PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_compile_definitions(test_rtl_units PRIVATE FAULTLINE_SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared")
add_test(NAME rtl_units COMMAND test_rtl_units)
add_test(NAME rtl_units_all COMMAND test_rtl_units --all)
set_tests_properties(rtl_units_all PROPERTIES LABELS slow)

# All modules through Verilator's lint and yosys, with the sizes of the first model.
list(GET FAULTLINE_RTL_MODELS 0 model)
string(REGEX REPLACE "[^a-zA-Z0-9_]" "_" model ${model})
add_test(NAME rtl_lint COMMAND ${PROJECT_SOURCE_DIR}/scripts/lint-rtl ${CMAKE_CURRENT_BINARY_DIR}/${model}/sm_cfg_pkg.sv)
set_tests_properties(rtl_lint PROPERTIES LABELS slow)
find_program(YOSYS yosys)
if(YOSYS)
  add_test(NAME rtl_proofs COMMAND ${PROJECT_SOURCE_DIR}/scripts/prove-rtl --check tiny)
  set_tests_properties(rtl_proofs PROPERTIES LABELS slow TIMEOUT 3600)
endif()
faultline_tests_may_skip()
