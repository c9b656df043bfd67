/*
 * json_out.h - writes JSON, one value after another, to a stream
 *
 * The writer sets commas and colons; the caller opens, names and closes.
 * Output is one line of valid JSON in UTF-8 whatever the strings hold: bytes
 * that are no UTF-8 become U+FFFD, infinities and NaN become null, and each
 * number is the shortest decimal that reads back to the same bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include <stdint.h>
#include <stdio.h>

struct json_out {
    FILE *to;
    int comma; /* the next value needs one before it */
};

void json_out_init(struct json_out *j, FILE *to);

void json_out_open(struct json_out *j, char bracket);  /* '{' or '[' */
void json_out_close(struct json_out *j, char bracket); /* '}' or ']' */

/* The name of the next value, inside an object. */
void json_out_key(struct json_out *j, const char *name);

void json_out_string(struct json_out *j, const char *text, size_t n);
void json_out_text(struct json_out *j, const char *text); /* NUL-terminated */
void json_out_integer(struct json_out *j, int64_t value);
void json_out_unsigned(struct json_out *j, uint64_t value);
void json_out_float(struct json_out *j, float value);
void json_out_double(struct json_out *j, double value);

/* A value that is JSON text already. */
void json_out_raw(struct json_out *j, const char *text);

/* Ends the line. */
void json_out_end(struct json_out *j);

/* The decimals json_out_float and _double write; size 32 is always enough. */
void json_format_float(char *out, size_t size, float value);
void json_format_double(char *out, size_t size, double value);

#endif /* CLI_JSON_OUT_H */
