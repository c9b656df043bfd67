# llama.cmake - finds libllama: target sortes_llama, variable SORTES_HAS_LLAMA
#
# tools/deps knows where libllama may be (LLAMA_DIR, the system, our own copy)
# and what files it needs; this file only asks it.
#
# SPDX-License-Identifier: MIT
set(SORTES_HAS_LLAMA OFF)

if(NOT SORTES_LLAMA STREQUAL "OFF")
    execute_process(
        COMMAND sh ${PROJECT_SOURCE_DIR}/tools/deps --where
        OUTPUT_VARIABLE where OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX MATCH "LLAMA_INCLUDE=([^\n]+)" found "${where}")
    set(llama_include "${CMAKE_MATCH_1}")
    string(REGEX MATCH "LLAMA_LIB=([^\n]+)" found "${where}")
    set(llama_lib "${CMAKE_MATCH_1}")
    string(REGEX MATCH "MODEL=([^\n]+)" found "${where}")
    set(SORTES_MODEL "${CMAKE_MATCH_1}")
    if(llama_include AND llama_lib)
        set(SORTES_HAS_LLAMA ON)
    elseif(SORTES_LLAMA STREQUAL "ON")
        message(FATAL_ERROR
                "libllama was not found: run `make deps`, or set LLAMA_DIR")
    endif()
endif()

if(SORTES_HAS_LLAMA)
    message(STATUS "libllama: ${llama_lib}")
    add_library(sortes_llama INTERFACE)
    target_include_directories(sortes_llama SYSTEM INTERFACE
                               ${llama_include})
    target_link_libraries(sortes_llama INTERFACE
        ${llama_lib}/libllama${CMAKE_SHARED_LIBRARY_SUFFIX}
        ${llama_lib}/libggml${CMAKE_SHARED_LIBRARY_SUFFIX}
        ${llama_lib}/libggml-base${CMAKE_SHARED_LIBRARY_SUFFIX})
endif()
