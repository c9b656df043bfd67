/*
 * json_text.h - the text that a JSON string holds
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_JSON_TEXT_H
#define CLI_JSON_TEXT_H

#include <stddef.h>

/*
 * Decodes in place the one string that text[0 .. n-1] is, blanks around it
 * allowed; *n is then the text's length.  What is wrong with it, NULL:
 * nothing.
 */
const char *json_text_decode(char *text, size_t *n);

#endif /* CLI_JSON_TEXT_H */
