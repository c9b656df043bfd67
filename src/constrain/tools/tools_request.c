/*
 * tools_request.c - what a request says beside its list of tools
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tools/tools.h"

#include <stdlib.h>
#include <string.h>

static bool request_says(const struct srt_json *v, const char *word)
{
    return v->type == SRT_JSON_STRING && srt_json_equals(v->text, v->n, word);
}

/* ---- the format ---------------------------------------------------------- */

static void request_form_words(struct srt_tools_form *f, const char *begin,
                               size_t n_begin, const char *end, size_t n_end)
{
    static const char name[] = "{name}";

    f->begin = begin;
    f->n_begin = n_begin;
    f->end = end;
    f->n_end = n_end;
    for (size_t i = 0; !f->names && i + sizeof(name) - 1 <= n_begin; i++)
        if (memcmp(begin + i, name, sizeof(name) - 1) == 0) {
            f->names = true;
            f->n_begin = i;
            f->behind_name = begin + i + sizeof(name) - 1;
            f->n_behind_name = n_begin - i - (sizeof(name) - 1);
        }
}

static sortes_status request_form(struct srt_tools_reader *r,
                                  const struct srt_json *v)
{
    static const char begin[] = "<tool_call>", end[] = "</tool_call>";
    const struct srt_json *first = NULL, *last = NULL;
    sortes_status status;

    if (!v || request_says(v, "tool_call")) {
        r->form.line_breaks = true;
        request_form_words(&r->form, begin, sizeof(begin) - 1, end,
                           sizeof(end) - 1);
        return SORTES_OK;
    }
    if (request_says(v, "json")) {
        r->form.json = true;
        return SORTES_OK;
    }
    if (v->type != SRT_JSON_OBJECT)
        return srt_tag_refuse(
            &r->tag, SORTES_E_NAME, v,
            "there is no such format (allowed: \"tool_call\", "
            "\"json\", an object with begin and end)");
    status = srt_tag_field(&r->tag, v, "begin", SRT_JSON_STRING, &first);
    if (status == SORTES_OK)
        status = srt_tag_field(&r->tag, v, "end", SRT_JSON_STRING, &last);
    if (status != SORTES_OK)
        return status;
    request_form_words(&r->form, first->text, first->n, last->text, last->n);
    return r->form.n_begin
               ? SORTES_OK
               : srt_tag_refuse(&r->tag, SORTES_E_SYNTAX, first,
                                "a call must begin with some words");
}

/* ---- the choice ---------------------------------------------------------- */

static sortes_status request_choice(struct srt_tools_reader *r,
                                    const struct srt_json *v)
{
    const struct srt_json *f;

    r->choice = SRT_TOOLS_AUTO;
    if (!v || v->type == SRT_JSON_NULL || request_says(v, "auto"))
        return SORTES_OK;
    if (request_says(v, "none")) {
        r->choice = SRT_TOOLS_NONE;
        return SORTES_OK;
    }
    if (request_says(v, "required")) {
        r->choice = SRT_TOOLS_REQUIRED;
        return SORTES_OK;
    }
    f = srt_json_find(v, "function");
    r->named = srt_json_find(f ? f : v, "name");
    if (!r->named || r->named->type != SRT_JSON_STRING)
        return srt_tag_refuse(&r->tag, SORTES_E_NAME, v,
                              "there is no such choice (allowed: \"none\", "
                              "\"auto\", \"required\", an object that names a "
                              "function)");
    r->choice = SRT_TOOLS_NAMED;
    return SORTES_OK;
}

static sortes_status request_read(struct srt_tools_reader *r,
                                  const struct srt_json *root)
{
    const struct srt_json *list = root;
    sortes_status status = SORTES_OK;

    r->parallel = true;
    r->alone = !srt_json_find(root, "tools") &&
               (srt_json_find(root, "function") ||
                srt_json_find(root, "name") || srt_json_find(root, "type"));
    if (root->type == SRT_JSON_OBJECT && !r->alone) {
        status = srt_tag_field(&r->tag, root, "tools", SRT_JSON_ARRAY, &list);
        if (status == SORTES_OK)
            status = request_choice(r, srt_json_find(root, "tool_choice"));
        if (status == SORTES_OK)
            status = srt_tag_bool(&r->tag, root, "parallel_tool_calls", true,
                                  &r->parallel);
    } else if (root->type != SRT_JSON_ARRAY && !r->alone) {
        return srt_tag_refuse(&r->tag, SORTES_E_SYNTAX, root,
                              "a list of tools is wanted, an object with one, "
                              "or a function");
    }
    if (status == SORTES_OK)
        status =
            request_form(r, r->alone ? NULL : srt_json_find(root, "format"));
    return status == SORTES_OK ? srt_tools_make(r, list) : status;
}

/* ---- the kind ------------------------------------------------------------ */

static void tools_notes_free(struct srt_tools_notes *notes)
{
    while (notes->first) {
        struct srt_tools_note *next = notes->first->next;

        free(notes->first);
        notes->first = next;
    }
}

static void tools_free(struct srt_program *program)
{
    struct srt_tags *t = (struct srt_tags *)program;
    struct srt_tools_notes *notes = t->notes;

    if (notes) {
        tools_notes_free(notes);
        free(notes);
    }
    srt_tags_free(program);
}

static void tools_remark(const struct srt_program *program, srt_remark *each,
                         void *ctx)
{
    const struct srt_tools_notes *notes =
        ((const struct srt_tags *)program)->notes;

    for (const struct srt_tools_note *n = notes->first; n; n = n->next)
        each(ctx, "#", n->text);
    srt_tags_remark(program, each, ctx);
}

static sortes_status tools_parse(struct srt_program **out, const char *text,
                                 size_t n, const struct srt_options *options,
                                 sortes_error *err)
{
    struct srt_json_document document;
    struct srt_tools_reader r = { .tag = { .text = text, .err = err } };
    sortes_error json = { 0 };
    sortes_status status = srt_json_read(&document, text, n, &json);

    *out = NULL;
    if (status != SORTES_OK)
        return srt_fail(err, status, json.offset, "tools: %s", json.text);
    r.tag.t = srt_tags_new(&srt_language_tools, options);
    r.notes = calloc(1, sizeof(*r.notes));
    if (r.tag.t && r.notes) {
        r.tag.t->notes = r.notes;
        status = request_read(&r, document.root);
        if (status == SORTES_OK)
            status = srt_tags_status(r.tag.t, err);
    } else {
        free(r.notes);
        status = srt_fail(err, SORTES_E_NOMEM, 0, "tools: no memory");
    }
    srt_json_free(&document);
    if (status == SORTES_OK)
        *out = &r.tag.t->program;
    else if (r.tag.t)
        tools_free(&r.tag.t->program);
    return status;
}

const struct srt_language srt_language_tools = {
    .name = "tools",
    .parse = tools_parse,
    .build = srt_tags_build,
    .free = tools_free,
    .needs_vocab = srt_tags_needs_vocab,
    .remark = tools_remark,
};
