/*
 * tools.h - a list of functions being read
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TOOLS_H
#define SRT_TOOLS_H

#include "constrain/tags/tag_reader.h"

enum srt_tools_choice {
    SRT_TOOLS_AUTO,
    SRT_TOOLS_NONE,
    SRT_TOOLS_REQUIRED,
    SRT_TOOLS_NAMED
};

enum { SRT_TOOLS_WHERE = 280 };

/* Where calls stand. */
struct srt_tools_form {
    bool json;        /* alone, or in an array; nothing else counts then */
    bool line_breaks; /* one may stand inside of the tag, at its ends */
    bool names;       /* the function's name follows begin */
    const char *begin, *behind_name, *end;
    size_t n_begin, n_behind_name, n_end;
};

struct srt_tool {
    size_t index; /* in the list */
    const struct srt_json *name;
    char *quoted; /* the name as JSON */
    uint32_t sub; /* the program of its arguments; 0: it has none */
};

/* Something that was left out. */
struct srt_tools_note {
    struct srt_tools_note *next;
    char text[];
};
struct srt_tools_notes {
    struct srt_tools_note *first, *last;
};

struct srt_tools_reader {
    struct srt_tag_reader tag;
    struct srt_tools_form form;
    enum srt_tools_choice choice;
    const struct srt_json *named; /* the only one that is wanted; NULL: all */
    bool parallel;
    bool alone; /* one function and no list */
    struct srt_tool *tools;
    size_t n_tools;
    struct srt_tools_notes *notes;
};

/* The schema of its arguments: OpenAI's name for it, Anthropic's, or the Model
 * Context Protocol's; NULL: it has none. */
const struct srt_json *srt_tools_parameters(const struct srt_json *tool);

/* Builds the automaton; choice, form and named are set.  list is the function
 * itself if it is alone. */
sortes_status srt_tools_make(struct srt_tools_reader *r,
                             const struct srt_json *list);

#endif /* SRT_TOOLS_H */
