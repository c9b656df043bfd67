# programs.cmake - what needs libllama beside the program: recorders, benchmark
#
# tools/record_*.c are programs of one file each, and so are those in C++, which
# need a C++ compiler and are left out without one; bench/*.c is one program.
# They share tests/support with the tests, so they are built where tests are.
#
# SPDX-License-Identifier: MIT
function(sortes_llama_program name)
    add_executable(${name} ${ARGN})
    target_include_directories(${name} PRIVATE
        ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    if(TARGET sortes_support)
        target_link_libraries(${name} PRIVATE sortes_support)
    endif()
    target_link_libraries(${name} PRIVATE
        sortes_engine sortes_static sortes_llama sortes_flags
        $<$<BOOL:${MATH_LIBRARY}>:m> Threads::Threads)
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(recorders_cxx ${PROJECT_SOURCE_DIR}/tools/record_*.cpp)
endif()
file(GLOB recorders CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/tools/record_*.c ${recorders_cxx})
foreach(source ${recorders})
    get_filename_component(name ${source} NAME_WE)
    sortes_llama_program(${name} ${source})
endforeach()

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
if(bench_sources)
    sortes_llama_program(sortes_bench ${bench_sources})
    # For the monotonic clock.
    target_compile_definitions(sortes_bench PRIVATE _POSIX_C_SOURCE=200809L)
endif()
