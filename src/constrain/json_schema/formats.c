/*
 * formats.c - string formats, as patterns of whole strings
 *
 * Sources: RFC 3339 (dates; a leap second is 23:59:60 UTC), RFC 5321 and 6531
 * (mail), RFC 1123 (host names), RFC 2673 and 4291 (addresses), RFC 4122,
 * RFC 3986 and 3987 (URIs, IRIs), RFC 6901 (pointers), RFC 6570 (templates),
 * ISO 8601 by RFC 3339's appendix A (durations).
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"

#include <string.h>

/* Days by month; February 29 in years that divide by 4 and not by 100, or by
 * 400. */
#define F_LEAP                                                                 \
    "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579]"     \
    "[26])00)"
#define F_DATE                                                                 \
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|"            \
    "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"       \
    "|" F_LEAP "-02-29)"
#define F_ZONE     "(?:[zZ]|[+\\-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
#define F_FRACTION "(?:\\.[0-9]+)?"

#define F_PLAIN_TIME                                                           \
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]" F_FRACTION F_ZONE

/* \3: leap seconds, written out by format_leaps. */
#define F_TIME "(?:" F_PLAIN_TIME "|23:59:60" F_FRACTION "[zZ]\3)"

#define F_DURATION                                                             \
    "P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|"      \
    "[0-9]+D)(?:T" F_HMS ")?|T" F_HMS ")"
#define F_HMS "(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"

#define F_LABEL    "[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?"
#define F_HOSTNAME "(?=.{1,253}$)" F_LABEL "(?:\\." F_LABEL ")*"
#define F_BYTE     "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
#define F_IPV4     F_BYTE "(?:\\." F_BYTE "){3}"
#define F_H16      "[0-9a-fA-F]{1,4}"
#define F_LS32     "(?:" F_H16 ":" F_H16 "|" F_IPV4 ")"
#define F_IPV6                                                                 \
    "(?:(?:" F_H16 ":){6}" F_LS32 "|::(?:" F_H16 ":){5}" F_LS32 "|(?:" F_H16   \
    ")?::(?:" F_H16 ":){4}" F_LS32 "|(?:(?:" F_H16 ":){0,1}" F_H16             \
    ")?::(?:" F_H16 ":){3}" F_LS32 "|(?:(?:" F_H16 ":){0,2}" F_H16             \
    ")?::(?:" F_H16 ":){2}" F_LS32 "|(?:(?:" F_H16 ":){0,3}" F_H16             \
    ")?::" F_H16 ":" F_LS32 "|(?:(?:" F_H16 ":){0,4}" F_H16 ")?::" F_LS32      \
    "|(?:(?:" F_H16 ":){0,5}" F_H16 ")?::" F_H16 "|(?:(?:" F_H16               \
    ":){0,6}" F_H16 ")?::)"

#define F_ATEXT        "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\-]"
#define F_QUOTED       "\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\""
#define F_MAIL_ADDRESS "\\[(?:" F_IPV4 "|[iI][pP][vV]6:" F_IPV6 ")\\]"
#define F_EMAIL                                                                \
    "(?:" F_ATEXT "+(?:\\." F_ATEXT "+)*|" F_QUOTED ")@(?:" F_LABEL            \
    "(?:\\." F_LABEL ")*|" F_MAIL_ADDRESS ")"
/* Letters beyond ASCII: anything from U+0080 on. */
#define F_ULABEL                                                               \
    "[a-zA-Z0-9\\u0080-\\u{10FFFF}](?:[a-zA-Z0-9\\-\\u0080-\\u{10FFFF}]{0,61}" \
    "[a-zA-Z0-9\\u0080-\\u{10FFFF}])?"
#define F_UATEXT  "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10FFFF}]"
#define F_UQUOTED "\"(?:[ !#-\\[\\]-~\\u0080-\\u{10FFFF}]|\\\\[ -~])*\""
#define F_IDN_EMAIL                                                            \
    "(?:" F_UATEXT "+(?:\\." F_UATEXT "+)*|" F_UQUOTED ")@(?:" F_ULABEL        \
    "(?:\\." F_ULABEL ")*|" F_MAIL_ADDRESS ")"

#define F_UUID                                                                 \
    "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-"             \
    "[0-9a-fA-F]{12}"

/* RFC 3986: U is what an IRI adds to the unreserved characters, P to the
 * query. */
#define F_PCT      "%[0-9a-fA-F]{2}"
#define F_REG(U)   "(?:[a-zA-Z0-9._~!$&'()*+,;=\\-" U "]|" F_PCT ")"
#define F_PCHAR(U) "(?:[a-zA-Z0-9._~!$&'()*+,;=:@\\-" U "]|" F_PCT ")"
#define F_USER(U)  "(?:(?:[a-zA-Z0-9._~!$&'()*+,;=:\\-" U "]|" F_PCT ")*@)?"
#define F_LITERAL_HOST                                                         \
    "\\[(?:" F_IPV6 "|[vV][0-9a-fA-F]+\\.[a-zA-Z0-9._~!$&'()*+,;=:\\-]+)\\]"
#define F_AUTHORITY(U)                                                         \
    "//" F_USER(U) "(?:" F_LITERAL_HOST "|" F_REG(U) "*)(?::[0-9]*)?"
#define F_ABEMPTY(U)  "(?:/" F_PCHAR(U) "*)*"
#define F_ABSOLUTE(U) "/(?:" F_PCHAR(U) "+" F_ABEMPTY(U) ")?"
#define F_ROOTLESS(U) F_PCHAR(U) "+" F_ABEMPTY(U)
#define F_NOSCHEME(U)                                                          \
    "(?:[a-zA-Z0-9._~!$&'()*+,;=@\\-" U "]|" F_PCT ")+" F_ABEMPTY(U)
#define F_TAIL(U, P)                                                           \
    "(?:\\?(?:[a-zA-Z0-9._~!$&'()*+,;=:@/?\\-" U P "]|" F_PCT ")*)?"           \
    "(?:#(?:[a-zA-Z0-9._~!$&'()*+,;=:@/?\\-" U "]|" F_PCT ")*)?"
#define F_URI_OF(U, P)                                                         \
    "[a-zA-Z][a-zA-Z0-9+.\\-]*:(?:" F_AUTHORITY(U)                             \
        F_ABEMPTY(U) "|" F_ABSOLUTE(U) "|" F_ROOTLESS(U) "|)" F_TAIL(U, P)
#define F_REFERENCE_OF(U, P)                                                   \
    "(?:" F_URI_OF(U, P) "|(?:" F_AUTHORITY(U)                                 \
        F_ABEMPTY(U) "|" F_ABSOLUTE(U) "|" F_NOSCHEME(U) "|)" F_TAIL(U, P) ")"
#define F_UCS                                                                  \
    "\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF\\u{10000}-\\u{1FFFD}"       \
    "\\u{20000}-\\u{2FFFD}\\u{30000}-\\u{3FFFD}\\u{40000}-\\u{4FFFD}"          \
    "\\u{50000}-\\u{5FFFD}\\u{60000}-\\u{6FFFD}\\u{70000}-\\u{7FFFD}"          \
    "\\u{80000}-\\u{8FFFD}\\u{90000}-\\u{9FFFD}\\u{A0000}-\\u{AFFFD}"          \
    "\\u{B0000}-\\u{BFFFD}\\u{C0000}-\\u{CFFFD}\\u{D0000}-\\u{DFFFD}"          \
    "\\u{E1000}-\\u{EFFFD}"
#define F_PRIVATE "\\uE000-\\uF8FF\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}"

#define F_POINTER "(?:/(?:[^~/]|~[01])*)*"
/* Names of a template's variables, with their modifiers. */
#define F_VARCHAR "(?:[a-zA-Z0-9_]|" F_PCT ")"
#define F_VARSPEC F_VARCHAR "(?:\\.?" F_VARCHAR ")*(?::[1-9][0-9]{0,3}|\\*)?"
#define F_TEMPLATE                                                             \
    "(?:[^\\u0000- \"%<>\\\\^`{|}\\u007F-\\u009F]|" F_PCT                      \
    "|\\{[+#./;?&=,!@|]?" F_VARSPEC "(?:," F_VARSPEC ")*\\})*"

/* Where the text goes; out NULL: only its length is wanted. */
struct format_writer {
    char *out;
    size_t n;
};

static void format_put(struct format_writer *w, const char *text, size_t n)
{
    if (w->out)
        memcpy(w->out + w->n, text, n);
    w->n += n;
}

static void format_put_two(struct format_writer *w, unsigned number)
{
    const char digits[2] = { (char)('0' + number / 10 % 10),
                             (char)('0' + number % 10) };

    format_put(w, digits, 2);
}

/* "|hh:mm:60" and the offset that makes it 23:59:60 UTC, for every offset of
 * whole or half hours. */
static void format_leap(struct format_writer *w, unsigned offset, bool minus)
{
    const unsigned day = 24 * 60, utc = day - 1;
    const unsigned local = (utc + (minus ? day - offset : offset)) % day;

    format_put(w, "|", 1);
    format_put_two(w, local / 60);
    format_put(w, ":", 1);
    format_put_two(w, local % 60);
    format_put(w, ":60" F_FRACTION, strlen(":60" F_FRACTION));
    format_put(w, minus ? "-" : "\\+", minus ? 1 : 2);
    format_put_two(w, offset / 60);
    format_put(w, ":", 1);
    format_put_two(w, offset % 60);
}

static void format_expand(struct format_writer *w, const char *pattern,
                          bool iri)
{
    for (const char *at = pattern; *at; at++) {
        if (*at == '\1' || *at == '\2') {
            const char *mark = *at == '\1' ? F_UCS : F_PRIVATE;

            if (iri)
                format_put(w, mark, strlen(mark));
        } else if (*at == '\3') {
            for (unsigned offset = 0; offset < 24 * 60; offset += 30) {
                format_leap(w, offset, false);
                format_leap(w, offset, true);
            }
        } else {
            format_put(w, at, 1);
        }
    }
}

size_t srt_format_expand(const char *pattern, bool iri, char *out)
{
    struct format_writer w = { out, 0 };

    format_expand(&w, pattern, iri);
    return w.n;
}

const char *srt_format_pattern(const char *name, size_t n, bool *refused)
{
    static const struct {
        const char *name, *pattern;
    } formats[] = {
        { "date", F_DATE },
        { "time", F_TIME },
        { "date-time", F_DATE "[tT]" F_TIME },
        { "duration", F_DURATION },
        { "email", F_EMAIL },
        { "idn-email", F_IDN_EMAIL },
        { "hostname", F_HOSTNAME },
        { "ipv4", F_IPV4 },
        { "ipv6", F_IPV6 },
        { "uuid", F_UUID },
        { "uri", F_URI_OF("\1", "\2") },
        { "uri-reference", F_REFERENCE_OF("\1", "\2") },
        { "iri", F_URI_OF("\1", "\2") },
        { "iri-reference", F_REFERENCE_OF("\1", "\2") },
        { "json-pointer", F_POINTER },
        { "relative-json-pointer", "(?:0|[1-9][0-9]*)(?:#|" F_POINTER ")" },
        { "uri-template", F_TEMPLATE },
    };

    *refused = srt_json_equals(name, n, "regex") ||
               srt_json_equals(name, n, "idn-hostname");
    for (size_t i = 0; i < SRT_COUNT(formats); i++)
        if (srt_json_equals(name, n, formats[i].name))
            return formats[i].pattern;
    return NULL;
}
