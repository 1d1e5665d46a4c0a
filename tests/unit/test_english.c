// test_english.c - names of counters in other languages, and types of counters by name
// SPDX-License-Identifier: MIT

#include "base/mem.h"
#include "model/english.h"
#include "model/schema.h"
#include "model/titles.h"
#include "path/wellknown.h"

#include "t.h"

// ---- Names ----------------------------------------------------------------------------------

// Expected names: PAL's CounterLang.xml (share/names/counter_names.tsv), and for Russian public configurations.
static const struct {
	const char *path;
	const char *english; // NULL: it is English already, or of no known language
} names[] = {
	{"\\Prozessor(_Total)\\Prozessorzeit (%)", "\\Processor(_Total)\\% Processor Time"},
	{"\\\\SRV\\PROZESSOR(0)\\prozessorzeit (%)", "\\\\SRV\\Processor(0)\\% Processor Time"},
	{"\\Arbeitsspeicher\\Seiten/s", "\\Memory\\Pages/sec"},
	{"\\Processus(a)\\% temps processeur", "\\Process(a)\\% Processor Time"},
	{"\\Процессор(_Total)\\% загруженности процессора",
	 "\\Processor(_Total)\\% Processor Time"},
	// The table has lost these accents; others are lost by old programs.
	{"\\Informações do Processador(0,0)\\% tempo do processador",
	 "\\Processor Information(0,0)\\% Processor Time"},
	{"\\Informacoes do Processador(0,0)\\% tempo do processador",
	 "\\Processor Information(0,0)\\% Processor Time"},
	// A counter that is not in the table keeps its name.
	{"\\Prozessor(0)\\Neuer Zähler", "\\Processor(0)\\Neuer Zähler"},
	{"\\Processor(_Total)\\% Processor Time", NULL},
	{"\\processor(_Total)\\% PROCESSOR TIME", NULL},
	{"\\Memory\\Some counter", NULL},
	{"\\No object\\Prozessorzeit (%)", NULL},
	// SQL Server keeps its English objects.
	{"\\SQLServer:Buffer Manager\\Примерный срок хранения страницы",
	 "\\SQLServer:Buffer Manager\\Page life expectancy"},
	{"\\MSSQL$A:Buffer Manager\\Примерный срок хранения страницы",
	 "\\MSSQL$A:Buffer Manager\\Page life expectancy"},
	{"\\MSSQL$A:Buffer Manager\\Page life expectancy", NULL},
	// The name that one object has for a counter is also that of another object's counter, but not if it means
	// something else: "Energie" is Czech for the counter "Power" of another object.
	{"\\Network QoS Policy(a)\\Bytes Transmitidos/seg.",
	 "\\Network QoS Policy(a)\\Bytes transmitted/sec"},
	{"\\Energy Meter(a)\\Energie", "\\Energy Meter(a)\\Energy"},
	// Title index 208 is a counter of two objects; the file of names has it for the other one.
	{"\\Логический диск(C:)\\Среднее время чтения с диска (с)",
	 "\\LogicalDisk(C:)\\Avg. Disk sec/Read"},
};

static void
names_are_translated(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(names); i++) {
		struct pmon_english english;
		struct pmon_path path;
		char buf[200];
		bool found;

		assert_true(pmon_path_parse(t_span(names[i].path), &path, NULL));
		found = pmon_english_of(NULL, &path, &english);
		T_EQ_BOOL_AT(found, names[i].english != NULL, names[i].path);
		if (!found)
			continue;
		path = pmon_english_path(&path, &english, 0);
		pmon_path_format(&path, buf, sizeof(buf));
		T_EQ_STR_AT(buf, names[i].english, names[i].path);
	}
}

// A name of a counter of an object: 1 if there is one; then the English name is among its meanings.
static size_t
means(const char *object, const char *name, const char *want)
{
	struct pmon_path path = {.object = t_span(object), .counter = t_span(name)};
	struct pmon_english english;

	if (name[0] == '\0')
		return 0;
	if (!pmon_english_of(NULL, &path, &english)) {
		assert_true(pmon_text_same(path.counter, t_span(want)));
		return 1;
	}
	for (size_t i = 0; i < english.n; i++)
		if (pmon_text_same(english.counters[i], t_span(want)))
			return 1;
	fail_msg("%s\\%s is not %s", object, name, want);
	return 0;
}

// Each row of the table, in every language: the English name is among the meanings.
static void
the_whole_table(void **state)
{
	struct t_csv csv;
	size_t n = 0;

	(void)state;
	t_csv_open_vectors(&csv, "../names/counter_names.tsv");
	while (t_csv_next(&csv)) {
		bool is_counter = strcmp(t_csv_get(&csv, "kind"), "counter") == 0;

		for (size_t i = 3; i < csv.n && is_counter; i++)
			n += means(t_csv_get(&csv, "object_enUS"), csv.field[i],
				   t_csv_get(&csv, "enUS"));
	}
	t_csv_close(&csv);
	T_EQ_U64(n, 2259 * 12 - 208); // so many names are empty
}

static void
all_types(void **state)
{
	struct t_csv csv;
	size_t n = 0;

	(void)state;
	t_csv_open_vectors(&csv, "../names/counter_types.csv");
	for (; t_csv_next(&csv); n++) {
		struct pmon_path path = {.object = t_span(t_csv_get(&csv, "object")),
					 .counter = t_span(t_csv_get(&csv, "counter"))};
		const struct pmon_counter_type *type =
			pmon_type_by_name(t_span(t_csv_get(&csv, "type")));
		uint32_t word;
		bool inferred;

		assert_true(pmon_english_type(&path, &word, &inferred));
		T_EQ_U64_AT(word, type->word, t_csv_get(&csv, "counter"));
		assert_int_equal(inferred, strcmp(t_csv_get(&csv, "seen"), "yes") != 0);
	}
	t_csv_close(&csv);
	T_EQ_U64(n, 4878);
}

// ---- Series ---------------------------------------------------------------------------------

static const struct pmon_series *
add(struct pmon_schema *schema, const char *text, uint32_t type)
{
	struct pmon_counter counter = {.type = type, .size_bytes = 8};
	struct pmon_path path;
	uint32_t id;

	assert_true(pmon_path_parse(t_span(text), &path, NULL));
	T_EQ_U64(pmon_schema_add(schema, &path, &counter, 0, 100, &id), PMON_OK);
	return pmon_schema_at(schema, id);
}

static void
english_is(const struct pmon_series *series, const char *want)
{
	char buf[200];

	pmon_path_format(pmon_series_english(series), buf, sizeof(buf));
	T_EQ_STR(buf, want);
}

// French has one name for "Virtual Bytes Peak" and "Virtual Bytes", which Windows lists in this order.
#define TWINS(instance) "\\Processus(" instance ")\\Taille virtuelle (octets)"

static void
order_decides(void **state)
{
	struct pmon_schema schema;
	struct pmon_path pattern;
	const struct pmon_series *first, *second, *alone;

	(void)state;
	pmon_schema_init(&schema, pmon_mem_allocator(NULL));
	first = add(&schema, TWINS("a"), PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	alone = add(&schema, TWINS("b"), PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	assert_true(first->ambiguous);
	second = add(&schema, TWINS("a"), PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	english_is(first, "\\Process(a)\\Virtual Bytes Peak");
	english_is(second, "\\Process(a)\\Virtual Bytes");
	english_is(alone, TWINS("b"));
	assert_true(alone->ambiguous && !first->ambiguous && !second->ambiguous);
	assert_true(pmon_pattern_parse(PMON_SPAN("\\Process(*)\\Virtual Bytes"), &pattern, NULL));
	assert_false(pmon_series_match(&pattern, first));
	assert_true(pmon_series_match(&pattern, second));
	assert_false(pmon_series_match(&pattern, alone));
	pmon_schema_free(&schema);
}

// A source may find the second one first; then their places in the log decide.
static void
places_decide(void **state)
{
	struct pmon_counter counter = {.type = PMON_PERF_COUNTER_LARGE_RAWCOUNT, .size_bytes = 8};
	struct pmon_schema schema;
	struct pmon_path path;
	uint32_t late;
	uint32_t early;

	(void)state;
	pmon_schema_init(&schema, pmon_mem_allocator(NULL));
	assert_true(pmon_path_parse(PMON_SPAN(TWINS("a")), &path, NULL));
	T_EQ_U64(pmon_schema_add(&schema, &path, &counter, 7, 100, &late), PMON_OK);
	T_EQ_U64(pmon_schema_add(&schema, &path, &counter, 3, 100, &early), PMON_OK);
	english_is(pmon_schema_at(&schema, early), "\\Process(a)\\Virtual Bytes Peak");
	english_is(pmon_schema_at(&schema, late), "\\Process(a)\\Virtual Bytes");
	pmon_schema_free(&schema);
}

// Displayed values have no type until the name is known.
static void
order_decides_types(void **state)
{
	struct pmon_schema schema;
	const struct pmon_series *first;
	const struct pmon_series *second;

	(void)state;
	pmon_schema_init(&schema, pmon_mem_allocator(NULL));
	first = add(&schema, TWINS("a"), PMON_PERF_DOUBLE_RAW);
	pmon_schema_set_formatted(&schema, first->id, NULL);
	assert_false(first->type_known);
	second = add(&schema, TWINS("a"), PMON_PERF_DOUBLE_RAW);
	pmon_schema_set_formatted(&schema, second->id, NULL);
	T_EQ_U64(first->known_type, PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	T_EQ_U64(second->known_type, PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	pmon_schema_free(&schema);
}

static void
copies_keep_what_was_decided(void **state)
{
	struct pmon_schema schema, other;
	const struct pmon_series *series;
	uint32_t id;

	(void)state;
	pmon_schema_init(&schema, pmon_mem_allocator(NULL));
	pmon_schema_init(&other, pmon_mem_allocator(NULL));
	add(&schema, TWINS("a"), PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	series = add(&schema, TWINS("a"), PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	T_EQ_U64(pmon_schema_copy(&other, series, &id), PMON_OK);
	pmon_schema_free(&schema);
	english_is(pmon_schema_at(&other, id), "\\Process(a)\\Virtual Bytes");
	pmon_schema_free(&other);
}

// ---- Title indexes --------------------------------------------------------------------------

// The table of a machine in a language of our own: an "x" before each name.
static size_t
foreign_table(uint8_t *out, size_t size, const char *before)
{
	size_t n = 0;

	for (uint32_t i = 0; i < 1848; i++) {
		struct pmon_span name = pmon_wellknown_title(i);
		char pair[120];
		int len = snprintf(pair, sizeof(pair), "%u%c%s%.*s", (unsigned)i, '\n', before,
				   (int)name.len, name.ptr != NULL ? name.ptr : "");

		for (int j = 0; name.ptr != NULL && j <= len && n + 2 <= size; j++) {
			out[n++] = pair[j] == '\n' ? 0 : (uint8_t)pair[j];
			out[n++] = 0;
		}
	}
	return n;
}

static void
titles_translate(const char *before, const char *path, const char *want)
{
	static uint8_t bytes[64 << 10];
	struct pmon_titles titles;
	struct pmon_schema schema;

	pmon_titles_init(&titles, NULL);
	pmon_schema_init(&schema, pmon_mem_allocator(NULL));
	T_EQ_U64(
		pmon_titles_load(&titles, bytes, foreign_table(bytes, sizeof(bytes), before), NULL),
		PMON_OK);
	assert_true(pmon_titles_translate(&titles, &schema));
	english_is(add(&schema, path, PMON_PERF_DOUBLE_RAW), want);
	pmon_schema_free(&schema);
	pmon_titles_free(&titles);
}

static void
titles_name_languages_that_are_not_known(void **state)
{
	(void)state;
	titles_translate("x", "\\xProcessor(0)\\x% Processor Time",
			 "\\Processor(0)\\% Processor Time");
	// Two titles are of this name.
	titles_translate("x", "\\xPhysicalDisk(0)\\x% Idle Time", "\\PhysicalDisk(0)\\% Idle Time");
	// No object Memory has this counter, so the number means something else here.
	titles_translate("x", "\\xMemory\\x% Processor Time", "\\Memory\\x% Processor Time");
	// An English machine.
	titles_translate("", "\\xProcessor(0)\\x% Processor Time",
			 "\\xProcessor(0)\\x% Processor Time");
}

// ---- Types ----------------------------------------------------------------------------------

static void
types_by_name(void **state)
{
	struct t_csv csv;
	size_t n = 0;
	size_t n_inferred = 0;

	(void)state;
	t_csv_open_data(&csv, "vectors/known_counters_more.csv");
	while (t_csv_next(&csv)) {
		struct pmon_path path = {.object = t_span(t_csv_get(&csv, "object")),
					 .counter = t_span(t_csv_get(&csv, "counter"))};
		uint32_t word = 0;
		bool inferred = false;

		assert_true(pmon_english_type(&path, &word, &inferred));
		T_EQ_STR_AT(pmon_type_by_word(word)->name, t_csv_get(&csv, "type_name"),
			    path.counter.ptr);
		if (strcmp(t_csv_get(&csv, "seen"), "yes") == 0)
			T_EQ_BOOL_AT(inferred, false, path.counter.ptr);
		n_inferred += inferred;
		n++;
	}
	t_csv_close(&csv);
	T_EQ_U64(n, 4788);
	// The others are in the logs behind known_counters.csv, or in documents.
	assert_in_range(n_inferred, 2500, 2567);
}

static void
averages_of_inferred_types_are_marked(void **state)
{
	struct pmon_schema schema;
	const struct pmon_series *series;

	(void)state;
	pmon_schema_init(&schema, pmon_mem_allocator(NULL));
	series = add(&schema, "\\.NET CLR Data(a)\\SqlClient: Current # connection pools",
		     PMON_PERF_DOUBLE_RAW);
	pmon_schema_set_formatted(&schema, series->id, NULL);
	assert_true(series->type_inferred);
	T_EQ_U64(pmon_series_average_kind(series), PMON_AVERAGE_INFERRED);
	T_EQ_STR(pmon_average_kind_name(PMON_AVERAGE_INFERRED), "inferred");
	T_EQ_STR(pmon_average_kind_mark(PMON_AVERAGE_INFERRED), "?");
	pmon_schema_free(&schema);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_translated),
		cmocka_unit_test(the_whole_table),
		cmocka_unit_test(all_types),
		cmocka_unit_test(order_decides),
		cmocka_unit_test(places_decide),
		cmocka_unit_test(order_decides_types),
		cmocka_unit_test(copies_keep_what_was_decided),
		cmocka_unit_test(titles_name_languages_that_are_not_known),
		cmocka_unit_test(types_by_name),
		cmocka_unit_test(averages_of_inferred_types_are_marked),
	};

	return cmocka_run_group_tests_name("english", tests, NULL, NULL);
}
