// test_live_windows.c - live sampling of Windows with a simulated registry
// SPDX-License-Identifier: MIT
//
// This file replaces src/live/windows/registry.c, so the tests run on every system.

#include "t.h"

#include <stdlib.h>

#include <pmon/live.h>
#include <pmon/log.h>

#include "base/err.h"
#include "dump.h"
#include "live/windows/windows.h"
#include "moments.h"
#include "perfblock_build.h"

#define HEAD_LENGTH_AT 0x18
#define TOTAL_AT       0x14
#define OBJECTS_AT     0x1C
#define MOST_BLOCKS    4
#define TITLE_AT       0x0C // of an object, in PERF_OBJECT_TYPE

// ---- The registry -----------------------------------------------------------------------------

struct table {
	uint8_t bytes[4096];
	size_t len;
};

static struct {
	uint8_t *blocks[MOST_BLOCKS]; // with all objects; the last one is given again and again
	size_t lens[MOST_BLOCKS];
	size_t n;
	size_t at;
	struct table names, english;
	char asked[2][256]; // the first query of data, and the last
	size_t n_asked;
	size_t n_short; // queries with too little room
	size_t n_ended;
	const char *refusal;
	unsigned failures; // bit i: the query for sample i is refused
	const char *guid;
} registry;

static uint32_t
get32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void
put32(uint8_t *p, size_t n)
{
	for (size_t i = 0; i < 4; i++)
		p[i] = (uint8_t)(n >> 8 * i);
}

// Does a value name this object? "Global", or a list of title indexes.
static bool
is_in(const char *value, uint32_t title)
{
	char *end;

	if (strcmp(value, "Global") == 0)
		return true;
	for (; *value != '\0'; value = end + (*end == ' '))
		if (strtoul(value, &end, 10) == title)
			return true;
	return false;
}

// What Windows returns for a block: its header, and the requested objects.
static size_t
answer(const uint8_t *block, size_t len, const char *value, uint8_t *out)
{
	size_t head = get32(block + HEAD_LENGTH_AT);
	size_t n = 0;
	size_t total = head;

	memcpy(out, block, head);
	for (size_t at = head; at < len; at += get32(block + at)) {
		if (!is_in(value, get32(block + at + TITLE_AT)))
			continue;
		memcpy(out + total, block + at, get32(block + at));
		total += get32(block + at);
		n++;
	}
	put32(out + TOTAL_AT, total);
	put32(out + OBJECTS_AT, n);
	return total;
}

static enum pmon_status
give(const void *bytes, size_t len, void *out, size_t size, size_t *len_out)
{
	registry.n_short += len > size;
	if (len > size)
		return PMON_E_LIMIT;
	memcpy(out, bytes, len);
	*len_out = len;
	return PMON_OK;
}

enum pmon_status
pmon_win_query(enum win_key key, const char *value, void *bytes, size_t size, size_t *len_out,
	       struct pmon_err *err)
{
	const struct table *table = key == WIN_NAMES ? &registry.names : &registry.english;
	enum pmon_status status;
	uint8_t *answered;
	size_t len;

	*len_out = 0;
	if (key != WIN_DATA)
		return table->len > 0 ? give(table->bytes, table->len, bytes, size, len_out)
				      : pmon_err_set(err, PMON_E_IO, 0, "no names");
	if (registry.refusal != NULL)
		return pmon_err_set(err, PMON_E_IO, 0, "%s", registry.refusal);
	(void)snprintf(registry.asked[registry.n_asked++ > 0], sizeof(registry.asked[0]), "%s",
		       value);
	if (registry.at >= registry.n)
		return PMON_END; // the recording is over; the real one has none
	if (registry.n_asked > 1 && (registry.failures >> registry.at & 1) != 0) {
		registry.at++;
		return pmon_err_set(err, PMON_E_IO, 0, "error 21");
	}
	answered = malloc(registry.lens[registry.at]);
	assert_non_null(answered);
	len = answer(registry.blocks[registry.at], registry.lens[registry.at], value, answered);
	status = give(answered, len, bytes, size, len_out);
	free(answered);
	if (status == PMON_OK && registry.n_asked > 1)
		registry.at++;
	return status;
}

void
pmon_win_end(void)
{
	registry.n_ended++;
}

void
pmon_win_version(char text[WIN_TEXT_BYTES])
{
	strcpy(text, "10.0.19045");
}

void
pmon_win_machine_guid(char text[WIN_TEXT_BYTES])
{
	strcpy(text, registry.guid != NULL ? registry.guid : "");
}

// ---- What is in it ----------------------------------------------------------------------------

static int
clear(void **state)
{
	(void)state;
	for (size_t i = 0; i < registry.n; i++)
		free(registry.blocks[i]);
	memset(&registry, 0, sizeof(registry));
	return 0;
}

// Add a block; its bytes belong to the registry.
static void
add_block(uint8_t *bytes, size_t len)
{
	assert_true(registry.n < MOST_BLOCKS);
	registry.blocks[registry.n] = bytes;
	registry.lens[registry.n++] = len;
}

static void
add_title(struct table *table, const char *index, const char *name)
{
	const char *texts[] = {index, name};

	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; i <= strlen(texts[t]); i++) {
			table->bytes[table->len++] = (uint8_t)texts[t][i];
			table->bytes[table->len++] = 0;
		}
}

static const struct pb_counter processor[] = {{6, 0x21510500, 8, 0}};  // % Processor Time
static const struct pb_counter available[] = {{24, 0x00010100, 8, 0}}; // Available Bytes
static const struct pb_counter other[] = {{9002, 0x00010000, 4, 0}};   // of a program

static void
add_second(int64_t second, uint64_t busy, uint64_t bytes)
{
	struct pb b = {0};

	pb_begin(&b, T0 + second * SECOND, second * PB_FREQ, "SRV");
	pb_object(&b, 4, available, 1, PB_NO_INST, 0);
	pb_values(&b, available, 1, &bytes);
	pb_object(&b, 238, processor, 1, 1, 0);
	pb_instance(&b, 0, 0, -1, "_Total");
	pb_values(&b, processor, 1, &busy);
	pb_object(&b, 9000, other, 1, PB_NO_INST, 0);
	pb_values(&b, other, 1, (uint64_t[]){7});
	pb_end(&b);
	add_block(b.bytes, b.len);
}

// The counter names of Windows in this language.
static void
add_names(bool german)
{
	struct table *tables[] = {&registry.english, &registry.names};

	for (size_t i = 0; i < 2; i++) {
		bool other_language = german && i == 1;

		add_title(tables[i], "4", other_language ? "Arbeitsspeicher" : "Memory");
		add_title(tables[i], "24",
			  other_language ? "Verfuegbare Bytes" : "Available Bytes");
		add_title(tables[i], "238", other_language ? "Prozessor" : "Processor");
		add_title(tables[i], "6",
			  other_language ? "Prozessorzeit (%)" : "% Processor Time");
		add_title(tables[i], "9000", other_language ? "Warteschlange" : "Queue");
		add_title(tables[i], "9002", other_language ? "Laenge" : "Length");
	}
}

// ---- Sampling ---------------------------------------------------------------------------------

static enum pmon_status
open_with(const struct pmon_live_options *options, struct pmon_source **source,
	  struct pmon_err *err)
{
	return pmon_live_open_system(&pmon_live_windows, options, source, err);
}

// All samples as text, with what these patterns select (NULL: everything).
static void
sample_all(struct dump *d, const char *const *patterns, struct pmon_live_options options)
{
	struct pmon_select *select;
	struct pmon_source *source;
	struct pmon_err err;

	*d = (struct dump){0};
	assert_int_equal(pmon_select_new(NULL, &select, &err), PMON_OK);
	for (; patterns != NULL && *patterns != NULL; patterns++)
		assert_int_equal(pmon_select_add(select, t_span(*patterns), &err), PMON_OK);
	options.select = select;
	options.notice = dump_notice;
	options.notice_ctx = d;
	if (open_with(&options, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(dump_read(d, source, &err), PMON_END);
	pmon_source_close(source);
	pmon_select_free(select);
}

static void
expect(const char *const *patterns, const char *want)
{
	struct dump d;

	sample_all(&d, patterns,
		   (struct pmon_live_options){.size = sizeof(struct pmon_live_options)});
	T_EQ_STR(d.text, want);
	dump_free(&d);
}

static void
two_samples(void **state)
{
	(void)state;
	add_names(false);
	add_second(0, 100, 5000);
	add_second(1, 200, 4000);
	expect(NULL, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		     "\\\\SRV\\Memory\\Available Bytes = 5000 0\n"
		     "\\\\SRV\\Processor(_Total)\\% Processor Time = 100 132223104000000000\n"
		     "\\\\SRV\\Queue\\Length = 7 0\n"
		     "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		     "\\\\SRV\\Memory\\Available Bytes = 4000 0\n"
		     "\\\\SRV\\Processor(_Total)\\% Processor Time = 200 132223104010000000\n"
		     "\\\\SRV\\Queue\\Length = 7 0\n");
	T_EQ_STR(registry.asked[0], "2");
	T_EQ_STR(registry.asked[1], "Global");
	assert_int_equal(registry.n_ended, 1);
}

// Windows only supplies what is requested.
static void
asks_for_objects(void **state)
{
	static const char *const exact[] = {"\\Processor(*)\\*", "\\queue\\length", NULL};
	static const char *const open[] = {"\\Processor(*)\\*", "\\Mem*\\*", NULL};
	static const char *const unknown[] = {"\\Nothing\\*", NULL};

	(void)state;
	add_names(false);
	add_second(0, 100, 5000);
	expect(exact, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Processor(_Total)\\% Processor Time = 100 132223104000000000\n"
		      "\\\\SRV\\Queue\\Length = 7 0\n");
	T_EQ_STR(registry.asked[1], "238 238 9000 9000"); // by both tables of names
	registry.at = registry.n_asked = 0;
	expect(open, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		     "\\\\SRV\\Memory\\Available Bytes = 5000 0\n"
		     "\\\\SRV\\Processor(_Total)\\% Processor Time = 100 132223104000000000\n");
	T_EQ_STR(registry.asked[1], "Global");
	registry.at = registry.n_asked = 0;
	expect(unknown, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n");
	T_EQ_STR(registry.asked[1], "Global");
}

// Series have the names of the user's language; patterns may have those or the English ones.
static void
other_language(void **state)
{
	static const char *const english[] = {"\\Processor(_Total)\\% Processor Time",
					      "\\Warteschlange\\*", NULL};
	static const char *const german[] = {"\\Arbeitsspeicher\\Verfuegbare Bytes", NULL};

	(void)state;
	add_names(true);
	add_second(0, 100, 5000);
	expect(english, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
			"\\\\SRV\\Prozessor(_Total)\\Prozessorzeit (%) = 100 132223104000000000\n"
			"\\\\SRV\\Warteschlange\\Laenge = 7 0\n");
	T_EQ_STR(registry.asked[1], "238 9000");
	registry.at = registry.n_asked = 0;
	expect(german, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		       "\\\\SRV\\Arbeitsspeicher\\Verfuegbare Bytes = 5000 0\n");
	T_EQ_STR(registry.asked[1], "4");
}

// Without tables of names, as under Wine, Windows' own counters have their well-known names.
static void
no_names(void **state)
{
	static const char *const patterns[] = {"\\Processor(_Total)\\*", "\\#9000\\*", NULL};

	(void)state;
	add_second(0, 100, 5000);
	expect(patterns,
	       "note some counters have no names here and are shown as #<index>: give the "
	       "machine's table of names (\"Counter 009\")\n"
	       "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
	       "\\\\SRV\\Processor(_Total)\\% Processor Time = 100 132223104000000000\n"
	       "\\\\SRV\\#9000\\#9002 = 7 0\n");
}

// ---- What goes wrong ----------------------------------------------------------------------------

// ERROR_MORE_DATA does not say how much there is.
static void
grows(void **state)
{
	struct pb b = {0};
	struct pmon_live_options options = {.size = sizeof(options),
					    .limits.record_bytes = 1000000};
	struct pmon_source *source;
	struct pmon_err err;
	struct dump d;

	(void)state;
	for (int i = 0; i < 2; i++) {
		b = (struct pb){0};
		pb_begin(&b, T0, 0, "SRV");
		pb_object(&b, 238, processor, 1, 1, 0);
		for (size_t n = 0; n < 12000; n++) {
			char name[16];

			(void)snprintf(name, sizeof(name), "%zu", n);
			pb_instance(&b, 0, 0, -1, name);
			pb_values(&b, processor, 1, (uint64_t[]){n});
		}
		pb_end(&b);
		add_block(b.bytes, b.len);
	}
	assert_in_range(b.len, 512 << 10, 1000000);
	sample_all(&d, NULL, options);
	assert_int_equal(d.n_samples, 2);
	assert_int_equal(d.n_values, 24000);
	assert_int_equal(registry.n_short, 2); // 256 and 512 KiB, once
	dump_free(&d);
	options.limits.record_bytes = b.len - 1;
	registry.at = registry.n_asked = 0;
	assert_int_equal(open_with(&options, &source, &err), PMON_OK);
	assert_int_equal(pmon_source_next(source, &(const struct pmon_sample *){NULL}, &err),
			 PMON_E_LIMIT);
	assert_non_null(strstr(err.msg, "choose counters with -c"));
	pmon_source_close(source);
}

static void
refused(void **state)
{
	struct pmon_live_options replay = {.size = sizeof(replay), .replay = "/trees"},
				 root = {.size = sizeof(root), .root = "/host"};
	struct pmon_live_options numbers = {.size = sizeof(numbers), .pid_names = true};
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	registry.refusal = "Windows does not let this user";
	assert_int_equal(open_with(NULL, &source, &err), PMON_E_IO);
	T_EQ_STR(err.msg, registry.refusal);
	registry.refusal = NULL;
	assert_int_equal(open_with(&replay, &source, &err), PMON_E_UNSUPPORTED);
	assert_int_equal(open_with(&root, &source, &err), PMON_E_UNSUPPORTED);
	assert_int_equal(open_with(&numbers, &source, &err), PMON_E_UNSUPPORTED);
	add_block(calloc(1, 200), 200);
	put32(registry.blocks[0] + HEAD_LENGTH_AT, 200);
	assert_int_equal(open_with(NULL, &source, &err), PMON_E_FORMAT);
}

// An object that is damaged in each sample is reported once; the others are sampled on.
static void
damaged(void **state)
{
	(void)state;
	add_names(false);
	add_second(0, 100, 5000);
	add_second(1, 200, 4000);
	for (size_t i = 0; i < 2; i++) {
		size_t at = get32(registry.blocks[i] + HEAD_LENGTH_AT);

		put32(registry.blocks[i] + at + 0x40, 2); // ByteLength of its definition
	}
	expect(NULL, "LOSS object Memory: its counter definitions are damaged\n"
		     "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		     "\\\\SRV\\Processor(_Total)\\% Processor Time = 100 132223104000000000\n"
		     "\\\\SRV\\Queue\\Length = 7 0\n"
		     "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		     "\\\\SRV\\Processor(_Total)\\% Processor Time = 200 132223104010000000\n"
		     "\\\\SRV\\Queue\\Length = 7 0\n");
}

// A query that fails, or whose answer is damaged, loses only its own sample. Its time is that of
// the clock.
static void
fails_for_a_while(void **state)
{
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	struct dump d = {0};
	struct pmon_live_options options = {
		.size = sizeof(options), .notice = dump_notice, .notice_ctx = &d};

	(void)state;
	add_names(false);
	for (int64_t second = 0; second < MOST_BLOCKS; second++)
		add_second(second, 100, 5000);
	registry.failures = 1 << 1;
	put32(registry.blocks[2], 0); // its signature
	assert_int_equal(open_with(&options, &source, &err), PMON_OK);
	for (size_t i = 0; i < MOST_BLOCKS; i++) {
		bool fails = i == 1 || i == 2;

		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		assert_int_equal(sample->ordinal, i);
		assert_int_equal(sample->n, fails ? 0 : 3);
		assert_int_equal(sample->time == T0 + (int64_t)i * SECOND, !fails);
	}
	T_EQ_STR(d.text, "LOSS a sample has no counters: error 21\n");
	assert_int_equal(pmon_source_info(source)->losses, 1);
	pmon_source_close(source);
	dump_free(&d);
}

static void
empty(void **state)
{
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 0, "VM");
	pb_end(&b);
	add_block(b.bytes, b.len);
	expect(NULL, "note Windows offers no performance objects here; \"lodctr /R\" as an "
		     "administrator sets them up again\n"
		     "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n");
}

static void
short_of_memory(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_live_options options = {.size = sizeof(options), .allocator = &allocator};
	struct pmon_err err;

	(void)state;
	add_names(true);
	add_second(0, 100, 5000);
	registry.guid = "0123456789abcdef0123456789abcdef";
	do {
		const struct pmon_sample *sample;
		struct pmon_source *source;
		enum pmon_status status;

		registry.at = registry.n_asked = memory.calls = 0;
		memory.fail_at++;
		status = open_with(&options, &source, &err);
		if (status == PMON_OK) {
			status = pmon_source_next(source, &sample, &err);
			pmon_source_close(source);
		}
		assert_int_equal(status, t_memory_sufficed(&memory) ? PMON_OK : PMON_E_NOMEM);
		assert_int_equal(memory.live_blocks, 0);
	} while (!t_memory_sufficed(&memory));
}

// ---- The machine --------------------------------------------------------------------------------

static void
facts(void **state)
{
	struct pmon_live_options options = {.size = sizeof(options), .machine = "web"};
	const struct pmon_source_info *info;
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	add_second(90, 100, 5000);
	registry.guid = "0123456789abcdef0123456789abcdef";
	assert_int_equal(open_with(NULL, &source, &err), PMON_OK);
	info = pmon_source_info(source);
	T_EQ_STR(info->machine, "SRV");
	T_EQ_STR(info->format, "Windows");
	T_EQ_STR(info->writer, "pmon " PMON_VERSION_TEXT " on Windows 10.0.19045");
	assert_true(info->live && info->sampled_by_pmon);
	T_EQ_I64(info->log_start, T0 + 90 * SECOND);
	T_EQ_I64(info->host->boot, T0); // PerfTime is 90 s
	T_EQ_I64(info->host->perf_freq, PB_FREQ);
	assert_int_equal(info->n_machines, 1);
	T_EQ_STR(info->machines[0].id, "c54036b723af49078c8ccadd03b47807"); // as in unit/machine_id
	pmon_source_close(source);
	registry.at = registry.n_asked = 0;
	assert_int_equal(open_with(&options, &source, &err), PMON_OK);
	T_EQ_STR(pmon_source_info(source)->machine, "web");
	pmon_source_close(source);
}

// ---- Real blocks --------------------------------------------------------------------------------

static const char *const object_files[] = {
	"LogicalDisk_236",  "Memory_4",    "NetworkInterface_510",
	"PhysicalDisk_234", "Process_230", "Processor_238",
	"System_2",         "TCPv4_638",
};

// One of several blocks for the same moment, with one object each, as Windows returns them.
static void
add_moment(int moment)
{
	uint8_t *all = NULL;
	size_t total = 0;

	for (size_t i = 0; i < T_LEN(object_files); i++) {
		char name[128];
		const char *path;
		char *bytes;
		size_t len, head;

		(void)snprintf(name, sizeof(name), "perfblock/windows/s%02d_%s.bin", moment,
			       object_files[i]);
		path = t_data_path(name);
		if (path == NULL)
			skip();
		bytes = t_read_file(path, &len);
		assert_non_null(bytes);
		head = i > 0 ? get32((uint8_t *)bytes + HEAD_LENGTH_AT) : 0;
		all = realloc(all, total + len);
		assert_non_null(all);
		memcpy(all + total, bytes + head, len - head);
		total += len - head;
		free(bytes);
	}
	put32(all + TOTAL_AT, total);
	put32(all + OBJECTS_AT, T_LEN(object_files));
	add_block(all, total);
}

static struct pmon_source *
open_files(void)
{
	struct pmon_source *source;
	struct pmon_err err;
	char path[1024];

	(void)snprintf(path, sizeof(path), "%s", t_data_path("perfblock/windows/s01_System_2.bin"));
	*strrchr(path, '/') = '\0';
	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return source;
}

static void
same_sample(struct pmon_source *a, const struct pmon_sample *x, struct pmon_source *b,
	    const struct pmon_sample *y)
{
	T_EQ_I64(x->time, y->time);
	assert_int_equal(x->n, y->n);
	for (size_t i = 0; i < x->n; i++) {
		const struct pmon_series *s = pmon_schema_at(pmon_source_schema(a), x->series[i]);
		const struct pmon_series *t = pmon_schema_at(pmon_source_schema(b), y->series[i]);

		T_EQ_SPAN(s->name, t->name.ptr);
		T_EQ_U64_AT(s->counter.type, t->counter.type, s->name.ptr);
		T_EQ_I64_AT(s->counter.time_base, t->counter.time_base, s->name.ptr);
		T_EQ_I64_AT(x->raw[i].first, y->raw[i].first, s->name.ptr);
		T_EQ_I64_AT(x->raw[i].second, y->raw[i].second, s->name.ptr);
		T_EQ_I64_AT(x->raw[i].time, y->raw[i].time, s->name.ptr);
	}
}

// Data captured from Windows gives the same values, counter by counter, whether sampled live or
// read as a log; unit/perfblock_real compares the latter with the binary log that Windows wrote.
static void
real_blocks(void **state)
{
	const struct pmon_sample *x, *y;
	struct pmon_source *live, *log;
	struct pmon_err err;
	uint64_t n = 0;

	(void)state;
	for (int moment = 1; moment <= 3; moment++)
		add_moment(moment);
	log = open_files();
	assert_int_equal(open_with(NULL, &live, &err), PMON_OK);
	T_EQ_STR(pmon_source_info(live)->machine, "ZACH-PC");
	while (pmon_source_next(live, &x, &err) == PMON_OK) {
		assert_int_equal(pmon_source_next(log, &y, &err), PMON_OK);
		same_sample(live, x, log, y);
		n += x->n;
	}
	assert_int_equal(pmon_source_next(log, &y, &err), PMON_END);
	assert_int_equal(pmon_schema_count(pmon_source_schema(live)),
			 1692); // as in unit/perfblock_real
	assert_in_range(n, 1692, 3 * 1692);
	pmon_source_close(live);
	pmon_source_close(log);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(two_samples, clear),
		cmocka_unit_test_teardown(asks_for_objects, clear),
		cmocka_unit_test_teardown(other_language, clear),
		cmocka_unit_test_teardown(no_names, clear),
		cmocka_unit_test_teardown(grows, clear),
		cmocka_unit_test_teardown(refused, clear),
		cmocka_unit_test_teardown(damaged, clear),
		cmocka_unit_test_teardown(fails_for_a_while, clear),
		cmocka_unit_test_teardown(empty, clear),
		cmocka_unit_test_teardown(short_of_memory, clear),
		cmocka_unit_test_teardown(facts, clear),
		cmocka_unit_test_teardown(real_blocks, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
