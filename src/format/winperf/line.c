// line.c - the words of a line of a winperf section
// SPDX-License-Identifier: MIT

#include "format/winperf/winperf.h"

#include <string.h>

#include "base/num.h"
#include "base/scan.h"

#define UNIX_EPOCH   (INT64_C(11644473600) * PMON_TIME_PER_SEC)
#define MIN_SECONDS  INT64_C(300000000)   // 1979: smaller numbers are counters
#define MAX_SECONDS  INT64_C(13569465600) // 2400
#define MAX_OFFSET   INT64_C(0x7FFFFFFF)
#define MAX_TYPENAME 48

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool
pmon_winperf_word(struct pmon_span *line, struct pmon_span *out)
{
	size_t n = 0;

	while (line->len > 0 && is_space(line->ptr[0])) {
		line->ptr++;
		line->len--;
	}
	while (n < line->len && !is_space(line->ptr[n]))
		n++;
	*out = (struct pmon_span){line->ptr, n};
	line->ptr += n;
	line->len -= n;
	return n > 0;
}

bool
pmon_winperf_starts(struct pmon_span line, const char *with)
{
	size_t n = strlen(with);

	return line.len >= n && memcmp(line.ptr, with, n) == 0;
}

// ---- Stamps ---------------------------------------------------------------------------------

// Seconds since 1970.
static bool
read_seconds(struct pmon_span text, pmon_time *out)
{
	struct pmon_scan s = pmon_scan_init(text);
	uint64_t seconds;
	int32_t decimals = 0;

	if (!pmon_scan_u64(&s, &seconds) || seconds < MIN_SECONDS || seconds > MAX_SECONDS)
		return false;
	if (pmon_scan_take(&s, '.'))
		(void)pmon_scan_ticks(&s, &decimals);
	if (s.at != s.end)
		return false;
	*out = UNIX_EPOCH + (int64_t)seconds * PMON_TIME_PER_SEC + decimals;
	return true;
}

bool
pmon_winperf_read_stamp(struct pmon_span line, struct winperf_stamp *out)
{
	struct pmon_span word;
	uint64_t object, frequency;

	*out = (struct winperf_stamp){.time = PMON_TIME_NONE};
	if (!pmon_winperf_word(&line, &word) || !read_seconds(word, &out->time) ||
	    !pmon_winperf_word(&line, &word) || !pmon_num_parse_u64(word, &object) ||
	    object > UINT32_MAX)
		return false;
	out->object = (uint32_t)object;
	if (!pmon_winperf_word(&line, &word))
		return true;
	if (!pmon_num_parse_u64(word, &frequency) || pmon_winperf_word(&line, &word))
		return false;
	out->frequency = frequency <= UINT32_MAX ? (int64_t)frequency : 0;
	return true;
}

// ---- Types ----------------------------------------------------------------------------------

// A type that the agent has no name for: "type(20570500)" hexadecimal by older agents, which also
// cut its values to 32 bits, "type(542573824)" decimal by newer ones. No two known types can be
// taken for each other.
static bool
read_number(struct pmon_span digits, struct winperf_counter *out)
{
	enum pmon_type_form form = pmon_type_parse(digits, &out->type);

	out->is_short = form == PMON_TYPE_FORM_HEX;
	return form != PMON_TYPE_FORM_NONE && form != PMON_TYPE_FORM_NAME;
}

// The agent's names are those of winperf.h in lower case, without PERF_ and mostly without COUNTER_.
static bool
read_name(struct pmon_span name, struct winperf_counter *out)
{
	static const char head[] = "COUNTER_";
	char buf[MAX_TYPENAME];
	size_t n = sizeof(head) - 1;
	const struct pmon_counter_type *type;

	if (name.len > sizeof(buf) - n)
		return false;
	memcpy(buf, head, n);
	memcpy(buf + n, name.ptr, name.len);
	type = pmon_type_by_name((struct pmon_span){buf, n + name.len});
	if (type == NULL)
		type = pmon_type_by_name(name);
	if (type == NULL)
		return false;
	out->type = type->word;
	return true;
}

static bool
read_type(struct pmon_span word, struct winperf_counter *out)
{
	static const char head[] = "type(";
	const size_t n = sizeof(head) - 1;

	if (!pmon_winperf_starts(word, head))
		return read_name(word, out);
	if (word.ptr[word.len - 1] != ')')
		return false;
	return read_number((struct pmon_span){word.ptr + n, word.len - n - 1}, out);
}

// ---- Counters and instances -----------------------------------------------------------------

bool
pmon_winperf_read_counter(struct pmon_span line, struct winperf_counter *out)
{
	struct pmon_span word, last = {NULL, 0};

	*out = (struct winperf_counter){0};
	if (!pmon_winperf_word(&line, &word) || !pmon_num_parse_i64(word, &out->offset) ||
	    out->offset < -MAX_OFFSET || out->offset > MAX_OFFSET)
		return false;
	out->values = line;
	while (pmon_winperf_word(&line, &word)) {
		out->n_values += last.ptr != NULL;
		last = word;
	}
	if (last.ptr == NULL)
		return false;
	out->values.len = (size_t)(last.ptr - out->values.ptr);
	return read_type(last, out);
}

bool
pmon_winperf_read_instances(struct pmon_span line, size_t *n_out, struct pmon_span *names_out)
{
	struct pmon_span word;
	uint64_t n;

	*n_out = 0;
	if (!pmon_winperf_word(&line, &word) || !pmon_num_parse_u64(word, &n) ||
	    !pmon_winperf_word(&line, &word) ||
	    !(pmon_winperf_starts(word, "instances:") || pmon_winperf_starts(word, "instance:")) ||
	    word.ptr[word.len - 1] != ':' || n > SIZE_MAX / sizeof(void *))
		return false;
	*n_out = (size_t)n;
	*names_out = line;
	return true;
}
