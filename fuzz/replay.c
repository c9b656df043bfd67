/*
 * replay.c - runs a fuzz target over the files of a folder, without a fuzzer
 *
 * Each file is handed over in a block of exactly its size, so that a sanitizer
 * sees the first byte read past its end.  The empty input is always tried.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* opendir */

#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    size_t n = 0;
    long size = -1;

    if (!file)
        return -1;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    data = size < 0 ? NULL : malloc(size > 0 ? (size_t)size : 1);
    if (data) {
        rewind(file);
        n = fread(data, 1, (size_t)size, file);
    }
    fclose(file);
    if (!data || n != (size_t)size) {
        free(data);
        return -1;
    }
    LLVMFuzzerTestOneInput(data, n);
    free(data);
    return 0;
}

static int replay_folder(const char *folder, unsigned *count)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    char path[4096];

    if (!dir)
        return -1;
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (replay_file(path) != 0) {
            fprintf(stderr, "replay: %s cannot be read\n", path);
            closedir(dir);
            return -1;
        }
        (*count)++;
    }
    closedir(dir);
    return 0;
}

int main(int argc, char **argv)
{
    static const uint8_t nothing[1];
    unsigned count = 0;
    int i;

    LLVMFuzzerTestOneInput(nothing, 0);
    for (i = 1; i < argc; i++) {
        if (replay_folder(argv[i], &count) != 0)
            return 1;
    }
    printf("%u inputs\n", count);
    return count > 0 ? 0 : 1; /* a target without a corpus tests nothing */
}
