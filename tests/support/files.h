/*
 * files.h - files that a test writes into its folder
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <stddef.h>

/* Writes n bytes to a file, in place of what was there. */
void file_write(const char *path, const void *bytes, size_t n);

#endif /* TESTS_FILES_H */
