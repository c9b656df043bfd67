/*
 * version.c - which sortes this is
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#define VERSION_TEXT2(x) #x
#define VERSION_TEXT(x)  VERSION_TEXT2(x)

const char *sortes_version(void)
{
    return VERSION_TEXT(SORTES_VERSION_MAJOR) "." VERSION_TEXT(
        SORTES_VERSION_MINOR) "." VERSION_TEXT(SORTES_VERSION_PATCH);
}
