# flags.cmake - the flags of every C file: target sortes_flags
#
# -ffp-contract=off is repeated in src/compiler.h, for builds without us.
#
# SPDX-License-Identifier: MIT
add_library(sortes_flags INTERFACE)

if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(sortes_flags INTERFACE -ffp-contract=off)
    set(strict -Wall -Wextra -Wpedantic -Wconversion -Wshadow
        -Wdouble-promotion -Wmissing-prototypes -Wstrict-prototypes -Wvla
        -Wcast-qual -Wundef)
    target_compile_options(sortes_flags INTERFACE
        $<$<COMPILE_LANGUAGE:C>:${strict}>)
    if(SORTES_WERROR)
        target_compile_options(sortes_flags INTERFACE
            $<$<COMPILE_LANGUAGE:C>:-Werror>)
    endif()
endif()

# Sanitizers change what every object and program is, so they are for all.
if(SORTES_SANITIZE)
    add_compile_options(-fsanitize=${SORTES_SANITIZE}
                        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SORTES_SANITIZE})
endif()
if(SORTES_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "SORTES_FUZZ needs clang: CC=clang cmake ...")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
