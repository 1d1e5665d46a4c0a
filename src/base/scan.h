// scan.h - scan a text from its beginning: characters, digits
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_SCAN_H
#define PMON_BASE_SCAN_H

#include <pmon/base.h>

#define PMON_TICK_DIGITS 7 // decimal places of a second in a pmon_time

// The text that has not been read yet.
struct pmon_scan {
	const char *at;
	const char *end;
};

static inline struct pmon_scan
pmon_scan_init(struct pmon_span text)
{
	return (struct pmon_scan){text.ptr, text.len > 0 ? text.ptr + text.len : text.ptr};
}

static inline bool
pmon_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
pmon_is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// The next character, or NUL at the end.
static inline char
pmon_scan_peek(const struct pmon_scan *s)
{
	return s->at < s->end ? *s->at : '\0';
}

static inline bool
pmon_scan_take(struct pmon_scan *s, char c)
{
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

// Read at most max digits, max <= 9. Returns how many; 0 also if there are more.
static inline int
pmon_scan_digits(struct pmon_scan *s, int max, int32_t *out)
{
	int n = 0;

	*out = 0;
	for (; n < max && pmon_is_digit(pmon_scan_peek(s)); n++)
		*out = *out * 10 + (*s->at++ - '0');
	return pmon_is_digit(pmon_scan_peek(s)) ? 0 : n;
}

// Read a whole run of digits. False if there is none, or the number does not fit; the digits are
// skipped in any case.
static inline bool
pmon_scan_u64(struct pmon_scan *s, uint64_t *out)
{
	const char *start = s->at;
	uint64_t n = 0;
	bool fits = true;

	for (; pmon_is_digit(pmon_scan_peek(s)); s->at++) {
		uint64_t digit = (uint64_t)(*s->at - '0');

		fits = fits && n <= (UINT64_MAX - digit) / 10;
		n = n * 10 + digit;
	}
	*out = n;
	return fits && s->at > start;
}

// Read all decimal places of a second, in 100 ns; further digits are dropped. False if there are
// none.
static inline bool
pmon_scan_ticks(struct pmon_scan *s, int32_t *out)
{
	int n = 0;

	*out = 0;
	for (; pmon_is_digit(pmon_scan_peek(s)); n++, s->at++)
		if (n < PMON_TICK_DIGITS)
			*out = *out * 10 + (*s->at - '0');
	for (int i = n; i < PMON_TICK_DIGITS; i++)
		*out *= 10;
	return n > 0;
}

#endif
