// gen-names.c - the table of counter names and types, from the files of share/names
// SPDX-License-Identifier: MIT
//
//	gen-names FOLDER OUT.c
//
// The build runs it. share/names/README.md describes the files, src/model/name_hash.h the table.

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/name_hash.h"

#define MOST_TEXTS  (1u << PMON_NAME_VALUE_BITS)
#define MOST_ROWS   65000 // a place in a table has 16 bits
#define MOST_FIELDS 32

static FILE *out;
static const char *out_path;

// Half a table must not stay, or the next build would take it.
static void
fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("gen-names: ", stderr);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
	if (out != NULL)
		remove(out_path);
	exit(1);
}

// ---- Files ----------------------------------------------------------------------------------

static char data[8 << 20]; // of all files; texts are used where they stand
static size_t data_used;

struct table {
	char *rest;
	char separator;
	char *fields[MOST_FIELDS];
	size_t n;
};

static char *
read_file(const char *folder, const char *name)
{
	char *text = data + data_used;
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (file == NULL)
		fail("cannot open %s", path);
	data_used += fread(text, 1, sizeof(data) - data_used - 1, file) + 1;
	if (ferror(file) || !feof(file))
		fail("cannot read %s, or it is too large", path);
	fclose(file);
	return text;
}

// Take the first field from *line and end it with NUL. A field of CSV may be quoted.
static char *
take_field(char **line, char separator)
{
	bool quoted = separator == ',' && **line == '"';
	char *field = *line + quoted;
	char *to = field;
	char *at = field;

	for (; *at != '\0' && (quoted || *at != separator); at++) {
		if (quoted && *at == '"' && *++at != '"')
			break;
		*to++ = *at;
	}
	*line = *at != '\0' ? at + 1 : NULL;
	*to = '\0';
	return field;
}

static bool
next_row(struct table *table)
{
	char *line = table->rest;
	char *end = strchr(line, '\n');

	if (end == NULL)
		return false;
	*end = '\0';
	table->rest = end + 1;
	for (table->n = 0; line != NULL; table->n++) {
		if (table->n == MOST_FIELDS)
			fail("a line has more than %d fields: %s", MOST_FIELDS, line);
		table->fields[table->n] = take_field(&line, table->separator);
	}
	return true;
}

static struct table
open_table(const char *folder, const char *name, char separator, size_t columns)
{
	struct table table = {.rest = read_file(folder, name), .separator = separator};

	if (!next_row(&table) || table.n < columns)
		fail("%s/%s has no line of %zu columns", folder, name, columns);
	return table;
}

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

static struct pmon_span
trimmed(const char *text)
{
	struct pmon_span name = span_of(text);

	while (name.len > 0 && name.ptr[name.len - 1] == ' ')
		name.len--;
	while (name.len > 0 && name.ptr[0] == ' ') {
		name.ptr++;
		name.len--;
	}
	return name;
}

// ---- Names ----------------------------------------------------------------------------------

// A name of an English object, or of a counter of it.
struct name {
	const char *object;
	const char *counter; // NULL: of the object
	struct pmon_span name;
	uint64_t spread; // of a counter's name
	uint32_t object_number;
	uint32_t counter_number;
};

static struct name names[MOST_ROWS];
static size_t n_names;

static void
add_name(const char *object, const char *counter, const char *text)
{
	struct pmon_span name = trimmed(text);

	if (name.len == 0)
		return;
	if (n_names == MOST_ROWS)
		fail("there are more than %d names", MOST_ROWS);
	names[n_names++] = (struct name){
		.object = object,
		.counter = counter,
		.name = name,
		.spread = pmon_name_spread(pmon_name_mix(PMON_NAME_COUNTER, name)),
	};
}

static void
read_names(const char *folder)
{
	struct table table = open_table(folder, "counter_names.tsv", '\t', 3);

	while (next_row(&table)) {
		bool is_object = strcmp(table.fields[0], "object") == 0;
		const char *object = table.fields[is_object ? 2 : 1];

		for (size_t i = 2; i < table.n; i++)
			add_name(object, is_object ? NULL : table.fields[2], table.fields[i]);
	}
}

// Cut the counter off a path "object\counter"; NULL when there is none.
static char *
cut_counter(char *path)
{
	char *slash = strchr(path, '\\');

	if (slash == NULL)
		return NULL;
	*slash = '\0';
	return slash + 1;
}

// Windows has one name for each title index and language, so that a name is also that of the counters of other
// objects with the same index.
static void
read_other_names(const char *folder)
{
	static struct {
		const char *index;
		const char *object;
	} titles[1000];
	size_t n = 0;
	struct table table = open_table(folder, "title_indices.tsv", '\t', 2);

	while (next_row(&table)) {
		const char *index = cut_counter(table.fields[0]);

		cut_counter(table.fields[1]);
		if (index == NULL)
			continue;
		if (n == sizeof(titles) / sizeof(titles[0]))
			fail("there are more than %zu title indices", n);
		titles[n].index = index;
		titles[n++].object = table.fields[1];
	}
	table = open_table(folder, "counter_names_other.tsv", '\t', 4);
	while (next_row(&table)) {
		const char *index = cut_counter(table.fields[0]);
		const char *object = table.fields[1];
		const char *counter = cut_counter(table.fields[1]);

		add_name(object, counter, counter != NULL ? counter : object);
		add_name(object, counter, table.fields[3]);
		for (size_t i = 0; i < n && index != NULL; i++)
			if (strcmp(titles[i].index, index) == 0 && strcmp(titles[i].object, object) != 0)
				add_name(titles[i].object, counter, table.fields[3]);
	}
}

// ---- English texts --------------------------------------------------------------------------

static const char *texts[MOST_TEXTS];
static uint32_t n_texts;
static uint32_t n_objects; // the first texts

// The counters of each object, in the order in which Windows lists them.
static struct pair {
	uint32_t object;
	uint32_t counter;
} pairs[MOST_ROWS];
static size_t n_pairs;

static uint32_t
number_of(const char *text)
{
	for (uint32_t i = 0; i < n_texts; i++)
		if (strcmp(texts[i], text) == 0)
			return i;
	if (n_texts == MOST_TEXTS)
		fail("there are more than %u English names: raise PMON_NAME_VALUE_BITS", MOST_TEXTS);
	texts[n_texts] = text;
	return n_texts++;
}

static bool
has_counter(uint32_t object, uint32_t counter)
{
	for (size_t i = 0; i < n_pairs; i++)
		if (pairs[i].object == object && pairs[i].counter == counter)
			return true;
	return false;
}

static void
number_names(void)
{
	for (size_t i = 0; i < n_names; i++)
		names[i].object_number = number_of(names[i].object);
	n_objects = n_texts;
	for (size_t i = 0; i < n_names; i++) {
		if (names[i].counter == NULL)
			continue;
		names[i].counter_number = number_of(names[i].counter);
		if (!has_counter(names[i].object_number, names[i].counter_number))
			pairs[n_pairs++] = (struct pair){names[i].object_number,
							 names[i].counter_number};
	}
}

// ---- Entries --------------------------------------------------------------------------------

struct entry {
	uint64_t spread;
	uint32_t value;
};

static struct entry entries[MOST_ROWS];
static size_t n_entries;

static void
add_entry(uint64_t spread, uint32_t value)
{
	if (n_entries == MOST_ROWS)
		fail("a table has more than %d entries", MOST_ROWS);
	entries[n_entries++] = (struct entry){spread, value};
}

static void
add_object(uint32_t number, struct pmon_span name)
{
	uint64_t spread = pmon_name_spread(pmon_name_mix(PMON_NAME_OBJECT, name));

	for (size_t i = 0; i < n_entries; i++)
		if (entries[i].spread == spread)
			return; // the first object that has the name, but before all the one whose English name it is
	add_entry(spread, number);
}

static void
add_objects(void)
{
	for (uint32_t i = 0; i < n_objects; i++)
		add_object(i, trimmed(texts[i]));
	for (size_t i = 0; i < n_names; i++)
		if (names[i].counter == NULL)
			add_object(names[i].object_number, names[i].name);
}

static int
compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
by_spread_and_number(const void *a, const void *b)
{
	const struct name *x = a;
	const struct name *y = b;
	int order = compare(x->spread, y->spread);

	if (order == 0)
		order = compare(x->object_number, y->object_number);
	return order != 0 ? order : compare(x->counter_number, y->counter_number);
}

// Does this counter, which has one of the n names that are the same, have it as a counter of this object too?
static bool
is_named(const struct name *same, size_t n, uint32_t object, uint32_t counter)
{
	for (size_t i = 0; i < n; i++)
		if (same[i].object_number == object && same[i].counter_number == counter)
			return true;
	return false;
}

// Does the name mean the same counters in whatever object has them?
static bool
is_general(const struct name *same, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (has_counter(same[i].object_number, same[j].counter_number) &&
			    !is_named(same, n, same[i].object_number, same[j].counter_number))
				return false;
	return true;
}

static void
add_counter_name(const struct name *same, size_t n)
{
	bool general = is_general(same, n);

	for (size_t i = 0; i < n; i++)
		add_entry(general ? same[i].spread
				  : pmon_name_spread(pmon_name_mix(
					    pmon_name_of_object(same[i].object_number),
					    same[i].name)),
			  same[i].counter_number);
}

static void
add_counters(void)
{
	size_t first = 0;

	qsort(names, n_names, sizeof(names[0]), by_spread_and_number);
	for (size_t i = 0; i < n_names; i++)
		if (i + 1 == n_names || names[i + 1].spread != names[first].spread) {
			add_counter_name(names + first, i + 1 - first);
			first = i + 1;
		}
}

// ---- Types ----------------------------------------------------------------------------------

static const char *types[PMON_TYPE_INFERRED];
static uint32_t n_types;

static uint32_t
type_number(const char *type)
{
	for (uint32_t i = 0; i < n_types; i++)
		if (strcmp(types[i], type) == 0)
			return i;
	if (n_types == PMON_TYPE_INFERRED)
		fail("there are more than %u types: raise PMON_TYPE_VALUE_BITS", n_types);
	types[n_types] = type;
	return n_types++;
}

static void
read_types(const char *folder)
{
	struct table table = open_table(folder, "counter_types.csv", ',', 4);

	while (next_row(&table)) {
		uint64_t object = pmon_name_mix(PMON_NAME_OBJECT, span_of(table.fields[0]));
		uint32_t inferred = strcmp(table.fields[3], "yes") == 0 ? 0 : PMON_TYPE_INFERRED;

		add_entry(pmon_name_spread(pmon_name_mix(pmon_name_of_type(object),
							 span_of(table.fields[1]))),
			  type_number(table.fields[2]) | inferred);
	}
}

// ---- Output ---------------------------------------------------------------------------------

// A number of a list, twelve in a line.
static void
print_number(size_t i, uint32_t number)
{
	fprintf(out, "%s%" PRIu32 ",", i % 12 == 0 ? "\n\t" : " ", number);
}

static int
by_spread_and_value(const void *a, const void *b)
{
	const struct entry *x = a;
	const struct entry *y = b;
	int order = compare(x->spread, y->spread);

	return order != 0 ? order : compare(x->value, y->value);
}

static void
sort_entries(void)
{
	size_t n = 0;

	qsort(entries, n_entries, sizeof(entries[0]), by_spread_and_value);
	for (size_t i = 0; i < n_entries; i++)
		if (n == 0 || by_spread_and_value(&entries[n - 1], &entries[i]) != 0)
			entries[n++] = entries[i];
	n_entries = n;
}

// Print the entries as a table, and forget them.
static void
print_table(const char *name, unsigned value_bits)
{
	size_t at = 0;

	sort_entries();
	fprintf(out, "static const uint32_t %s_entries[] = {", name);
	for (size_t i = 0; i < n_entries; i++)
		print_number(i, pmon_name_rest(entries[i].spread, value_bits) << value_bits |
					entries[i].value);
	fprintf(out, "\n};\nstatic const uint16_t %s_starts[] = {", name);
	for (uint32_t bucket = 0; bucket <= PMON_NAME_BUCKETS; bucket++) {
		while (at < n_entries && pmon_name_bucket(entries[at].spread) < bucket)
			at++;
		print_number(bucket, (uint32_t)at);
	}
	fprintf(out,
		"\n};\nconst struct pmon_name_table pmon_%s_table = {%s_entries, %s_starts, %u};\n",
		name, name, name, value_bits);
	n_entries = 0;
}

static void
print_texts(void)
{
	size_t at = 0;

	fprintf(out, "const char pmon_english_texts[] = {");
	for (uint32_t i = 0; i < n_texts; i++)
		for (size_t j = 0; j <= strlen(texts[i]); j++) {
			if ((signed char)texts[i][j] < 0)
				fail("an English name is not ASCII: %s", texts[i]);
			print_number(at++, (uint32_t)texts[i][j]);
		}
	if (at > UINT16_MAX)
		fail("English names have %zu characters: widen pmon_english_places", at);
	fprintf(out, "\n};\nconst uint16_t pmon_english_places[] = {");
	at = 0;
	for (uint32_t i = 0; i < n_texts; i++) {
		print_number(i, (uint32_t)at);
		at += strlen(texts[i]) + 1;
	}
	fprintf(out, "\n};\n");
}

static void
print_counters(void)
{
	uint32_t starts[MOST_TEXTS + 1] = {0};
	size_t n = 0;

	fprintf(out, "const uint16_t pmon_english_counters[] = {");
	for (uint32_t object = 0; object < n_objects; object++) {
		for (size_t i = 0; i < n_pairs; i++)
			if (pairs[i].object == object)
				print_number(n++, pairs[i].counter);
		starts[object + 1] = (uint32_t)n;
	}
	fprintf(out, "\n};\nconst uint16_t pmon_english_counters_at[] = {");
	for (uint32_t object = 0; object <= n_objects; object++)
		print_number(object, starts[object]);
	fprintf(out, "\n};\n");
}

static void
print_type_words(void)
{
	fprintf(out, "const uint32_t pmon_types_words[] = {\n");
	for (uint32_t i = 0; i < n_types; i++)
		fprintf(out, "\tPMON_%s,\n", types[i]);
	fprintf(out, "};\n");
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		fail("it takes a folder and the name of a file");
	out_path = argv[2];
	out = fopen(out_path, "w");
	if (out == NULL)
		fail("cannot write %s", out_path);
	fprintf(out, "// made from share/names by tools/gen-names.c\n"
		     "// Names: Copyright (c) 2017 Clint Huffman (PAL), MIT\n\n"
		     "#include <pmon/counter.h>\n\n"
		     "#include \"model/name_hash.h\"\n\n");
	read_names(argv[1]);
	read_other_names(argv[1]);
	number_names();
	print_texts();
	print_counters();
	add_objects();
	add_counters();
	print_table("names", PMON_NAME_VALUE_BITS);
	read_types(argv[1]);
	print_table("types", PMON_TYPE_VALUE_BITS);
	print_type_words();
	if (fclose(out) != 0)
		fail("cannot write %s", out_path);
	return 0;
}
