# mlx.cmake - finds mlx and mlx-lm: variables SORTES_HAS_MLX, SORTES_MLX_PYTHON
# and SORTES_MLX_DIR
#
# tools/deps knows where they may be (MLX_VENV, our own copy).
#
# SPDX-License-Identifier: MIT
set(SORTES_HAS_MLX OFF)

if(NOT SORTES_MLX STREQUAL "OFF")
    execute_process(
        COMMAND sh ${PROJECT_SOURCE_DIR}/tools/deps --where
        OUTPUT_VARIABLE where OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX MATCH "MLX_PYTHON=([^\n]+)" found "${where}")
    set(SORTES_MLX_PYTHON "${CMAKE_MATCH_1}")
    string(REGEX MATCH "MLX_DIR=([^\n]+)" found "${where}")
    set(SORTES_MLX_DIR "${CMAKE_MATCH_1}")
    if(SORTES_MLX_PYTHON AND SORTES_MLX_DIR)
        set(SORTES_HAS_MLX ON)
        message(STATUS "mlx: ${SORTES_MLX_DIR}")
    elseif(SORTES_MLX STREQUAL "ON")
        message(FATAL_ERROR
                "mlx was not found: run `make deps`, or set MLX_VENV")
    endif()
endif()

# What programs in C need to load the plug-in.
if(UNIX)
    add_library(sortes_mlx_load STATIC EXCLUDE_FROM_ALL
                ${PROJECT_SOURCE_DIR}/plugins/mlx/load.c)
    target_include_directories(sortes_mlx_load PUBLIC
                               ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(sortes_mlx_load PRIVATE sortes_flags
                          PUBLIC ${CMAKE_DL_LIBS})
endif()

# The plug-in itself: C++20, against the headers and the library of one MLX.
if(SORTES_HAS_MLX)
    include(CheckLanguage)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
        enable_language(CXX)
        add_library(sortes_mlx MODULE
                    ${PROJECT_SOURCE_DIR}/plugins/mlx/shim.cpp)
        target_include_directories(sortes_mlx PRIVATE
                                   ${PROJECT_SOURCE_DIR}/include)
        target_include_directories(sortes_mlx SYSTEM PRIVATE
                                   ${SORTES_MLX_DIR}/include)
        target_compile_features(sortes_mlx PRIVATE cxx_std_20)
        target_compile_options(sortes_mlx PRIVATE -Wall -Wextra)
        target_link_libraries(sortes_mlx PRIVATE
            ${SORTES_MLX_DIR}/lib/libmlx${CMAKE_SHARED_LIBRARY_SUFFIX})
        set_target_properties(sortes_mlx PROPERTIES
            CXX_VISIBILITY_PRESET hidden PREFIX "lib")
    endif()
endif()
