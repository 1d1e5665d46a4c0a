// unit.c - in what a series is measured, and how much of it a person reads at once
// SPDX-License-Identifier: MIT

#include "draw/unit.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"

#define KB 1024.0
#define MB (1024.0 * 1024.0)
#define GB (1024.0 * 1024.0 * 1024.0)
#define TB (1024.0 * GB)
#define PB (1024.0 * TB)
#define EB (1024.0 * PB)

// Ascending. The unit itself has the size 1.
static const struct draw_multiple counts[] = {{1, ""},    {1e3, "k"},  {1e6, "M"},
					      {1e9, "G"}, {1e12, "T"}, {1e15, "P"}};
static const struct draw_multiple rates[] = {{1, "/s"},    {1e3, "k/s"},  {1e6, "M/s"},
					     {1e9, "G/s"}, {1e12, "T/s"}, {1e15, "P/s"},
					     {1e18, "E/s"}};
static const struct draw_multiple percents[] = {{1, "%"}};
static const struct draw_multiple times[] = {{1e-9, "ns"}, {1e-6, "\xC2\xB5s"}, {1e-3, "ms"},
					     {1, "s"},     {60, "min"},         {3600, "h"},
					     {86400, "d"}};
static const struct draw_multiple bytes[] = {{1, "B"},   {KB, "KB"}, {MB, "MB"}, {GB, "GB"},
					     {TB, "TB"}, {PB, "PB"}, {EB, "EB"}};
static const struct draw_multiple byte_rates[] = {{1, "B/s"},   {KB, "KB/s"}, {MB, "MB/s"},
						  {GB, "GB/s"}, {TB, "TB/s"}, {PB, "PB/s"},
						  {EB, "EB/s"}};

#define LIST(array)                                                                                \
	{                                                                                          \
		array, sizeof(array) / sizeof((array)[0])                                          \
	}
static const struct {
	const struct draw_multiple *list;
	size_t n;
} multiples[DRAW_QUANTITIES] = {
	[DRAW_COUNT] = LIST(counts),     [DRAW_RATE] = LIST(rates),
	[DRAW_PERCENT] = LIST(percents), [DRAW_SECONDS] = LIST(times),
	[DRAW_BYTES] = LIST(bytes),      [DRAW_BYTE_RATE] = LIST(byte_rates),
};

const struct draw_multiple *
draw_multiple_for(enum draw_quantity quantity, double magnitude)
{
	const struct draw_multiple *best = &multiples[quantity].list[0];

	// When all values are 0, seconds are shown as they are, not in the smallest unit.
	if (magnitude == 0 && quantity == DRAW_SECONDS)
		return &times[3];
	for (size_t i = 1; i < multiples[quantity].n; i++)
		if (fabs(magnitude) >= multiples[quantity].list[i].size)
			best = &multiples[quantity].list[i];
	return best;
}

// ---- Names of counters ----------------------------------------------------------------------

static bool
has(struct pmon_span name, const char *pattern)
{
	return pmon_text_match((struct pmon_span){pattern, strlen(pattern)}, name);
}

// Bytes that one unit of a counter of this name is worth; 0 when it does not count bytes.
static double
bytes_of_name(struct pmon_span name)
{
	static const struct {
		const char *pattern;
		double bytes;
	} names[] = {
		{"*kbyte*", KB},    {"*kilobyte*", KB}, {"*(kb)*", KB},      {"*mbyte*", MB},
		{"*megabyte*", MB}, {"*(mb)*", MB},     {"*gbyte*", GB},     {"*gigabyte*", GB},
		{"*(gb)*", GB},     {"*byte*", 1},      {"working set*", 1}, {"commit limit", 1},
	};
	size_t n = sizeof(names) / sizeof(names[0]);

	// All but the last two have a b, which most names do not.
	for (size_t i = has(name, "*b*") ? 0 : n - 2; i < n; i++)
		if (has(name, names[i].pattern))
			return names[i].bytes;
	return 0;
}

// The unit from the name of a counter whose type has no unit, as in a log of displayed values.
static enum draw_quantity
quantity_of_name(struct pmon_span name)
{
	if (has(name, "*%*"))
		return DRAW_PERCENT;
	if (has(name, "* sec/*"))
		return DRAW_SECONDS;
	return has(name, "*/sec") || has(name, "*/s") ? DRAW_RATE : DRAW_COUNT;
}

static enum draw_quantity
quantity_of(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	if (type == NULL || type->formula == PMON_FORMULA_DOUBLE)
		return quantity_of_name(pmon_series_english(series)->counter);
	if (strcmp(type->unit, "%") == 0)
		return DRAW_PERCENT;
	if (strcmp(type->unit, "s") == 0)
		return DRAW_SECONDS;
	return strcmp(type->unit, "/s") == 0 ? DRAW_RATE : DRAW_COUNT;
}

static bool
is_id(struct pmon_span counter)
{
	return pmon_text_same(counter, PMON_SPAN("ID Process")) ||
	       pmon_text_same(counter, PMON_SPAN("ID Thread")) ||
	       pmon_text_same(counter, PMON_SPAN("Creating Process ID"));
}

struct draw_unit
draw_unit_of(const struct pmon_series *series)
{
	struct draw_unit unit = {.quantity = quantity_of(series),
				 .factor = 1,
				 .is_hex = pmon_type_is_hex(pmon_series_type(series)),
				 .is_id = is_id(pmon_series_english(series)->counter)};
	double size;

	if (unit.is_hex || unit.quantity == DRAW_PERCENT || unit.quantity == DRAW_SECONDS)
		return unit;
	size = bytes_of_name(pmon_series_english(series)->counter);
	if (size == 0)
		return unit;
	unit.quantity = unit.quantity == DRAW_RATE ? DRAW_BYTE_RATE : DRAW_BYTES;
	unit.factor = size;
	return unit;
}

// ---- Totals ---------------------------------------------------------------------------------

static const char *
level_unit(enum draw_quantity quantity)
{
	static const char *const units[DRAW_QUANTITIES] = {
		[DRAW_COUNT] = "count-seconds",
		[DRAW_RATE] = "operations", // a displayed rate of unknown type
		[DRAW_PERCENT] = "percent-seconds",
		[DRAW_SECONDS] = NULL, // an average, of an unknown number of operations
		[DRAW_BYTES] = "byte-seconds",
		[DRAW_BYTE_RATE] = "bytes",
	};

	return units[quantity];
}

const char *
draw_total_unit(const struct pmon_series *series, double *factor)
{
	const struct pmon_counter_type *type = pmon_series_type(series);
	struct draw_unit unit = draw_unit_of(series);
	bool has_base = type != NULL && type->second == PMON_SECOND_BASE;
	bool of_bytes = unit.quantity == DRAW_BYTES || unit.quantity == DRAW_BYTE_RATE;

	*factor = of_bytes ? unit.factor : 1;
	switch (type != NULL ? type->formula : PMON_FORMULA_DOUBLE) {
	case PMON_FORMULA_RATE:
		return of_bytes ? "bytes" : "operations";
	case PMON_FORMULA_DELTA:
		return of_bytes ? "bytes" : "count";
	case PMON_FORMULA_RATIO:
		if (has_base)
			return of_bytes ? "bytes" : "count";
		return "count-seconds";
	case PMON_FORMULA_PERCENT:
	case PMON_FORMULA_PERCENT_INV:
		return has_base ? "operations" : "s";
	case PMON_FORMULA_MULTI:
	case PMON_FORMULA_MULTI_INV:
	case PMON_FORMULA_AVERAGE_TIME:
		return "s";
	case PMON_FORMULA_COUNT:
	case PMON_FORMULA_FRACTION:
	case PMON_FORMULA_DOUBLE:
		return level_unit(unit.quantity);
	case PMON_FORMULA_ELAPSED:
	case PMON_FORMULA_NONE:
		break;
	}
	return NULL;
}

// ---- Differences ----------------------------------------------------------------------------

#define LEAST_BYTES 16777216 // of memory and other levels
#define LEAST_SIZE  4096     // of an average per operation

bool
draw_is_large(const struct pmon_series *series, double difference)
{
	static const double least[DRAW_QUANTITIES] = {
		[DRAW_COUNT] = 5,       [DRAW_RATE] = 10,       [DRAW_PERCENT] = 2,
		[DRAW_SECONDS] = 0.001, [DRAW_BYTE_RATE] = 1e5,
	};
	const struct pmon_counter_type *type = pmon_series_type(series);
	struct draw_unit unit = draw_unit_of(series);
	double change = fabs(difference) * unit.factor;

	if (unit.quantity == DRAW_BYTES)
		return change >= (type == NULL || type->formula == PMON_FORMULA_COUNT ? LEAST_BYTES
										      : LEAST_SIZE);
	return change >= least[unit.quantity];
}

// ---- Thresholds -----------------------------------------------------------------------------

static struct pmon_span
last(struct pmon_span text, size_t n)
{
	return (struct pmon_span){text.ptr + text.len - n, n};
}

static bool
find_unit(struct pmon_span name, struct draw_threshold *out)
{
	if (pmon_text_same(name, PMON_SPAN("us")))
		name = PMON_SPAN("\xC2\xB5s");
	if (name.len > 4 && pmon_text_same(last(name, 4), PMON_SPAN("/sec")))
		name.len -= 2;                   // "MB/sec"
	if (name.len == 1 && name.ptr[0] == 'm') // minutes are min, millions M
		return false;
	for (size_t q = 0; q < DRAW_QUANTITIES; q++) {
		for (size_t i = 0; i < multiples[q].n; i++) {
			const struct draw_multiple *m = &multiples[q].list[i];

			if (!pmon_text_same(name, (struct pmon_span){m->name, strlen(m->name)}))
				continue;
			out->quantity = (enum draw_quantity)q;
			out->value *= m->size;
			return true;
		}
	}
	return false;
}

const char *
draw_unit_names(enum draw_quantity quantity)
{
	static const char *const names[DRAW_QUANTITIES] = {
		[DRAW_COUNT] = "k, M, G, T or P",
		[DRAW_RATE] = "/s, k/s, M/s, G/s, T/s or P/s",
		[DRAW_PERCENT] = "%",
		[DRAW_SECONDS] = "ns, us, ms, s, min, h or d",
		[DRAW_BYTES] = "B, KB, MB, GB, TB, PB or EB",
		[DRAW_BYTE_RATE] = "B/s, KB/s, MB/s, GB/s, TB/s, PB/s or EB/s",
	};

	return names[quantity];
}

// Bytes of the number that a text begins with: "1.5e6".
static size_t
number_length(const char *text)
{
	size_t len = strspn(text, "+-.0123456789");
	size_t sign = 0;
	size_t digits;

	if (text[len] == 'e' || text[len] == 'E')
		sign = text[len + 1] == '-' || text[len + 1] == '+' ? 2 : 1;
	digits = sign > 0 ? strspn(text + len + sign, "0123456789") : 0;
	return digits > 0 ? len + sign + digits : len;
}

bool
draw_threshold_parse(const char *text, struct draw_threshold *out)
{
	size_t len = number_length(text);
	struct pmon_span rest = {text + len, strlen(text + len)};
	struct pmon_text copy;

	*out = (struct draw_threshold){.any = rest.len == 0};
	copy = pmon_text_init(out->text, sizeof(out->text));
	pmon_text_str(&copy, text);
	if (copy.len >= sizeof(out->text) ||
	    !pmon_num_parse_double((struct pmon_span){text, len}, &out->value))
		return false;
	if (rest.len > 0 && rest.ptr[0] == ' ')
		rest = (struct pmon_span){rest.ptr + 1, rest.len - 1};
	return out->any || (rest.len > 0 && find_unit(rest, out));
}
