/*
 * cxx.h - compiles and runs a C++ program, to ask its standard library
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_CXX_H
#define SUPPORT_CXX_H

#include <stdbool.h>

/*
 * Compiles `source` with $CXX, g++, c++ or clang++, whichever comes first, and
 * runs it in the working folder with `arguments` (a shell's words).  False
 * where there is no such compiler, or where the program ends with 77, which
 * says that this is not the library it was written for; any other failure
 * fails the test.
 */
bool cxx_run(const char *source, const char *arguments);

#endif /* SUPPORT_CXX_H */
