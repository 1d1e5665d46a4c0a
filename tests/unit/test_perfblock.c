// test_perfblock.c - PERF_DATA_BLOCK dumps that are built field by field
// SPDX-License-Identifier: MIT

#include "t.h"

#include <pmon/log.h>

#include "dump.h"
#include "faulty.h"
#include "format/format.h"
#include "moments.h"
#include "perfblock_build.h"

// Title indexes.
#define SYSTEM    2
#define MEMORY    4
#define PROCESS   230
#define THREAD    232
#define PROCESSOR 238

static const struct pb_counter memory[] = {
	{24, 0x00010100, 8, 0}, // Available Bytes, LARGE_RAWCOUNT
	{28, 0x10410400, 4, 0}, // Page Faults/sec, COUNTER
};

static const struct pb_counter processor[] = {
	{6, 0x21510500, 8, 0},  // % Processor Time, 100NSEC_TIMER_INV
	{144, 0x20410500, 8, 0} // % Privileged Time, TIMER
};

static const struct pb_counter process[] = {{784, 0x00010000, 4, 0},   // ID Process, RAWCOUNT
					    {684, 0x30240500, 8, -4}}; // Elapsed Time, ELAPSED_TIME

static void
memory_object(struct pb *b, uint64_t bytes, uint64_t faults)
{
	pb_object(b, MEMORY, memory, 2, PB_NO_INST, 0);
	pb_values(b, memory, 2, (uint64_t[]){bytes, faults});
}

static void
expect(struct pb *b, const char *want)
{
	struct dump d;

	dump_bytes(&d, b->bytes, b->len);
	T_EQ_STR(d.text, want);
	dump_free(&d);
	pb_free(b);
}

// ---- Blocks ---------------------------------------------------------------------------------

static void
build_two_objects(struct pb *b)
{
	pb_begin(b, T0, 777, "SRV");
	memory_object(b, 5, 6);
	pb_object(b, PROCESSOR, processor, 2, 1, 0);
	pb_instance(b, 0, 0, -1, "0");
	pb_values(b, processor, 2, (uint64_t[]){10, 11});
	pb_instance(b, 0, 0, -1, "_Total");
	pb_values(b, processor, 2, (uint64_t[]){20, UINT64_C(0x8000000000000001)});
	pb_end(b);
}

static const char two_objects[] =
	"2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
	"\\\\SRV\\Memory\\Available Bytes = 5 0\n"
	"\\\\SRV\\Memory\\Page Faults/sec = 6 777\n"
	"\\\\SRV\\Processor(0)\\% Processor Time = 10 132223104000000000\n"
	"\\\\SRV\\Processor(0)\\% Privileged Time = 11 777\n"
	"\\\\SRV\\Processor(_Total)\\% Processor Time = 20 132223104000000000\n"
	"\\\\SRV\\Processor(_Total)\\% Privileged Time = -9223372036854775807 777\n";

static void
little_and_big_endian(void **state)
{
	(void)state;
	for (uint32_t slack = 0; slack <= 24; slack += 8) {
		struct pb little = {.slack = slack};
		struct pb big = {.big_endian = true, .slack = slack};

		build_two_objects(&little);
		build_two_objects(&big);
		assert_int_equal(little.len, big.len);
		assert_memory_not_equal(little.bytes, big.bytes, big.len);
		expect(&little, two_objects);
		expect(&big, two_objects);
	}
}

static void
info_and_types(void **state)
{
	struct pb b = {.big_endian = true, .local_min = -240};
	const struct pmon_source_info *info;
	const struct pmon_series *series;
	struct pmon_source *source;

	(void)state;
	pb_begin(&b, T0, 777, "\\\\SRV");
	pb_object(&b, PROCESS, process, 2, 1, 0);
	pb_instance(&b, 0, 0, -1, "a");
	pb_values(&b, process, 2, (uint64_t[]){1, 2});
	pb_end(&b);
	source = open_bytes(b.bytes, b.len, NULL);
	info = pmon_source_info(source);
	T_EQ_STR(info->format, "PERF_DATA_BLOCK");
	T_EQ_STR(info->machine, "SRV");
	T_EQ_STR(info->writer, "");
	T_EQ_I64(info->utc_offset_min, -240);
	T_EQ_I64(info->log_start, PMON_TIME_NONE);
	T_EQ_U64(info->size_bytes, b.len);
	assert_int_equal(pmon_schema_count(pmon_source_schema(source)), 2);
	series = pmon_schema_at(pmon_source_schema(source), 1);
	T_EQ_SPAN(series->name, "\\\\SRV\\Process(a)\\Elapsed Time");
	T_EQ_U64(series->counter.type, PMON_PERF_ELAPSED_TIME);
	T_EQ_U64(series->counter.size_bytes, 8);
	T_EQ_I64(series->counter.default_scale, -4);
	T_EQ_I64(series->counter.time_base, 1000);
	pmon_source_close(source);
	pb_free(&b);
}

// A block without objects, as Wine answers: no error, and no sample either.
static void
no_objects(void **state)
{
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 777, "SRV");
	pb_end(&b);
	expect(&b, "");
}

// Objects that currently have no instances are present but empty.
static void
no_instances_now(void **state)
{
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 777, "SRV");
	pb_object(&b, PROCESSOR, processor, 2, 1, 0);
	pb_end(&b);
	expect(&b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n");
}

static void
bases_and_types(void **state)
{
	static const struct pb_counter c[] = {
		{206, 0x30020400, 8, 0},    // AVERAGE_TIMER, 8 bytes whatever the type says
		{206, 0x40030402, 4, 0},    // AVERAGE_BASE
		{200, 0x20570500, 8, 0},    // PRECISION_100NS_TIMER
		{200, 0x40030500, 8, 0},    // PRECISION_TIMESTAMP
		{10, 0x22410500, 8, 0},     // COUNTER_MULTI_TIMER
		{12, 0x42030500, 8, 0},     // COUNTER_MULTI_BASE
		{900001, 0x00000B00, 4, 0}, // TEXT: no number
		{684, 0x30240500, 8, 0},    // ELAPSED_TIME: the object's clock
		{6, 0x40000200, 0, 0},      // NODATA
		{28, 0x10410400, 3, 0},     // a size that no value has
	};
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 777, "");
	pb_object(&b, SYSTEM, c, T_LEN(c), PB_NO_INST, 0);
	pb_values(&b, c, T_LEN(c), (uint64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 0, 9});
	pb_end(&b);
	expect(&b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\System\\Avg. Disk sec/Transfer = 1 2\n"
		   "\\System\\% Disk Time = 3 4\n"
		   "\\System\\File Read Operations/sec = 5 777 x6\n"
		   "\\System\\Elapsed Time = 8 5000\n"
		   "\\System\\% Processor Time = 0 0\n"
		   "\\System\\Page Faults/sec = 0 0 x0 status C0000BBA\n");
}

// ---- Instances ------------------------------------------------------------------------------

static void
add_process(struct pb *b, const char *name, uint64_t id)
{
	pb_instance(b, 0, 0, -1, name);
	pb_values(b, process, 2, (uint64_t[]){id, 0});
}

// Names that occur twice are numbered, separately in each sample.
static void
duplicates(void **state)
{
	struct pb b = {0};

	(void)state;
	for (int k = 0; k < 2; k++) {
		pb_begin(&b, T0 + k * SECOND, 777 + k, "S");
		pb_object(&b, PROCESS, process, 1, 1, 0);
		if (k == 0)
			add_process(&b, "a", 1);
		add_process(&b, "b", 2);
		add_process(&b, "a", 3);
		pb_end(&b);
	}
	expect(&b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\S\\Process(a)\\ID Process = 1 0\n"
		   "\\\\S\\Process(b)\\ID Process = 2 0\n"
		   "\\\\S\\Process(a#1)\\ID Process = 3 0\n"
		   "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		   "\\\\S\\Process(b)\\ID Process = 2 0\n"
		   "\\\\S\\Process(a)\\ID Process = 3 0\n");
}

static const struct pb_counter thread[] = {{804, 0x00010000, 4, 0}};

static void
add_thread(struct pb *b, uint32_t parent_title, uint32_t parent, int32_t id, const char *name)
{
	pb_instance(b, parent_title, parent, id, name);
	pb_values(b, thread, 1, (uint64_t[]){parent});
}

// Parents are instances of another object of the moment, also in another block; and instances may
// have a number for a name.
static void
parents_and_numbers(void **state)
{
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 777, "S");
	pb_object(&b, THREAD, thread, 1, 1, 0);
	add_thread(&b, PROCESS, 1, -1, "0");
	add_thread(&b, PROCESS, 0, -1, "0");
	add_thread(&b, PROCESS, 0, 17, "");
	add_thread(&b, PROCESS, 99, -1, "0");
	add_thread(&b, 7777, 0, -1, "1");
	pb_end(&b);
	pb_begin(&b, T0, 777, "S");
	pb_object(&b, PROCESS, process, 1, 1, 0);
	add_process(&b, "a", 1);
	add_process(&b, "b", 2);
	pb_end(&b);
	expect(&b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\S\\Thread(b/0)\\ID Thread = 1 0\n"
		   "\\\\S\\Thread(a/0)\\ID Thread = 0 0\n"
		   "\\\\S\\Thread(a/17)\\ID Thread = 0 0\n"
		   "\\\\S\\Thread(0)\\ID Thread = 99 0\n"
		   "\\\\S\\Thread(1)\\ID Thread = 0 0\n"
		   "\\\\S\\Process(a)\\ID Process = 1 0\n"
		   "\\\\S\\Process(b)\\ID Process = 2 0\n");
}

static void
names_in_code_pages(void **state)
{
	static const struct {
		int32_t page;
		const char *name;
		const char *want;
		bool is_guess;
	} rows[] = {
		{0, "Gr\xC3\xB6\xC3\x9F\x65 \xE6\x97\xA5", "Gr\xC3\xB6\xC3\x9F\x65 \xE6\x97\xA5",
		 false},
		{1252, "Gr\xF6\xDF\x65 \x80", "Gr\xC3\xB6\xC3\x9F\x65 \xE2\x82\xAC", false},
		{65001, "Gr\xC3\xB6\xC3\x9F\x65", "Gr\xC3\xB6\xC3\x9F\x65", false},
		{65001, "Gr\xF6\xDF\x65", "Gr\xC3\xB6\xC3\x9F\x65", true},
		{932, "abc", "abc", false},
		{932, "\x8A\x84", "\xC5\xA0\xE2\x80\x9E", true},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pb b = {.big_endian = i % 2 == 1};
		struct dump d;
		char want[160];

		pb_begin(&b, T0, 777, "S");
		pb_object(&b, PROCESS, process, 1, 1, rows[i].page);
		add_process(&b, rows[i].name, 1);
		pb_end(&b);
		dump_bytes(&d, b.bytes, b.len);
		(void)snprintf(want, sizeof(want), "\\\\S\\Process(%s)\\ID Process = 1 0\n",
			       rows[i].want);
		assert_non_null(strstr(d.text, want));
		T_EQ_BOOL_AT(strstr(d.text, "may come out wrong") != NULL, rows[i].is_guess,
			     rows[i].want);
		dump_free(&d);
		pb_free(&b);
	}
}

// ---- Samples --------------------------------------------------------------------------------

// Blocks with the same clocks are one sample for each machine; others are samples of their own.
static void
moments(void **state)
{
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 777, "A");
	memory_object(&b, 1, 1);
	pb_end(&b);
	pb_begin(&b, T0, 777, "B");
	memory_object(&b, 2, 2);
	pb_end(&b);
	pb_begin(&b, T0, 777, "a");
	pb_object(&b, PROCESS, process, 1, 1, 0);
	add_process(&b, "x", 3);
	pb_end(&b);
	pb_begin(&b, T0, 778, "A");
	memory_object(&b, 4, 4);
	pb_end(&b);
	expect(&b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 1 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 1 777\n"
		   "\\\\A\\Process(x)\\ID Process = 3 0\n"
		   "2020-01-01T00:00:00Z stream 1 sample 0 offset 0\n"
		   "\\\\B\\Memory\\Available Bytes = 2 0\n"
		   "\\\\B\\Memory\\Page Faults/sec = 2 777\n"
		   "2020-01-01T00:00:00Z stream 0 sample 1 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 4 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 4 778\n");
}

// A block without objects between two others is a moment in which the counters were absent.
static void
an_empty_moment(void **state)
{
	struct pb b = {0};

	(void)state;
	for (int k = 0; k < 3; k++) {
		pb_begin(&b, T0 + k * SECOND, 777 + k, "A");
		if (k != 1)
			memory_object(&b, (uint64_t)k, 0);
		pb_end(&b);
	}
	expect(&b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 0 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 0 777\n"
		   "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 2 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 0 779\n");
}

static void
an_object_twice(void **state)
{
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 777, "A");
	memory_object(&b, 1, 1);
	memory_object(&b, 2, 2);
	pb_end(&b);
	expect(&b, "LOSS object Memory: is listed twice in a sample; using the first\n"
		   "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 1 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 1 777\n");
}

// Counters of an object may change; what stays keeps its series.
static void
definitions_change(void **state)
{
	struct pb b = {0};
	const struct pb_counter other[] = {memory[1], memory[0], memory[0]};

	(void)state;
	pb_begin(&b, T0, 777, "A");
	memory_object(&b, 1, 2);
	pb_end(&b);
	pb_begin(&b, T0 + SECOND, 778, "A");
	pb_object(&b, MEMORY, other, 3, PB_NO_INST, 0);
	pb_values(&b, other, 3, (uint64_t[]){3, 4, 5});
	pb_end(&b);
	expect(&b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 1 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 2 777\n"
		   "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 3 778\n"
		   "\\\\A\\Memory\\Available Bytes = 4 0\n"
		   "\\\\A\\Memory\\Available Bytes = 5 0\n");
}

// Which of two columns for the same counter a value belongs to does not depend on later data.
static void
a_counter_twice_in_another_order(void **state)
{
	const struct pb_counter other[] = {memory[1], memory[0], memory[0]};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 777, "A");
	memory_object(&b, 1, 2);
	pb_end(&b);
	for (int k = 1; k < 3; k++) {
		pb_begin(&b, T0 + k * SECOND, 778, "A");
		pb_object(&b, MEMORY, other, 3, PB_NO_INST, 0);
		pb_values(&b, other, 3, (uint64_t[]){3, 4, 5});
		pb_end(&b);
	}
	source = open_bytes(b.bytes, b.len, NULL);
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		for (int k = 1; k < 3; k++) {
			assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
			assert_int_equal(sample->n, 3);
			assert_int_equal(sample->series[0], 1);
			assert_int_equal(sample->series[1], 0);
			assert_int_equal(sample->series[2], 2);
		}
		assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	}
	pmon_source_close(source);
	pb_free(&b);
}

// ---- Times ----------------------------------------------------------------------------------

static void
offsets_to_utc(void **state)
{
	static const struct {
		int32_t local_min;
		int32_t want;
	} rows[] = {{0, 0},       {-240, -240}, {330, 330}, {345, 345},
		    {-840, -840}, {7, 0},       {1000, 0},  {60 * 24 * 365, 0}};
	char want[80];

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pb b = {.local_min = rows[i].local_min};
		struct dump d;

		pb_begin(&b, T0, 777, "A");
		memory_object(&b, 1, 1);
		pb_end(&b);
		dump_bytes(&d, b.bytes, b.len);
		(void)snprintf(want, sizeof(want),
			       "2020-01-01T00:00:00Z stream 0 sample 0 offset %d\n",
			       (int)rows[i].want);
		assert_memory_equal(d.text, want, strlen(want));
		dump_free(&d);
		pb_free(&b);
	}
}

// If PerfTime100nSec is invalid, SystemTime is used. Without either there is no sample.
static void
invalid_times(void **state)
{
	struct pb b = {0};

	(void)state;
	pb_begin(&b, T0, 777, "A");
	memory_object(&b, 1, 1);
	pb_end(&b);
	memset(b.bytes + 72, 0, 8);
	pb_begin(&b, T0 + SECOND, 777, "A");
	memory_object(&b, 2, 2);
	pb_end(&b);
	memset(b.bytes + b.block + 72, 0, 8);
	memset(b.bytes + b.block + 36, 0xFF, 16);
	expect(&b, "LOSS a block has no time\n"
		   "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 1 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 1 777\n");
}

// ---- Lengths --------------------------------------------------------------------------------

// Samba's blocks; its title indexes are its own, so without its table there are no names.
static void
lengths_without_head(void **state)
{
	struct pb b = {.without_head = true};

	(void)state;
	for (int k = 0; k < 2; k++) {
		pb_begin(&b, T0 + k * SECOND, 777 + k, "A");
		memory_object(&b, (uint64_t)k, 1);
		pb_end(&b);
	}
	expect(&b, "note the lengths of blocks are without their heads, as Samba writes them\n"
		   "note some counters have no names here and are shown as #<index>: give the "
		   "machine's table of names (\"Counter 009\")\n"
		   "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\A\\#4\\#24 = 0 0\n"
		   "\\\\A\\#4\\#28 = 1 777\n"
		   "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		   "\\\\A\\#4\\#24 = 1 0\n"
		   "\\\\A\\#4\\#28 = 1 778\n");
}

static void
zeros_between_blocks(void **state)
{
	struct pb b = {0};

	(void)state;
	for (int k = 0; k < 2; k++) {
		pb_begin(&b, T0 + k * SECOND, 777, "A");
		memory_object(&b, 1, 1);
		pb_end(&b);
		for (int i = 0; i < 5003; i++)
			pb_zero(&b);
	}
	expect(&b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 1 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 1 777\n"
		   "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		   "\\\\A\\Memory\\Available Bytes = 1 0\n"
		   "\\\\A\\Memory\\Page Faults/sec = 1 777\n");
}

// ---- Damage ---------------------------------------------------------------------------------

// The complete objects of a truncated block are read.
static void
a_cut_block(void **state)
{
	struct pb b = {0};

	(void)state;
	build_two_objects(&b);
	b.len -= 8;
	expect(&b, "LOSS a block is cut off: reading what is whole in it\n"
		   "LOSS an object in a block is damaged; skipping it and the rest of the block\n"
		   "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\SRV\\Memory\\Available Bytes = 5 0\n"
		   "\\\\SRV\\Memory\\Page Faults/sec = 6 777\n");
}

// A block that was cut where the next one begins.
static void
a_cut_block_before_another(void **state)
{
	struct pb b = {.big_endian = true};

	(void)state;
	build_two_objects(&b);
	b.len -= 8;
	pb_begin(&b, T0 + SECOND, 778, "SRV");
	memory_object(&b, 7, 8);
	pb_end(&b);
	// The first block states a length that ends inside the second, which is then read as if it
	// were complete.
	pb_patch(&b, 20, 100000);
	expect(&b, "LOSS a block is cut off: reading what is whole in it\n"
		   "LOSS an object in a block is damaged; skipping it and the rest of the block\n"
		   "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\SRV\\Memory\\Available Bytes = 5 0\n"
		   "\\\\SRV\\Memory\\Page Faults/sec = 6 777\n"
		   "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		   "\\\\SRV\\Memory\\Available Bytes = 7 0\n"
		   "\\\\SRV\\Memory\\Page Faults/sec = 8 778\n");
}

static void
a_damaged_object(void **state)
{
	struct pb b = {0};

	(void)state;
	build_two_objects(&b);
	pb_patch(&b, b.object + 64, 4); // the length of its first definition
	expect(&b, "LOSS object Processor: its counter definitions are damaged\n"
		   "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\SRV\\Memory\\Available Bytes = 5 0\n"
		   "\\\\SRV\\Memory\\Page Faults/sec = 6 777\n");
	build_two_objects(&b);
	pb_patch(&b, b.object + 40, 1000); // the number of its instances
	expect(&b, "LOSS object Processor: its instances are damaged\n"
		   "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		   "\\\\SRV\\Memory\\Available Bytes = 5 0\n"
		   "\\\\SRV\\Memory\\Page Faults/sec = 6 777\n");
}

static void
damaged_heads(void **state)
{
	struct pb b = {0};
	struct dump d;

	(void)state;
	for (int k = 0; k < 3; k++) {
		pb_begin(&b, T0 + k * SECOND, 777, "A");
		memory_object(&b, 1, 1);
		if (k == 1)
			b.bytes[b.block] = 'Q';
		pb_end(&b);
	}
	dump_bytes(&d, b.bytes, b.len);
	assert_int_equal(d.n_samples, 2);
	T_EQ_I64(strncmp(d.text, "LOSS bytes that belong to no complete block\n", 38), 0);
	dump_free(&d);
	b.bytes[b.block / 2] = 'P';
	pb_patch(&b, b.block / 2 + 24, 3); // shorter than a head can be
	dump_bytes(&d, b.bytes, b.len);
	assert_int_equal(d.n_samples, 2);
	T_EQ_I64(strncmp(d.text, "LOSS the head of a block is damaged\n", 36), 0);
	dump_free(&d);
	pb_free(&b);
}

static void
nothing_readable(void **state)
{
	static const char head[] = "P\0E\0R\0F\0\1\0\0\0\1\0\0";
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_file_memory(head, sizeof(head), NULL, &file, &err), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, NULL, &source, &err), PMON_E_FORMAT);
	assert_null(source);
	T_EQ_STR(err.msg, "the beginning of a PERF_DATA_BLOCK, but no complete block");
}

// ---- Texts ----------------------------------------------------------------------------------

// PERF_COUNTER_TEXT of winperf.h; the text is in the block, in UTF-16.
static const struct pb_counter text_counters[] = {{28, 0x10410400, 4, 0}, {30, 0x00000B00, 8, 0}};

static uint64_t
text_of(char a, char b, char c)
{
	return (uint64_t)(uint8_t)a | (uint64_t)(uint8_t)b << 16 | (uint64_t)(uint8_t)c << 32;
}

static void
build_texts(struct pb *b)
{
	for (int k = 0; k < 3; k++) {
		pb_begin(b, T0 + k * SECOND, 777 + k, "SRV");
		pb_object(b, 230, text_counters, 2, 1, 0);
		for (int i = 0; i < 3; i++) {
			pb_instance(b, 0, 0, -1, i == 0 ? "a" : "b");
			pb_values(b, text_counters, 2,
				  (uint64_t[]){1, text_of('x', (char)('0' + k), (char)('0' + i))});
		}
		pb_end(b);
	}
}

static void
texts_in_blocks(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .texts = true};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	struct pb b = {0};
	size_t n = 0;

	(void)state;
	build_texts(&b);
	source = open_bytes(b.bytes, b.len, &options);
	for (int k = 0; pmon_source_next(source, &sample, &err) == PMON_OK; k++) {
		int i = 0;

		for (size_t v = 0; v < sample->n; v++) {
			const struct pmon_series *s =
				pmon_schema_at(pmon_source_schema(source), sample->series[v]);
			char want[] = {'x', (char)('0' + k), (char)('0' + i), '\0'};

			if (s->counter.type != 0xB00)
				continue;
			T_EQ_SPAN(pmon_series_text(s, &sample->raw[v]), want);
			i++;
			n++;
		}
	}
	assert_int_equal(n, 9);
	pmon_source_close(source);
	faulty_allocations("texts", b.bytes, b.len);
	faulty_reads("texts", b.bytes, b.len);
	pb_free(&b);
}

// ---- Limits ---------------------------------------------------------------------------------

static enum pmon_status
read_limited(const struct pb *b, const struct pmon_limits *limits, struct dump *d)
{
	struct pmon_log_options options = {
		.size = sizeof(options), .limits = *limits, .notice = dump_notice, .notice_ctx = d};
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;
	enum pmon_status status;

	assert_int_equal(pmon_file_memory(b->bytes, b->len, NULL, &file, &err), PMON_OK);
	status = pmon_log_open_file(file, &options, &source, &err);
	if (status == PMON_OK) {
		status = dump_read(d, source, &err);
		pmon_source_close(source);
	}
	return status;
}

static void
limits(void **state)
{
	struct pb b = {0};
	struct dump d = {0};

	(void)state;
	build_two_objects(&b);
	assert_int_equal(read_limited(&b, &(struct pmon_limits){.series = 5}, &d), PMON_E_LIMIT);
	assert_int_equal(read_limited(&b, &(struct pmon_limits){.series = 6}, &d), PMON_END);
	assert_int_equal(read_limited(&b, &(struct pmon_limits){.record_bytes = b.len}, &d),
			 PMON_END);
	assert_int_equal(read_limited(&b, &(struct pmon_limits){.record_bytes = b.len - 1}, &d),
			 PMON_E_FORMAT);
	assert_non_null(strstr(d.text, "LOSS a block is larger than the limit\n"));
	assert_int_equal(read_limited(&b, &(struct pmon_limits){.string_bytes = 5}, &d), PMON_END);
	assert_non_null(strstr(d.text, "LOSS object Processor: the name of an instance is too "
				       "long\n"));
	dump_free(&d);
	pb_free(&b);
}

static bool
want_privileged(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return pmon_text_match(PMON_SPAN("*Privileged*"), path->counter);
}

static void
only_requested_counters(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .want = want_privileged};
	struct pb b = {0};
	struct pmon_source *source;
	struct pmon_err err;
	struct dump d = {0};

	(void)state;
	build_two_objects(&b);
	source = open_bytes(b.bytes, b.len, &options);
	assert_int_equal(dump_read(&d, source, &err), PMON_END);
	T_EQ_STR(d.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
			 "\\\\SRV\\Processor(0)\\% Privileged Time = 11 777\n"
			 "\\\\SRV\\Processor(_Total)\\% Privileged Time = -9223372036854775807 "
			 "777\n");
	assert_int_equal(pmon_schema_count(pmon_source_schema(source)), 2);
	pmon_source_close(source);
	dump_free(&d);
	pb_free(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(little_and_big_endian),
		cmocka_unit_test(info_and_types),
		cmocka_unit_test(no_objects),
		cmocka_unit_test(no_instances_now),
		cmocka_unit_test(bases_and_types),
		cmocka_unit_test(duplicates),
		cmocka_unit_test(parents_and_numbers),
		cmocka_unit_test(names_in_code_pages),
		cmocka_unit_test(moments),
		cmocka_unit_test(an_empty_moment),
		cmocka_unit_test(an_object_twice),
		cmocka_unit_test(definitions_change),
		cmocka_unit_test(a_counter_twice_in_another_order),
		cmocka_unit_test(offsets_to_utc),
		cmocka_unit_test(invalid_times),
		cmocka_unit_test(lengths_without_head),
		cmocka_unit_test(zeros_between_blocks),
		cmocka_unit_test(a_cut_block),
		cmocka_unit_test(a_cut_block_before_another),
		cmocka_unit_test(a_damaged_object),
		cmocka_unit_test(damaged_heads),
		cmocka_unit_test(nothing_readable),
		cmocka_unit_test(texts_in_blocks),
		cmocka_unit_test(limits),
		cmocka_unit_test(only_requested_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
