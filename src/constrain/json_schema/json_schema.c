/*
 * json_schema.c - the kind "json_schema"
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/machine.h"
#include "constrain/language.h"

#include <stdlib.h>

struct schema_program {
    struct srt_program program; /* first */
    struct srt_schema schema;
};

static void schema_program_free(struct srt_program *program)
{
    struct schema_program *p = (struct schema_program *)program;

    srt_schema_free(&p->schema);
    free(p);
}

static sortes_status schema_parse(struct srt_program **out, const char *text,
                                  size_t n, const struct srt_options *options,
                                  sortes_error *err)
{
    struct schema_program *p = calloc(1, sizeof(*p));
    sortes_status status;

    if (!p)
        return srt_fail(err, SORTES_E_NOMEM, 0, "json_schema: no memory");
    p->program.language = &srt_language_json_schema;
    p->program.options = *options;
    status = srt_schema_read(&p->schema, text, n, options, err);
    if (status != SORTES_OK) {
        free(p);
        return status;
    }
    *out = &p->program;
    return SORTES_OK;
}

static sortes_status schema_build(struct srt_machine **out,
                                  const struct srt_program *program,
                                  const struct srt_alphabet *alphabet,
                                  const sortes_vocab *v, sortes_error *err)
{
    const struct schema_program *p = (const struct schema_program *)program;

    (void)v;
    return srt_js_build(out, &p->schema, &p->program.options, alphabet, err);
}

static void schema_remark(const struct srt_program *program, srt_remark *each,
                          void *ctx)
{
    const struct srt_schema *s =
        &((const struct schema_program *)program)->schema;
    char where[SRT_SCHEMA_WHERE];

    for (uint32_t i = 1; i <= s->notes.n; i++) {
        const struct srt_schema_note *note =
            SRT_SCHEMA_AT(s->notes, struct srt_schema_note, i);

        srt_schema_where(s, note->json, where, sizeof(where));
        each(ctx, where, note->what);
    }
}

const struct srt_language srt_language_json_schema = {
    .name = "json_schema",
    .parse = schema_parse,
    .build = schema_build,
    .free = schema_program_free,
    .remark = schema_remark,
};
