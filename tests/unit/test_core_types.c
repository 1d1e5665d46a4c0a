// test_core_types.c - the table of counter types and the fields of a type word
// SPDX-License-Identifier: MIT

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include <pmon/counter.h>

#include "t.h"

// A row of types.tsv. The names of the fields are winperf.h's without their prefixes.
struct expected {
	uint32_t word;
	const char *name;
	const char *size;
	const char *type;
	const char *subtype;
	const char *timer;
	const char *modifiers;
	const char *display;
	const char *base; // type of the base that must follow, or NULL
	const char *unit;
	bool displayed;
};

static struct t_csv file; // whose texts the rows point to
static struct expected types[64];
static size_t n_types;

static const char *
or_else(const char *text, const char *other)
{
	return strcmp(text, "-") == 0 ? other : text;
}

static int
read_types(void **state)
{
	(void)state;
	t_csv_open_vectors(&file, "types.tsv");
	while (t_csv_next(&file)) {
		assert_true(n_types < T_LEN(types));
		types[n_types++] = (struct expected){
			.word = (uint32_t)strtoul(t_csv_get(&file, "word"), NULL, 16),
			.name = t_csv_get(&file, "name"),
			.size = t_csv_get(&file, "size"),
			.type = t_csv_get(&file, "type"),
			.subtype = t_csv_get(&file, "subtype"),
			.timer = t_csv_get(&file, "timer"),
			.modifiers = t_csv_get(&file, "modifiers"),
			.display = t_csv_get(&file, "display"),
			.base = or_else(t_csv_get(&file, "base"), NULL),
			.unit = or_else(t_csv_get(&file, "unit"), ""),
			.displayed = strcmp(t_csv_get(&file, "formula"), "-") != 0,
		};
	}
	return 0;
}

static int
free_types(void **state)
{
	(void)state;
	t_csv_close(&file);
	return 0;
}

static void
skip_prefix(const char **text, const char *prefix)
{
	if (strncmp(*text, prefix, strlen(prefix)) == 0)
		*text += strlen(prefix);
}

// "PERF_SIZE_DWORD" as "DWORD", "PERF_OBJECT_TIMER" as "OBJECT".
static void
check_field(const char *got, const char *prefix, const char *want, const char *label)
{
	if (strcmp(got, "PERF_OBJECT_TIMER") == 0)
		got = "PERF_TIMER_OBJECT";
	assert_true(strncmp(got, "PERF_", 5) == 0);
	skip_prefix(&got, prefix);
	T_EQ_STR_AT(got, want, label);
}

static void
check_modifiers(const struct pmon_type_fields *fields, const char *want, const char *label)
{
	char got[64] = "";

	if (fields->delta_counter)
		strcat(got, "+DELTA");
	if (fields->delta_base)
		strcat(got, "+DELTA_BASE");
	if (fields->inverse)
		strcat(got, "+INVERSE");
	if (fields->multi)
		strcat(got, "+MULTI");
	T_EQ_STR_AT(got[0] != '\0' ? got + 1 : "-", want, label);
}

static void
check_fields(const struct expected *want)
{
	struct pmon_type_fields fields;
	const char *subtype;

	pmon_type_decode(want->word, &fields);
	subtype = pmon_type_subtype_name(&fields);
	skip_prefix(&subtype, "PERF_NUMBER_");
	skip_prefix(&subtype, "PERF_COUNTER_");
	skip_prefix(&subtype, "PERF_TEXT_");
	check_field(pmon_type_size_name(&fields), "PERF_SIZE_", want->size, want->name);
	check_field(pmon_type_type_name(&fields), "PERF_TYPE_", want->type, want->name);
	T_EQ_STR_AT(subtype, want->subtype, want->name);
	check_field(pmon_type_timer_name(&fields), "PERF_TIMER_", want->timer, want->name);
	check_field(pmon_type_display_name(&fields), "PERF_DISPLAY_", want->display, want->name);
	check_modifiers(&fields, want->modifiers, want->name);
	T_EQ_U64_AT(fields.ordinal, want->word & 0xFF, want->name);
	T_EQ_BOOL_AT(fields.histogram, want->word >> 31, want->name);
}

static const struct pmon_counter_type *
find(uint32_t word, const char *name)
{
	for (size_t i = 0; i < pmon_type_count(); i++)
		if (pmon_type_at(i)->word == word && strcmp(pmon_type_at(i)->name, name) == 0)
			return pmon_type_at(i);
	return NULL;
}

static void
check_type(const struct expected *want)
{
	const struct pmon_counter_type *type = find(want->word, want->name);

	if (type == NULL)
		fail_msg("no row for 0x%08X %s", want->word, want->name);
	T_EQ_STR_AT(type->base_name, want->base, want->name);
	T_EQ_STR_AT(type->unit, want->unit, want->name);
	T_EQ_BOOL_AT(type->formula != PMON_FORMULA_NONE, want->displayed, want->name);
	T_EQ_BOOL_AT(pmon_type_is_displayed(want->word), want->displayed, want->name);
	T_EQ_U64_AT(pmon_type_by_word(want->word)->word, want->word, want->name);
	T_EQ_STR_AT(pmon_type_by_name(t_span(want->name))->name, want->name, want->name);
}

static void
test_types_of_winperf_h(void **state)
{
	(void)state;
	T_EQ_U64(pmon_type_count(), n_types);
	for (size_t i = 0; i < n_types; i++) {
		check_type(&types[i]);
		if (types[i].word != PMON_PERF_COUNTER_HISTOGRAM_TYPE)
			check_fields(&types[i]);
	}
}

// The meaning of the second raw value, in the terms of types.tsv.
static const char *
second_name(enum pmon_second second)
{
	static const char *const names[] = {
		[PMON_SECOND_NONE] = "-",
		[PMON_SECOND_PERFTIME] = "performance clock",
		[PMON_SECOND_100NS] = "100 ns clock",
		[PMON_SECOND_OBJECT] = "object's clock",
		[PMON_SECOND_BASE] = "base",
		[PMON_SECOND_TIMESTAMP] = "time stamp",
	};

	return names[second];
}

static const char *
samples_of(const struct pmon_counter_type *type)
{
	struct pmon_counter counter = {.type = type->word};
	struct pmon_calc calc;

	if (type->formula == PMON_FORMULA_NONE)
		return "-";
	pmon_calc_init(&calc, &counter, NULL);
	return pmon_calc_needs_two(&calc) ? "2" : "1";
}

static void
check_formulas(const struct t_csv *csv)
{
	const char *name = t_csv_get(csv, "name");
	const char *also = t_csv_get(csv, "also");
	uint32_t word = (uint32_t)strtoul(t_csv_get(csv, "word"), NULL, 16);
	const struct pmon_counter_type *type = find(word, name);

	assert_non_null(type);
	T_EQ_STR_AT(type->formula_text, or_else(t_csv_get(csv, "formula"), ""), name);
	T_EQ_STR_AT(type->average_text, or_else(t_csv_get(csv, "average"), ""), name);
	T_EQ_STR_AT(second_name(type->second), t_csv_get(csv, "second"), name);
	T_EQ_STR_AT(samples_of(type), t_csv_get(csv, "samples"), name);
	if (type->second == PMON_SECOND_BASE)
		T_EQ_STR_AT(type->base_32bit ? "32" : "64", t_csv_get(csv, "base_bits"), name);
	T_EQ_STR_AT(type->alias, or_else(also, NULL), name);
	if (type->alias != NULL)
		assert_ptr_equal(pmon_type_by_name(t_span(also)), type);
}

static void
test_formulas(void **state)
{
	struct t_csv csv;

	(void)state;
	t_csv_open_vectors(&csv, "types.tsv");
	while (t_csv_next(&csv))
		check_formulas(&csv);
	t_csv_close(&csv);
}

// ---- vectors/types.csv -------------------------------------------------------------------------

// The text up to the first space, in a buffer that the next call with the same buffer overwrites.
static const char *
first_word(const char *text, char buf[64])
{
	size_t n = strcspn(text, " ");

	assert_true(n < 64);
	memcpy(buf, text, n);
	buf[n] = '\0';
	return buf;
}

static const char *
unit_of_suffix(const char *suffix)
{
	if (strcmp(suffix, "/sec") == 0)
		return "/s";
	return strcmp(suffix, "sec") == 0 ? "s" : suffix;
}

// Is the type one whose values the file computes ("not computed ...", "no number; ...")?
static bool
has_formula(const char *formula)
{
	return strncmp(formula, "not computed", 12) != 0 && strncmp(formula, "no number", 9) != 0;
}

// The file's other columns: times 100, number of samples, capped, time base, in decimal.
static void
check_columns(const struct t_csv *csv, const struct expected *want)
{
	const struct pmon_counter_type *type = find(want->word, want->name);
	struct pmon_counter counter = {.type = want->word, .time_base = 1};
	const char *multi = t_csv_get(csv, "multi");
	struct pmon_calc calc;
	bool x100 = strcmp(t_csv_get(csv, "x100"), "yes") == 0;

	pmon_calc_init(&calc, &counter, NULL);
	T_EQ_U64_AT(strtoull(t_csv_get(csv, "dec"), NULL, 10), want->word, want->name);
	T_EQ_U64_AT(strtoull(t_csv_get(csv, "low_byte"), NULL, 16), want->word & 0xFF, want->name);
	T_EQ_BOOL_AT(strncmp(type->formula_text, "100 * ", 6) == 0, x100, want->name);
	T_EQ_BOOL_AT(strncmp(type->average_text, "100 * ", 6) == 0 ||
			     strncmp(type->average_text, "sum(100 * ", 10) == 0,
		     x100, want->name);
	T_EQ_BOOL_AT(pmon_calc_needs_two(&calc), t_csv_get(csv, "samples")[0] == '2', want->name);
	T_EQ_BOOL_AT(strncmp(multi, "MULTI_BASE", 10) == 0,
		     type->base_name != NULL &&
			     strcmp(type->base_name, "PERF_COUNTER_MULTI_BASE") == 0,
		     want->name);
}

static void
check_csv_row(const struct t_csv *csv)
{
	char name[64];
	char base[64];
	struct expected want = {
		.word = (uint32_t)strtoul(t_csv_get(csv, "hex"), NULL, 16),
		.name = first_word(t_csv_get(csv, "name"), name),
		.size = t_csv_get(csv, "size"),
		.type = t_csv_get(csv, "type"),
		.subtype = t_csv_get(csv, "subtype"),
		.timer = t_csv_get(csv, "timer"),
		.modifiers = t_csv_get(csv, "modifiers"),
		.display = t_csv_get(csv, "display"),
		.base = first_word(t_csv_get(csv, "base"), base),
		.unit = unit_of_suffix(t_csv_get(csv, "suffix")),
		.displayed = has_formula(t_csv_get(csv, "formula")),
	};

	// "none in PDH; SAMPLE_BASE per WMI/CE/RK pages" is PERF_SAMPLE_COUNTER.
	if (want.base[0] == '\0' || strcmp(want.base, "none") == 0)
		want.base = NULL;
	check_type(&want);
	check_columns(csv, &want);
	// The file has no fields for the histogram type: its bit 31 is outside of all of them.
	if (strcmp(want.size, "(n/a)") != 0)
		check_fields(&want);
}

// The divisor of a type: its clock by the timer field, or the base that follows it.
static void
check_second(const struct t_csv *csv)
{
	uint32_t word = (uint32_t)strtoul(t_csv_get(csv, "hex"), NULL, 16);
	const struct pmon_counter_type *type = pmon_type_by_word(word);
	const char *second = t_csv_get(csv, "second");
	enum pmon_second want = PMON_SECOND_NONE;

	if (strcmp(second, "PerfTime") == 0)
		want = PMON_SECOND_PERFTIME;
	else if (strcmp(second, "PerfTime100nSec") == 0)
		want = PMON_SECOND_100NS;
	else if (strcmp(second, "object PerfTime") == 0)
		want = PMON_SECOND_OBJECT;
	else if (strcmp(second, "PRECISION_TIMESTAMP value") == 0)
		want = PMON_SECOND_TIMESTAMP;
	else if (strstr(second, "_BASE") != NULL)
		want = PMON_SECOND_BASE;
	T_EQ_I64_AT(type->second, want, type->name);
	if (want == PMON_SECOND_BASE) // a DWORD unless it is PERF_LARGE_RAW_BASE
		T_EQ_BOOL_AT(type->base_32bit, strcmp(second, "LARGE_RAW_BASE") != 0, type->name);
}

static void
test_types_csv(void **state)
{
	struct t_csv csv;
	size_t n = 0;

	(void)state;
	t_csv_open_data(&csv, "vectors/types.csv");
	while (t_csv_next(&csv)) {
		check_csv_row(&csv);
		check_second(&csv);
		n++;
	}
	T_EQ_U64(n, 42);
	T_EQ_U64(n, pmon_type_count());
	t_csv_close(&csv);
}

// ---- The order of the table, names, words ------------------------------------------------------

static void
test_table_is_sorted_and_complete(void **state)
{
	(void)state;
	assert_null(pmon_type_at(pmon_type_count()));
	assert_null(pmon_type_at(SIZE_MAX));
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		if (i > 0)
			assert_true(pmon_type_at(i - 1)->word <= type->word);
		assert_non_null(type->unit);
		assert_non_null(type->formula_text);
		assert_non_null(type->average_text);
		assert_non_null(type->numerator);
		assert_true(type->meaning[0] != '\0');
		assert_true(type->source[0] != '\0');
		T_EQ_BOOL_AT(type->formula_text[0] == '\0', type->formula == PMON_FORMULA_NONE,
			     type->name);
		T_EQ_BOOL_AT(type->average_text[0] == '\0', type->formula == PMON_FORMULA_NONE,
			     type->name);
		T_EQ_BOOL_AT(strstr(type->formula_text, "/ F)") != NULL ||
				     strstr(type->formula_text, "/ F") != NULL,
			     type->formula == PMON_FORMULA_RATE ||
				     type->formula == PMON_FORMULA_AVERAGE_TIME ||
				     type->formula == PMON_FORMULA_ELAPSED,
			     type->name);
	}
}

static void
to_lower(char *text)
{
	for (; *text != '\0'; text++)
		*text = (char)tolower((unsigned char)*text);
}

static void
test_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_types; i++) {
		const struct pmon_counter_type *type = pmon_type_by_name(t_span(types[i].name));
		char mixed[64];

		assert_non_null(type);
		snprintf(mixed, sizeof(mixed), "%s", types[i].name);
		to_lower(mixed);
		assert_ptr_equal(pmon_type_by_name(t_span(mixed)), type);
		assert_ptr_equal(pmon_type_by_name(t_span(mixed + 5)), type); // without "perf_"
		mixed[6] = (char)toupper((unsigned char)mixed[6]);
		assert_ptr_equal(pmon_type_by_name(t_span(mixed)), type);
		assert_ptr_equal(pmon_type_by_name(t_span(types[i].name + 5)), type);
		// One letter more or less is another name.
		mixed[strlen(mixed) - 1] = '\0';
		assert_null(pmon_type_by_name(t_span(mixed)));
		strcat(mixed, "??");
		assert_null(pmon_type_by_name(t_span(mixed)));
	}
}

static void
test_by_name_oddities(void **state)
{
	static const char with_nul[] = "COUNTER_TIMER\0x";

	(void)state;
	// Second names and a misprint of Microsoft's pages.
	T_EQ_U64(pmon_type_by_name(t_span("PERF_PRECISION_TIMER"))->word, 0x20470500u);
	T_EQ_U64(pmon_type_by_name(t_span("perf_counter_obj_queuelen_type"))->word, 0x00650500u);
	T_EQ_U64(pmon_type_by_name(t_span("PRECISION_TIMESTAMP"))->word, 0x40030500u);
	T_EQ_STR(pmon_type_by_name(t_span("PRECISION_TIMESTAMP"))->name,
		 "PERF_PRECISION_TIMESTAMP");
	T_EQ_U64(pmon_type_by_name(t_span("PERF_LARGE_RAW_BASE"))->word, 0x40030500u);
	assert_null(pmon_type_by_name(t_span("")));
	assert_null(pmon_type_by_name(t_span("PERF_")));
	assert_null(pmon_type_by_name(t_span("PERF_PERF_COUNTER_TIMER")));
	assert_null(pmon_type_by_name((struct pmon_span){NULL, 0}));
	assert_null(pmon_type_by_name((struct pmon_span){with_nul, sizeof(with_nul) - 1}));
	assert_non_null(pmon_type_by_name((struct pmon_span){with_nul, 13}));
}

// The whole enumeration System.Diagnostics.PerformanceCounterType with its numbers, as Microsoft's
// .NET API reference lists them; PowerShell's Get-Counter prints the same names.
static const struct {
	const char *name;
	uint32_t word;
} dotnet[] = {
	{"NumberOfItemsHEX32", 0},
	{"NumberOfItemsHEX64", 256},
	{"NumberOfItems32", 65536},
	{"NumberOfItems64", 65792},
	{"CounterDelta32", 4195328},
	{"CounterDelta64", 4195584},
	{"SampleCounter", 4260864},
	{"CountPerTimeInterval32", 4523008},
	{"CountPerTimeInterval64", 4523264},
	{"RateOfCountsPerSecond32", 272696320},
	{"RateOfCountsPerSecond64", 272696576},
	{"RawFraction", 537003008},
	{"CounterTimer", 541132032},
	{"Timer100Ns", 542180608},
	{"SampleFraction", 549585920},
	{"CounterTimerInverse", 557909248},
	{"Timer100NsInverse", 558957824},
	{"CounterMultiTimer", 574686464},
	{"CounterMultiTimer100Ns", 575735040},
	{"CounterMultiTimerInverse", 591463680},
	{"CounterMultiTimer100NsInverse", 592512256},
	{"AverageTimer32", 805438464},
	{"ElapsedTime", 807666944},
	{"AverageCount64", 1073874176},
	{"SampleBase", 1073939457},
	{"AverageBase", 1073939458},
	{"RawBase", 1073939459},
	{"CounterMultiBase", 1107494144},
};

static void
check_dotnet(const char *text, size_t i)
{
	const struct pmon_counter_type *type = pmon_type_by_name(t_span(text));
	uint32_t word;

	assert_non_null(type);
	T_EQ_U64_AT(type->word, dotnet[i].word, text);
	T_EQ_STR_AT(type->dotnet, dotnet[i].name, text);
	T_EQ_I64_AT(pmon_type_parse(t_span(text), &word), PMON_TYPE_FORM_NAME, text);
	T_EQ_U64_AT(word, dotnet[i].word, text);
}

static void
test_names_of_dotnet(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < T_LEN(dotnet); i++) {
		char text[128];

		check_dotnet(dotnet[i].name, i);
		snprintf(text, sizeof(text), "[System.Diagnostics.PerformanceCounterType]::%s",
			 dotnet[i].name);
		check_dotnet(text, i);
		snprintf(text, sizeof(text), "performancecountertype.%s", dotnet[i].name);
		check_dotnet(text, i);
		to_lower(text);
		check_dotnet(text, i);
	}
	for (size_t i = 0; i < pmon_type_count(); i++)
		n += pmon_type_at(i)->dotnet != NULL;
	T_EQ_U64(n, T_LEN(dotnet));
}

static void
check_parse(const char *text, enum pmon_type_form want_form, uint32_t want)
{
	uint32_t word;

	T_EQ_I64_AT(pmon_type_parse(t_span(text), &word), want_form, text);
	T_EQ_U64_AT(word, want, text);
}

// Each word of the table in each of its spellings, and no two that one text could mean.
static void
test_words_as_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		uint32_t word = pmon_type_at(i)->word;
		char text[16];

		snprintf(text, sizeof(text), "0x%08X", (unsigned)word);
		check_parse(text, PMON_TYPE_FORM_WORD, word);
		snprintf(text, sizeof(text), "%lu", (unsigned long)word);
		check_parse(text, PMON_TYPE_FORM_DECIMAL, word);
		// Read as hexadecimal, the decimal digits match no type.
		if (strlen(text) <= 8 && word != 0)
			assert_null(pmon_type_by_word((uint32_t)strtoul(text, NULL, 16)));
		snprintf(text, sizeof(text), "%08lX", (unsigned long)word);
		check_parse(text, word != 0 ? PMON_TYPE_FORM_HEX : PMON_TYPE_FORM_DECIMAL, word);
		snprintf(text, sizeof(text), "%lx", (unsigned long)word);
		check_parse(text, word != 0 ? PMON_TYPE_FORM_HEX : PMON_TYPE_FORM_DECIMAL, word);
	}
}

static void
test_words_as_odd_text(void **state)
{
	(void)state;
	check_parse("20570501", PMON_TYPE_FORM_DECIMAL, 20570501); // unknown either way
	check_parse("20570501f", PMON_TYPE_FORM_NONE, 0);
	check_parse("2057050f", PMON_TYPE_FORM_HEX, 0x2057050Fu);
	check_parse("0x1", PMON_TYPE_FORM_WORD, 1);
	check_parse("a", PMON_TYPE_FORM_HEX, 10);
	check_parse("4294967295", PMON_TYPE_FORM_DECIMAL, 0xFFFFFFFFu);
	check_parse("4294967296", PMON_TYPE_FORM_NONE, 0);
	check_parse("0x100000000", PMON_TYPE_FORM_NONE, 0);
	check_parse("0x", PMON_TYPE_FORM_NONE, 0);
	check_parse("-1", PMON_TYPE_FORM_NONE, 0);
	check_parse("", PMON_TYPE_FORM_NONE, 0);
	check_parse("Timer100Nsx", PMON_TYPE_FORM_NONE, 0);
	check_parse("PerformanceCounterType.", PMON_TYPE_FORM_NONE, 0);
}

// docs/reference/counters.md, "Averages": for which types the mean of displayed values is not the average, and why.
static void
test_flaws_of_means(void **state)
{
	static const struct {
		uint32_t word;
		const char *flaw;
	} rows[] = {
		{PMON_PERF_COUNTER_RAWCOUNT, NULL},
		{PMON_PERF_DOUBLE_RAW, NULL},
		{PMON_PERF_RAW_FRACTION, NULL},
		{PMON_PERF_COUNTER_DELTA, NULL},
		{PMON_PERF_AVERAGE_BASE, NULL},
		{PMON_PERF_ELAPSED_TIME, "the average of an elapsed time is its newest value"},
		{PMON_PERF_AVERAGE_TIMER,
		 "it weights all intervals equally, regardless of the number of operations"},
		{PMON_PERF_COUNTER_COUNTER,
		 "it weights all intervals equally, regardless of their length"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++)
		T_EQ_STR(pmon_type_mean_flaw(pmon_type_by_word(rows[i].word)), rows[i].flaw);
}

static void
test_by_word(void **state)
{
	(void)state;
	T_EQ_STR(pmon_type_by_word(0x40030500u)->name, "PERF_LARGE_RAW_BASE");
	T_EQ_STR(pmon_type_by_word(0x40030503u)->name, "PERF_LARGE_RAW_BASE");
	T_EQ_STR(pmon_type_by_word(0)->name, "PERF_COUNTER_RAWCOUNT_HEX");
	// Every neighbour of every word: known only when it is in the table itself.
	for (size_t i = 0; i < n_types; i++)
		for (unsigned bit = 0; bit < 32; bit++) {
			uint32_t word = types[i].word ^ (uint32_t)1 << bit;
			bool known = false;

			for (size_t k = 0; k < n_types; k++)
				known |= types[k].word == word;
			T_EQ_BOOL_AT(pmon_type_by_word(word) != NULL, known, types[i].name);
		}
}

// ---- Words that no type has --------------------------------------------------------------------

static void
test_unknown_word_is_described_and_not_computed(void **state)
{
	// PERF_COUNTER_TIMER with the object's clock and a base difference that no type has
	const uint32_t word = 0x20E10500u;
	struct pmon_counter counter = {.type = word, .time_base = 1000};
	struct pmon_raw older = {.first = 1, .second = 1};
	struct pmon_raw newer = {.first = 2, .second = 2};
	struct pmon_type_fields fields;
	struct pmon_calc calc;
	struct pmon_value value;

	(void)state;
	assert_null(pmon_type_by_word(word));
	assert_false(pmon_type_is_displayed(word));
	pmon_type_decode(word, &fields);
	T_EQ_STR(pmon_type_size_name(&fields), "PERF_SIZE_LARGE");
	T_EQ_STR(pmon_type_type_name(&fields), "PERF_TYPE_COUNTER");
	T_EQ_STR(pmon_type_subtype_name(&fields), "PERF_COUNTER_RATE");
	T_EQ_STR(pmon_type_timer_name(&fields), "PERF_OBJECT_TIMER");
	T_EQ_STR(pmon_type_display_name(&fields), "PERF_DISPLAY_PERCENT");
	assert_true(fields.delta_counter && fields.delta_base);
	pmon_calc_init(&calc, &counter, NULL);
	assert_false(pmon_calc_needs_two(&calc));
	value = pmon_calc_value(&calc, &older, &newer);
	T_EQ_I64(value.status, PMON_V_UNKNOWN_TYPE);
	T_EQ_DBL(value.value, 0);
	T_EQ_I64(pmon_calc_value(&calc, NULL, &newer).status, PMON_V_UNKNOWN_TYPE);
}

// The bits of all fields combine to the original word. Masks: winperf.h; Windows NT Resource Kit,
// table 12.3.
static void
test_decode_loses_no_bit(void **state)
{
	struct t_rand r = {.state = 1};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint32_t word = (uint32_t)t_rand_u64(&r);
		struct pmon_type_fields f;
		uint32_t back;

		pmon_type_decode(word, &f);
		back = f.ordinal | (uint32_t)f.size * 0x100u | (uint32_t)f.type * 0x400u |
		       (uint32_t)f.subtype * 0x10000u | (uint32_t)f.timer * 0x100000u |
		       (f.delta_counter ? 0x00400000u : 0) | (f.delta_base ? 0x00800000u : 0) |
		       (f.inverse ? 0x01000000u : 0) | (f.multi ? 0x02000000u : 0) |
		       (uint32_t)f.display * 0x10000000u | (f.histogram ? 0x80000000u : 0);
		T_EQ_U64(f.reserved & ~0x0C00F000u, 0);
		T_EQ_U64(back | f.reserved, word);
		assert_non_null(pmon_type_size_name(&f));
		assert_non_null(pmon_type_type_name(&f));
		assert_non_null(pmon_type_subtype_name(&f));
		assert_non_null(pmon_type_timer_name(&f));
		assert_non_null(pmon_type_display_name(&f));
	}
}

// Field values that no type uses. Names: winperf.h.
static void
test_names_of_rare_fields(void **state)
{
	struct pmon_type_fields f;

	(void)state;
	pmon_type_decode(0x00020000u, &f);
	T_EQ_STR(pmon_type_subtype_name(&f), "PERF_NUMBER_DEC_1000");
	pmon_type_decode(0x00010800u, &f);
	T_EQ_STR(pmon_type_subtype_name(&f), "PERF_TEXT_ASCII");
	pmon_type_decode(0x00060400u, &f);
	T_EQ_STR(pmon_type_subtype_name(&f), "PERF_COUNTER_HISTOGRAM");
	pmon_type_decode(0x00000C00u, &f);
	T_EQ_STR(pmon_type_type_name(&f), "PERF_TYPE_ZERO");
	T_EQ_STR(pmon_type_subtype_name(&f), "undefined");
	pmon_type_decode(0x70380400u, &f);
	T_EQ_STR(pmon_type_timer_name(&f), "undefined");
	T_EQ_STR(pmon_type_subtype_name(&f), "undefined");
	T_EQ_STR(pmon_type_display_name(&f), "undefined");
	pmon_type_decode(PMON_PERF_DOUBLE_RAW, &f);
	T_EQ_U64(f.reserved, 0x2000);
}

// ---- Hexadecimal ---------------------------------------------------------------------------------

static void
check_hex(double value, const char *want)
{
	char buf[PMON_HEX_SIZE];

	T_EQ_U64_AT(pmon_hex_text(value, buf), strlen(want), want);
	T_EQ_STR(buf, want);
}

// PERF_NUMBER_HEX is subtype 0 of PERF_TYPE_NUMBER; labels and the histogram mark, which have it too,
// have no values.
static void
test_hexadecimal(void **state)
{
	char buf[PMON_HEX_SIZE];

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		T_EQ_BOOL_AT(pmon_type_is_hex(type), type->word == 0 || type->word == 0x100,
			     type->name);
	}
	assert_false(pmon_type_is_hex(NULL));
	check_hex(0, "0x0");
	check_hex(31, "0x1F");
	check_hex(16, "0x10");
	check_hex(4294967295.0, "0xFFFFFFFF");
	check_hex(0x1p63, "0x8000000000000000");
	check_hex(-1, "0xFFFFFFFFFFFFFFFF");
	check_hex(-0x1p63, "0x8000000000000000");
	check_hex(0x1p64, "");
	check_hex(-0x1p64, "");
	check_hex(0.5, "");
	check_hex((double)NAN, "");
	check_hex((double)INFINITY, "");
	T_EQ_U64(pmon_hex_bits(INT64_C(0x123456789ABCDEF0), buf), 18);
	T_EQ_STR(buf, "0x123456789ABCDEF0"); // all bits, where a double has 53
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types_of_winperf_h),
		cmocka_unit_test(test_formulas),
		cmocka_unit_test(test_types_csv),
		cmocka_unit_test(test_table_is_sorted_and_complete),
		cmocka_unit_test(test_by_name),
		cmocka_unit_test(test_by_name_oddities),
		cmocka_unit_test(test_names_of_dotnet),
		cmocka_unit_test(test_words_as_text),
		cmocka_unit_test(test_words_as_odd_text),
		cmocka_unit_test(test_flaws_of_means),
		cmocka_unit_test(test_by_word),
		cmocka_unit_test(test_hexadecimal),
		cmocka_unit_test(test_unknown_word_is_described_and_not_computed),
		cmocka_unit_test(test_decode_loses_no_bit),
		cmocka_unit_test(test_names_of_rare_fields),
	};

	return cmocka_run_group_tests_name("core_types", tests, read_types, free_types);
}
