/*
 * machine.h - a schema that was read, as a machine
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_MACHINE_H
#define SRT_JS_MACHINE_H

#include "constrain/json_schema/number.h"

/* schema and options outlive the machine.  A schema that no text satisfies is
 * refused: SORTES_E_EMPTY. */
sortes_status srt_js_build(struct srt_machine **out,
                           const struct srt_schema *schema,
                           const struct srt_options *options,
                           const struct srt_alphabet *alphabet,
                           sortes_error *err);

#endif /* SRT_JS_MACHINE_H */
