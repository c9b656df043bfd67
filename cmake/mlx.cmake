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
