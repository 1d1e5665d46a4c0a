// plan.c - what a counter becomes in OpenMetrics: kinds, units, names
// SPDX-License-Identifier: MIT
//
// A type is kept by writing what it counts, not what it displays: rates as counters, averages and
// shares as two counters to divide, values of one moment as gauges. Ticks become seconds, which is a
// change of unit and no calculation of a value.

#include "format/openmetrics/openmetrics.h"

#include <string.h>

#include "base/text.h"
#include "base/utf.h"
#include "core/calc.h"

// Ticks a second of the clock that the word names.
static int64_t
ticks_of(const struct pmon_series *series)
{
	struct pmon_type_fields fields;

	pmon_type_decode(series->counter.type, &fields);
	if (fields.timer == 1)
		return PMON_TIME_PER_SEC;
	return series->counter.time_base > 0 ? series->counter.time_base : 0;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// Is there this word in the text, alone?
static bool
has_word(struct pmon_span text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.len; i++) {
		size_t k = 0;

		while (k < n && lower(text.ptr[i + k]) == word[k])
			k++;
		if (k == n && (i == 0 || !is_alnum(lower(text.ptr[i - 1]))) &&
		    (i + n == text.len || !is_alnum(lower(text.ptr[i + n]))))
			return true;
	}
	return false;
}

static struct om_part
counter_part(const struct pmon_series *series, const char *what)
{
	return (struct om_part){
		.present = true,
		.is_counter = true,
		.unit = has_word(series->path.counter, "bytes") ? "bytes" : "",
		.what = what,
	};
}

static struct om_part
time_part(const struct pmon_series *series, const char *what)
{
	int64_t ticks = ticks_of(series);

	return (struct om_part){
		.present = true,
		.is_counter = true,
		.ticks = ticks,
		.unit = ticks > 0 ? "seconds" : "ticks",
		.what = what,
	};
}

static struct om_part
gauge_part(const char *unit, const char *what)
{
	return (struct om_part){.present = true, .unit = unit, .what = what};
}

static void
plan_double(const struct pmon_series *series, struct om_plan *plan)
{
	const struct pmon_counter_type *known =
		series->type_known ? pmon_type_by_word(series->known_type) : NULL;
	const char *unit = known != NULL ? known->unit : "";

	plan->is_percent = unit[0] == '%';
	plan->main = gauge_part(plan->is_percent         ? "ratio"
				: strcmp(unit, "s") == 0 ? "seconds"
							 : "",
				"the displayed value");
	plan->main.is_double = true;
}

static void
plan_base(const struct pmon_series *series, struct om_plan *plan)
{
	plan->base_suffix = "_base";
	if (plan->type->second == PMON_SECOND_BASE)
		plan->base = (struct om_part){.present = true,
					      .is_counter = true,
					      .unit = "",
					      .what = "the base to divide by"};
	else if (plan->type->second == PMON_SECOND_TIMESTAMP)
		plan->base = time_part(series, "the time to divide by");
}

static void
plan_fraction(struct om_plan *plan)
{
	plan->base_suffix = "_base";
	plan->main = gauge_part("", "the part");
	plan->base = gauge_part("", "the whole to divide by");
}

bool
pmon_om_plan_make(const struct pmon_series *series, struct om_plan *plan)
{
	const struct pmon_counter_type *type = pmon_type_by_word(series->counter.type);

	*plan = (struct om_plan){.type = type, .base_suffix = ""};
	if (type == NULL)
		return false;
	switch (type->formula) {
	case PMON_FORMULA_NONE:
		return false;
	case PMON_FORMULA_COUNT:
		plan->main = gauge_part(has_word(series->path.counter, "bytes") ? "bytes" : "",
					"the value");
		return true;
	case PMON_FORMULA_DOUBLE:
		plan_double(series, plan);
		return true;
	case PMON_FORMULA_FRACTION:
		plan_fraction(plan);
		return true;
	case PMON_FORMULA_ELAPSED:
		plan->main = gauge_part("seconds", "time since the start");
		plan->main.is_double = true;
		plan->from_value = true;
		return true;
	case PMON_FORMULA_DELTA:
	case PMON_FORMULA_RATE:
		plan->main = counter_part(series, "the count");
		return true;
	case PMON_FORMULA_AVERAGE_TIME:
		plan->main = time_part(series, type->numerator);
		break;
	case PMON_FORMULA_MULTI:
	case PMON_FORMULA_MULTI_INV:
		plan->main = time_part(series, type->numerator);
		plan->base = gauge_part("", "the number of units");
		plan->base_suffix = "_units";
		return true;
	default:
		// Ratios are of time unless they are of a base.
		plan->main = type->second == PMON_SECOND_BASE
				     ? counter_part(series, type->numerator)
				     : time_part(series, type->numerator);
		break;
	}
	plan_base(series, plan);
	return true;
}

// ---- Names ----------------------------------------------------------------------------------

// Words that say how a value is displayed, or a unit that the end of the name says.
static bool
is_left_out(const char *word, size_t len, const struct om_plan *plan)
{
	static const char *const words[] = {"sec", "avg", "total"};
	bool counts = plan->main.is_counter;

	if (len == strlen(plan->main.unit) && memcmp(word, plan->main.unit, len) == 0)
		return true;
	for (size_t i = 0; counts && i < sizeof(words) / sizeof(words[0]); i++)
		if (len == strlen(words[i]) && memcmp(word, words[i], len) == 0)
			return true;
	return false;
}

// The next word of a text in the letters of names; other letters than those of ASCII by their number.
// *slash is set when a slash stands before it. Returns its length, 0 at the end.
static size_t
next_word(struct pmon_span text, size_t *pos, char *word, size_t size, bool *slash)
{
	struct pmon_text t = pmon_text_init(word, size);

	*slash = false;
	while (*pos < text.len) {
		size_t at = *pos;
		uint32_t c = pmon_utf8_next(text, &at);
		char small = c < 0x80 ? lower((char)c) : '\0';

		if (c < 0x80 && !is_alnum(small) && t.len > 0)
			break;
		*pos = at;
		*slash = *slash || c == '/';
		if (c < 0x80 && !is_alnum(small))
			continue;
		if (c < 0x80) {
			pmon_text_char(&t, small);
		} else {
			pmon_text_char(&t, 'u');
			pmon_text_u64(&t, c);
		}
	}
	return t.len < size ? t.len : size - 1;
}

static void
add_words(struct pmon_text *name, struct pmon_span text, const struct om_plan *plan)
{
	char word[OM_NAME_SIZE];
	size_t pos = 0;
	size_t len;
	bool slash;

	while ((len = next_word(text, &pos, word, sizeof(word), &slash)) > 0) {
		if (plan != NULL && is_left_out(word, len, plan))
			continue;
		// "Bytes/Read", but not "I/O"
		if (slash && len > 1)
			pmon_text_str(name, "_per");
		pmon_text_char(name, '_');
		pmon_text_span(name, (struct pmon_span){word, len});
	}
}

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name);
	size_t k = strlen(end);

	return n >= k && memcmp(name + n - k, end, k) == 0;
}

// Endings that OpenMetrics keeps for its own use.
static bool
is_reserved(const char *name)
{
	return ends_with(name, "_total") || ends_with(name, "_count") || ends_with(name, "_sum") ||
	       ends_with(name, "_bucket") || ends_with(name, "_created") ||
	       ends_with(name, "_info");
}

void
pmon_om_plan_name(const struct pmon_series *series, const struct om_plan *plan,
		  char name[OM_NAME_SIZE])
{
	bool idle = plan->type->formula == PMON_FORMULA_PERCENT_INV ||
		    plan->type->formula == PMON_FORMULA_MULTI_INV;
	// room for the endings of bases, of names that are taken, and of counters
	struct pmon_text t = pmon_text_init(name, OM_NAME_SIZE - 64);

	pmon_text_str(&t, "pmon");
	add_words(&t, series->path.object, NULL);
	add_words(&t, series->path.counter, plan);
	t = pmon_text_init(name + strlen(name), OM_NAME_SIZE - strlen(name));
	if (idle)
		pmon_text_str(&t, "_idle");
	if (plan->main.unit[0] != '\0') {
		pmon_text_char(&t, '_');
		pmon_text_str(&t, plan->main.unit);
	} else if (is_reserved(name)) {
		pmon_text_str(&t, "_value");
	}
}
