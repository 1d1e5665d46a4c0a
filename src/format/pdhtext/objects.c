// objects.c - the objects of JSON that contain no other objects, and their members
// SPDX-License-Identifier: MIT
//
// `Get-Counter | ConvertTo-Json` and dotnet-counters write one object for each value, inside of others, in many lines or in
// one. What is around these objects does not matter.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/num.h"
#include "base/utf.h"

enum pdht_brace
pmon_pdht_brace(struct pdht_braces *b, char c)
{
	if (b->is_string) {
		b->is_string = b->is_escaped || c != '"';
		b->is_escaped = !b->is_escaped && c == '\\';
		return PDHT_BRACE_NONE;
	}
	b->is_string = c == '"';
	if (c == '{') {
		b->is_open = true;
		return PDHT_BRACE_OPENS;
	}
	if (c != '}' || !b->is_open)
		return PDHT_BRACE_NONE;
	b->is_open = false;
	return PDHT_BRACE_CLOSES;
}

// ---- Members --------------------------------------------------------------------------------

static void
skip_blanks(struct pmon_scan *s)
{
	while (s->at < s->end && strchr(" \t\r\n,:", *s->at) != NULL && *s->at != '\0')
		s->at++;
}

static bool
take_hex(struct pmon_scan *s, uint32_t *out)
{
	*out = 0;
	if (s->end - s->at < 4)
		return false;
	for (int i = 0; i < 4; i++, s->at++) {
		const char *digits = "0123456789abcdef";
		char c = (char)(pmon_is_letter(*s->at) ? *s->at | 0x20 : *s->at);
		const char *digit = c != '\0' ? strchr(digits, c) : NULL;

		if (digit == NULL)
			return false;
		*out = *out * 16 + (uint32_t)(digit - digits);
	}
	return true;
}

static void
put_unit(uint8_t *utf16, uint32_t unit)
{
	utf16[0] = (uint8_t)(unit & 0xFF);
	utf16[1] = (uint8_t)(unit >> 8);
}

// What follows \u, as UTF-8: no more bytes than the escape has. A pair of surrogates is one character.
static bool
take_unicode(struct pmon_scan *s, char **to)
{
	uint8_t utf16[4];
	struct pmon_scan ahead;
	uint32_t unit;
	uint32_t low;
	size_t n = 2;

	if (!take_hex(s, &unit) || unit == 0)
		return false;
	put_unit(utf16, unit);
	ahead = *s;
	if (unit >= 0xD800 && unit < 0xDC00 && pmon_scan_take(&ahead, '\\') &&
	    pmon_scan_take(&ahead, 'u') && take_hex(&ahead, &low) && low >= 0xDC00 &&
	    low < 0xE000) {
		put_unit(utf16 + 2, low);
		*s = ahead;
		n = 4;
	}
	*to += pmon_utf16_to_utf8(utf16, n, *to);
	return true;
}

// After a backslash: the character, which takes no more bytes than its escape.
static bool
take_escape(struct pmon_scan *s, char **to)
{
	static const char from[] = "\"\\/bfnrt";
	static const char into[] = "\"\\/\b\f\n\r\t";
	char next = pmon_scan_peek(s);
	const char *found = next != '\0' ? strchr(from, next) : NULL;

	if (s->at == s->end)
		return false;
	s->at++;
	if (found != NULL) {
		*(*to)++ = into[found - from];
		return true;
	}
	return next == 'u' && take_unicode(s, to);
}

// A string after its quote, unescaped in place.
static bool
take_string(struct pmon_scan *s, char *base, struct pmon_span *out)
{
	const char *start = s->at;
	char *to = base + (s->at - base);

	while (s->at < s->end && *s->at != '"') {
		if (*s->at != '\\') {
			*to++ = *s->at++;
			continue;
		}
		s->at++;
		if (!take_escape(s, &to))
			return false;
	}
	*out = (struct pmon_span){start, (size_t)(to - (base + (start - base)))};
	return pmon_scan_take(s, '"');
}

bool
pmon_pdht_member_next(char *object, size_t len, size_t *at, struct pmon_span *key,
		      struct pmon_span *value)
{
	struct pmon_scan s = {object + *at, object + len};

	skip_blanks(&s);
	if (!pmon_scan_take(&s, '"') || !take_string(&s, object, key))
		return false;
	skip_blanks(&s);
	if (pmon_scan_take(&s, '"')) {
		if (!take_string(&s, object, value))
			return false;
	} else {
		value->ptr = s.at;
		while (s.at < s.end && memchr(" \t\r\n,", *s.at, 5) == NULL)
			s.at++;
		value->len = (size_t)(s.at - value->ptr);
		if (pmon_text_same(*value, PMON_SPAN("null")))
			value->len = 0;
	}
	*at = (size_t)(s.at - object);
	return true;
}
