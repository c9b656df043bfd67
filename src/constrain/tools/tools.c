/*
 * tools.c - the kind "tools": OpenAI's list of functions as texts that call
 * them
 *
 * {"tools": [...], "tool_choice": ..., "parallel_tool_calls": ..., "format":
 * ...}, or the list alone, or one function.  A call is {"name": ...,
 * "arguments": {...}}; format says where it stands: "tool_call" (between
 * <tool_call> and </tool_call>, as Hermes and Qwen write), "json" (by itself,
 * or several in an array), or
 * {"begin": ..., "end": ...}.  A begin with "{name}" in it names the function
 * there, and only its arguments stand between the two.
 *
 * tool_choice: auto is free text with calls in it, required at least one call,
 * a function that is named exactly one call of it, none free text without the
 * words that begin a call.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tools/tools.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is left out, and what is wrong --------------------------------- */

static sortes_status tools_fail(struct srt_tools_reader *r,
                                sortes_status status, const struct srt_json *v,
                                const char *problem)
{
    return srt_tag_refuse(&r->tag, status, v, problem);
}

static sortes_status tools_note(struct srt_tools_reader *r, const char *text)
{
    struct srt_tools_notes *notes = r->notes;
    static const char more[] = "; left out";
    struct srt_tools_note *note =
        malloc(sizeof(*note) + strlen(text) + sizeof(more));

    if (!note)
        return srt_fail(r->tag.err, SORTES_E_NOMEM, 0, "tools: no memory");
    strcpy(note->text, text);
    strcat(note->text, more);
    note->next = NULL;
    if (notes->last)
        notes->last->next = note;
    else
        notes->first = note;
    notes->last = note;
    return SORTES_OK;
}

/* ---- one call ------------------------------------------------------------ */

/* A place with at most one space, or line break, before it. */
static uint32_t tools_gap(struct srt_tools_reader *r, uint32_t from, char blank)
{
    struct srt_tags *t = r->tag.t;
    uint32_t to;

    if (t->program.options.whitespace == SRT_WHITESPACE_NONE)
        return from;
    to = srt_tags_string(t, from, &blank, 1);
    srt_tags_empty(t, from, to);
    return to;
}

static uint32_t tools_word(struct srt_tools_reader *r, uint32_t from,
                           const char *word)
{
    return srt_tags_string(r->tag.t, from, word, strlen(word));
}

/* {"name": "f", "arguments": ; the gaps are a space each, or nothing.  A
 * program that reads the arguments has the last one itself: two ways to read
 * the same blank would be followed side by side from there on. */
static uint32_t tools_head(struct srt_tools_reader *r,
                           const struct srt_tool *tool, uint32_t from)
{
    uint32_t at = tools_gap(r, tools_word(r, from, "{"), ' ');

    at = tools_gap(r, tools_word(r, at, "\"name\""), ' ');
    at = tools_gap(r, tools_word(r, at, ":"), ' ');
    at = tools_gap(r, tools_word(r, at, tool->quoted), ' ');
    at = tools_gap(r, tools_word(r, at, ","), ' ');
    at = tools_gap(r, tools_word(r, at, "\"arguments\""), ' ');
    at = tools_word(r, at, ":");
    return tool->sub && !r->tag.t->program.options.like_llguidance
               ? at
               : tools_gap(r, at, ' ');
}

/* A function without parameters takes an empty object. */
static uint32_t tools_arguments(struct srt_tools_reader *r,
                                const struct srt_tool *tool, uint32_t from)
{
    return tool->sub ? srt_tags_run(r->tag.t, from, tool->sub)
                     : tools_word(
                           r, tools_gap(r, tools_word(r, from, "{"), ' '), "}");
}

/* A call as JSON. */
static uint32_t tools_call(struct srt_tools_reader *r,
                           const struct srt_tool *tool, uint32_t from)
{
    const uint32_t to = tools_arguments(r, tool, tools_head(r, tool, from));

    return tools_word(r, tools_gap(r, to, ' '), "}");
}

/* A call and its tag, of which the first `skip` bytes came already. */
static uint32_t tools_tagged(struct srt_tools_reader *r,
                             const struct srt_tool *tool, size_t skip,
                             uint32_t from)
{
    const struct srt_tools_form *f = &r->form;
    struct srt_tags *t = r->tag.t;
    uint32_t at = srt_tags_string(t, from, f->begin + skip, f->n_begin - skip);

    if (f->names) {
        at = srt_tags_string(t, at, tool->name->text, tool->name->n);
        at = srt_tags_string(t, at, f->behind_name, f->n_behind_name);
        at = tools_arguments(r, tool, at);
    } else {
        at = tools_call(r, tool, f->line_breaks ? tools_gap(r, at, '\n') : at);
        at = f->line_breaks ? tools_gap(r, at, '\n') : at;
    }
    return srt_tags_string(t, at, f->end, f->n_end);
}

/* Any of the calls. */
static void tools_any(struct srt_tools_reader *r, size_t skip, uint32_t from,
                      uint32_t to)
{
    for (size_t i = 0; i < r->n_tools; i++)
        srt_tags_empty(r->tag.t,
                       r->form.json ? tools_call(r, &r->tools[i], from)
                                    : tools_tagged(r, &r->tools[i], skip, from),
                       to);
}

/* ---- how many calls, and what may stand between them --------------------- */

/* Several in an array. */
static void tools_list(struct srt_tools_reader *r, uint32_t from, uint32_t to)
{
    struct srt_tags *t = r->tag.t;
    const uint32_t item = srt_tags_place(t), behind = srt_tags_place(t);
    const uint32_t after = tools_gap(r, behind, ' ');

    srt_tags_empty(t, tools_gap(r, tools_word(r, from, "["), ' '), item);
    srt_tags_empty(t, tools_gap(r, tools_word(r, after, ","), ' '), item);
    srt_tags_empty(t, tools_word(r, after, "]"), to);
    tools_any(r, 0, item, behind);
}

/* Free text, with calls in it or without. */
static sortes_status tools_free_json(struct srt_tools_reader *r)
{
    static const char pattern[] = "(?:[^{\\[\\s][^]*)?";
    const struct srt_tags_text text = {
        "regex", pattern, sizeof(pattern) - 1, "free text", 0, NULL
    };
    uint32_t to = 0;
    const sortes_status status =
        srt_tags_grammar(r->tag.t, r->tag.t->start, &text, &to, r->tag.err);

    srt_tags_empty(r->tag.t, to, r->tag.t->end);
    return status;
}

static void tools_free_tags(struct srt_tools_reader *r)
{
    struct srt_tags *t = r->tag.t;
    const uint32_t behind = srt_tags_place(t), from = srt_tags_place(t);
    const struct srt_tags_word begin = { r->form.begin, r->form.n_begin,
                                         srt_tags_place(t) };
    struct srt_tags_free text = { .max_chars = SRT_TAGS_ANY_LENGTH,
                                  .exit = t->end };

    if (r->choice == SRT_TOOLS_NONE) {
        text.excludes = &begin;
        text.n_excludes = 1;
    } else {
        text.triggers = &begin;
        text.n_triggers = 1;
        tools_any(r, begin.n, begin.to, behind);
    }
    srt_tags_empty(t, t->start, from);
    srt_tags_empty(t, behind, r->parallel ? from : t->end);
    srt_tags_free_text(t, from, &text);
}

static sortes_status tools_build(struct srt_tools_reader *r)
{
    struct srt_tags *t = r->tag.t;
    const bool several = r->parallel && r->choice != SRT_TOOLS_NAMED;
    const bool free_text =
        r->choice == SRT_TOOLS_AUTO || r->choice == SRT_TOOLS_NONE;
    uint32_t behind;

    t->end = srt_tags_place(t);
    if (free_text && !r->form.json) {
        tools_free_tags(r);
        return SORTES_OK;
    }
    if (r->choice != SRT_TOOLS_NONE) {
        behind = srt_tags_place(t);
        tools_any(r, 0, t->start, behind);
        srt_tags_empty(t, behind, t->end);
        if (several && r->form.json)
            tools_list(r, t->start, t->end);
        else if (several)
            srt_tags_empty(t, tools_gap(r, behind, '\n'), t->start);
    }
    return free_text ? tools_free_json(r) : SORTES_OK;
}

/* ---- one function -------------------------------------------------------- */

/* Whether any object will do. */
static bool tools_is_open(const struct srt_json *schema)
{
    const struct srt_json *type = schema->first;

    return schema->type == SRT_JSON_OBJECT &&
           (!type || (schema->n == 1 &&
                      srt_json_equals(type->key, type->n_key, "type") &&
                      type->type == SRT_JSON_STRING &&
                      srt_json_equals(type->text, type->n, "object")));
}

static void tools_put(struct srt_json_writer *w, const char *text)
{
    w->between = false;
    srt_json_put_raw(w, text);
    w->between = false;
}

/* "tool 2 'f': #/tools/2/function"; alone: "'f': #/function". */
static void tools_where(const struct srt_tools_reader *r,
                        const struct srt_tool *tool, const struct srt_json *v,
                        char out[SRT_TOOLS_WHERE])
{
    struct srt_json_writer w;

    srt_json_write_fixed(&w, out, SRT_TOOLS_WHERE);
    if (!r->alone) {
        tools_put(&w, "tool ");
        srt_json_put_unsigned(&w, tool->index);
        tools_put(&w, tool->name ? " " : ": ");
    }
    if (tool->name) {
        tools_put(&w, "'");
        srt_json_put_text(&w, tool->name->text,
                          tool->name->n < 64 ? tool->name->n : 64);
        tools_put(&w, "': ");
    }
    (void)srt_json_write_end(&w);
    if (w.n < SRT_TOOLS_WHERE - SRT_TAG_WHERE)
        srt_tag_where(v, out + w.n);
}

const struct srt_json *srt_tools_parameters(const struct srt_json *tool)
{
    static const char *const names[] = { "parameters", "input_schema",
                                         "inputSchema" };
    const struct srt_json *f = srt_json_find(tool, "function");
    const struct srt_json *found = NULL;

    for (size_t i = 0; i < SRT_COUNT(names) && !found; i++)
        found = srt_json_find(f ? f : tool, names[i]);
    return found;
}

static sortes_status tools_read(struct srt_tools_reader *r,
                                struct srt_tool *tool,
                                const struct srt_json *schema,
                                sortes_error *err)
{
    struct srt_tags *t = r->tag.t;
    char where[SRT_TOOLS_WHERE];
    struct srt_tags_text text = { .kind = "json_schema", .where = where };

    if (!schema)
        return SORTES_OK;
    tools_where(r, tool, schema, where);
    text.offset = schema->offset;
    if (tools_is_open(schema)) {
        text.kind = "json_object";
        text.text = "";
    } else {
        text.text = r->tag.text + schema->offset;
        text.n = schema->length;
    }
    return srt_tags_read(t, &text, &t->program.options, &tool->sub, err);
}

static sortes_status tools_function(struct srt_tools_reader *r,
                                    struct srt_tool *tool,
                                    const struct srt_json *v, sortes_error *err)
{
    const struct srt_json *f = srt_json_find(v, "function");
    const struct srt_json *type = srt_json_find(v, "type");
    char where[SRT_TOOLS_WHERE];
    const char *wrong = NULL;

    f = f ? f : v; /* or all in one object */
    tool->name = srt_json_find(f, "name");
    if (type && (type->type != SRT_JSON_STRING ||
                 !srt_json_equals(type->text, type->n, "function")))
        wrong = "the type is not \"function\"";
    else if (!tool->name || tool->name->type != SRT_JSON_STRING ||
             tool->name->n == 0)
        wrong = "a function has a name";
    if (!wrong)
        return tools_read(r, tool, srt_tools_parameters(v), err);
    if (tool->name && tool->name->type != SRT_JSON_STRING)
        tool->name = NULL;
    tools_where(r, tool, v, where);
    return srt_fail(err, SORTES_E_SYNTAX, v->offset, "tools: %s: %s", where,
                    wrong);
}

/* The one that a choice names, or all. */
static bool tools_is_wanted(const struct srt_tools_reader *r,
                            const struct srt_json *v)
{
    const struct srt_json *f = srt_json_find(v, "function");
    const struct srt_json *name = srt_json_find(f ? f : v, "name");

    return !r->named ||
           (name && name->type == SRT_JSON_STRING && name->n == r->named->n &&
            memcmp(name->text, r->named->text, name->n) == 0);
}

static sortes_status tools_quote(struct srt_tools_reader *r,
                                 struct srt_tool *tool)
{
    struct srt_json_writer w;

    srt_json_write_growing(&w);
    srt_json_put_string(&w, tool->name->text, tool->name->n);
    tool->quoted = srt_json_write_end(&w);
    return tool->quoted
               ? SORTES_OK
               : srt_fail(r->tag.err, SORTES_E_NOMEM, 0, "tools: no memory");
}

/* With lenient, a program that has no text must be found out here. */
static sortes_status tools_try(struct srt_tools_reader *r, size_t n_subs,
                               sortes_error *err)
{
    const struct srt_tags *t = r->tag.t;
    struct srt_alphabet all;
    struct srt_machine *m;
    sortes_error inner = { 0 };
    sortes_status status;

    if (!t->program.options.lenient || t->n_subs == n_subs)
        return SORTES_OK;
    srt_alphabet_fill(&all);
    status = t->subs[n_subs].program->language->build(
        &m, t->subs[n_subs].program, &all, NULL, &inner);
    if (status != SORTES_OK)
        return srt_fail(err, status, t->subs[n_subs].offset, "tools: %s: %s",
                        t->subs[n_subs].where, inner.text);
    srt_shared_release(&m->shared);
    return SORTES_OK;
}

static sortes_status tools_add(struct srt_tools_reader *r, size_t index,
                               const struct srt_json *v)
{
    struct srt_tool *tool = &r->tools[r->n_tools];
    const size_t n_subs = r->tag.t->n_subs;
    sortes_error err = { 0 };
    sortes_status status;

    *tool = (struct srt_tool){ .index = index };
    status = tools_function(r, tool, v, &err);
    if (status == SORTES_OK)
        status = tools_try(r, n_subs, &err);
    if (status == SORTES_OK) {
        status = tools_quote(r, tool);
        r->n_tools += status == SORTES_OK;
        return status;
    }
    if (status != SORTES_E_NOMEM && r->tag.t->program.options.lenient) {
        srt_tags_forget(r->tag.t, n_subs);
        return tools_note(r, err.text);
    }
    return srt_fail(r->tag.err, status, err.offset, "%s", err.text);
}

sortes_status srt_tools_make(struct srt_tools_reader *r,
                             const struct srt_json *list)
{
    const struct srt_json *first = r->alone ? list : list->first;
    sortes_status status = SORTES_OK;
    size_t index = 0;

    r->tools = calloc(list->n + 1, sizeof(*r->tools));
    if (!r->tools)
        return srt_fail(r->tag.err, SORTES_E_NOMEM, 0, "tools: no memory");
    for (const struct srt_json *v = first; v && status == SORTES_OK;
         v = v->next, index++)
        if (tools_is_wanted(r, v))
            status = tools_add(r, index, v);
    if (status == SORTES_OK && r->n_tools == 0 && r->choice != SRT_TOOLS_NONE)
        status = tools_fail(r, SORTES_E_EMPTY, r->named ? r->named : list,
                            r->named  ? "there is no such function"
                            : list->n ? "no tool is left"
                                      : "there are no tools");
    if (status == SORTES_OK)
        status = tools_build(r);
    for (size_t i = 0; i < r->n_tools; i++)
        free(r->tools[i].quoted);
    free(r->tools);
    return status;
}
