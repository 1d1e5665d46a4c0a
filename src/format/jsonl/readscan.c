// readscan.c - parse lines in exactly the form that pmon writes, without a library
// SPDX-License-Identifier: MIT
//
// Keys in the writer's order, no spaces, only the escapes \" and \\, integers that a double can
// represent. Anything else is left to the library, which would parse these lines to the same
// members.

#include <string.h>

#include "base/num.h"
#include "base/scan.h"
#include "base/utf.h"
#include "format/jsonl/jsonl.h"

#define MOST_WHOLE UINT64_C(9007199254740992) // 2^53: larger ones are written as strings

#define KEY(name)                                                                                  \
	{                                                                                          \
		name, sizeof(name) - 1                                                             \
	}

const struct pmon_span pmon_jsonl_keys[JSONL_KEYS] = {
	[JSONL_PATH] = KEY("path"),
	[JSONL_TYPE] = KEY("type"),
	[JSONL_TIME] = KEY("time"),
	[JSONL_VALUE] = KEY("value"),
	[JSONL_STATUS] = KEY("status"),
	[JSONL_FIRST] = KEY("first"),
	[JSONL_SECOND] = KEY("second"),
	[JSONL_MULTI] = KEY("multi"),
	[JSONL_TIME_BASE] = KEY("time_base"),
	[JSONL_UNIT] = KEY("unit"),
	[JSONL_SERIES] = KEY("series"),
	[JSONL_SAMPLE] = KEY("sample"),
	[JSONL_STREAM] = KEY("stream"),
	[JSONL_SAMPLE_TIME] = KEY("sample_time"),
	[JSONL_UTC_OFFSET_MIN] = KEY("utc_offset_min"),
	[JSONL_PRECEDING] = KEY("lead_in"),
	[JSONL_LINE] = KEY("line"),
	[JSONL_ORDER] = KEY("order"),
	[JSONL_MACHINE] = KEY("machine"),
	[JSONL_OBJECT] = KEY("object"),
	[JSONL_PARENT] = KEY("parent"),
	[JSONL_INSTANCE] = KEY("instance"),
	[JSONL_INDEX] = KEY("index"),
	[JSONL_COUNTER] = KEY("counter"),
	[JSONL_TYPE_WORD] = KEY("type_word"),
	[JSONL_SIZE] = KEY("size"),
	[JSONL_SCALE] = KEY("scale"),
	[JSONL_WILDCARD] = KEY("wildcard"),
	[JSONL_FORMATTED] = KEY("formatted"),
	[JSONL_KNOWN_TYPE] = KEY("known_type"),
	[JSONL_LOG_WRITER] = KEY("log_writer"),
	[JSONL_LOG_CONVERTER] = KEY("log_converter"),
	[JSONL_LOG_SAMPLED_BY_PMON] = KEY("log_sampled_by_pmon"),
	[JSONL_LOG_MACHINE] = KEY("log_machine"),
	[JSONL_LOG_ZONE] = KEY("log_zone"),
	[JSONL_LOG_START] = KEY("log_start"),
	[JSONL_LOG_END] = KEY("log_end"),
	[JSONL_LOG_LAST] = KEY("log_last"),
	[JSONL_LAST] = KEY("last"),
};

// ---- Values ---------------------------------------------------------------------------------

static bool
take_word(struct pmon_scan *s, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(s->end - s->at) < len || memcmp(s->at, word, len) != 0)
		return false;
	s->at += len;
	return true;
}

// A non-ASCII character that the writer does not escape.
static bool
take_wide(struct pmon_scan *s)
{
	struct pmon_span rest = {s->at, (size_t)(s->end - s->at)};
	size_t len = 0;

	if (rest.len == 0 || (uint8_t)rest.ptr[0] < 0x80 ||
	    pmon_utf_is_unsafe(pmon_utf8_next(rest, &len)))
		return false;
	s->at += len;
	return true;
}

static void
skip_plain(struct pmon_scan *s)
{
	const char *at = s->at;

	while (at < s->end && pmon_utf_is_ascii(*at) && *at != '"' && *at != '\\')
		at++;
	s->at = at;
}

// The rest of a string, after its first quote. Escapes are not replaced.
static bool
take_string(struct pmon_scan *s, struct jsonl_member *member)
{
	const char *start = s->at;

	for (skip_plain(s); !pmon_scan_take(s, '"'); skip_plain(s)) {
		if (pmon_scan_take(s, '\\')) {
			if (!pmon_scan_take(s, '\\') && !pmon_scan_take(s, '"'))
				return false;
			member->is_escaped = true;
		} else if (!take_wide(s)) {
			return false;
		}
	}
	member->kind = JSONL_STRING;
	member->text = (struct pmon_span){start, (size_t)(s->at - 1 - start)};
	return true;
}

static bool
take_digits(struct pmon_scan *s)
{
	const char *start = s->at;

	while (pmon_is_digit(pmon_scan_peek(s)))
		s->at++;
	return s->at > start;
}

// The decimals and exponent of a number, if any.
static bool
take_fraction(struct pmon_scan *s)
{
	if (pmon_scan_take(s, '.') && !take_digits(s))
		return false;
	if (!pmon_scan_take(s, 'e'))
		return true;
	if (!pmon_scan_take(s, '-'))
		(void)pmon_scan_take(s, '+');
	return take_digits(s);
}

static bool
take_number(struct pmon_scan *s, struct jsonl_member *member)
{
	const char *start = s->at;
	bool is_negative = pmon_scan_take(s, '-');
	const char *digits = s->at;
	const char *end;
	uint64_t n;

	if (!pmon_scan_u64(s, &n) || n > MOST_WHOLE || (*digits == '0' && s->at - digits > 1))
		return false;
	member->kind = JSONL_INTEGER;
	member->integer = is_negative ? -(int64_t)n : (int64_t)n;
	end = s->at;
	if (!take_fraction(s))
		return false;
	if (s->at == end)
		return true;
	member->kind = JSONL_REAL;
	return pmon_num_parse_double((struct pmon_span){start, (size_t)(s->at - start)},
				     &member->real);
}

static bool
take_value(struct pmon_scan *s, struct jsonl_member *member)
{
	if (pmon_scan_take(s, '"'))
		return take_string(s, member);
	member->kind = JSONL_NULL;
	if (take_word(s, "null"))
		return true;
	member->kind = JSONL_TRUE;
	return take_word(s, "true") || take_number(s, member);
}

// ---- Lines ----------------------------------------------------------------------------------

static bool
is_key(struct pmon_span key, struct pmon_span text)
{
	return key.len == text.len && memcmp(key.ptr, text.ptr, text.len) == 0;
}

// A key after *key in the writer's order, with its colon.
static bool
take_key(struct pmon_scan *s, size_t *key)
{
	struct pmon_span text;
	const char *end;

	if (!pmon_scan_take(s, '"'))
		return false;
	end = memchr(s->at, '"', (size_t)(s->end - s->at));
	if (end == NULL)
		return false;
	text = (struct pmon_span){s->at, (size_t)(end - s->at)};
	while (*key < JSONL_KEYS && !is_key(pmon_jsonl_keys[*key], text))
		(*key)++;
	s->at = end + 1;
	return *key < JSONL_KEYS && pmon_scan_take(s, ':');
}

// In place, since the text becomes shorter.
static void
unescape(char *text, struct jsonl_member *member)
{
	size_t n = 0;

	for (size_t i = 0; i < member->text.len; i++) {
		if (text[i] == '\\')
			i++;
		text[n++] = text[i];
	}
	member->text.len = n;
}

bool
pmon_jsonl_scan(struct jsonl_members *members, char *text, size_t len)
{
	struct pmon_scan s = {text, text + len};
	size_t key = 0;

	*members = (struct jsonl_members){0};
	if (len > 0 && text[len - 1] == '\n')
		s.end--;
	if (!pmon_scan_take(&s, '{'))
		return false;
	do {
		if (!take_key(&s, &key) || !take_value(&s, &members->list[key]))
			return false;
		key++;
	} while (pmon_scan_take(&s, ','));
	if (!pmon_scan_take(&s, '}') || s.at != s.end)
		return false;
	for (size_t i = 0; i < key; i++)
		if (members->list[i].is_escaped)
			unescape(text + (members->list[i].text.ptr - text), &members->list[i]);
	return true;
}
