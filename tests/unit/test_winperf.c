// test_winperf.c - Checkmk winperf sections, generated and real
// SPDX-License-Identifier: MIT

#include "t.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pmon/log.h>
#include <pmon/query.h>

#include "dump.h"
#include "format/format.h"

static void
expect(const char *text, const char *want)
{
	struct dump d;

	dump_bytes(&d, text, strlen(text));
	T_EQ_STR(d.text, want);
	dump_free(&d);
}

#define NAMELESS                                                                                   \
	"note some counters have no names here and are shown by their numbers: give the "          \
	"machine's "                                                                               \
	"table of names (\"Counter 009\")\n"

// ---- Sections -------------------------------------------------------------------------------

static void
a_section(void **state)
{
	(void)state;
	expect("<<<winperf_processor>>>\n"
	       "1556221294.75 238 10000000\n"
	       "3 instances: 0 1 _Total\n"
	       "-232 20854932656250 20941215937500 20905725625000 100nsec_timer_inv\n"
	       "-90 506534602 346655884 1713966637 counter\n"
	       "1098 2 0 3 rawcount\n",
	       "2019-04-25T19:41:34.75Z stream 0 sample 0 offset 0\n"
	       "\\Processor(0)\\% Processor Time = 20854932656250 132006948947500000\n"
	       "\\Processor(1)\\% Processor Time = 20941215937500 132006948947500000\n"
	       "\\Processor(_Total)\\% Processor Time = 20905725625000 132006948947500000\n"
	       "\\Processor(0)\\Interrupts/sec = 506534602 132006948947500000\n"
	       "\\Processor(1)\\Interrupts/sec = 346655884 132006948947500000\n"
	       "\\Processor(_Total)\\Interrupts/sec = 1713966637 132006948947500000\n"
	       "\\Processor(0)\\DPC Rate = 2 0\n"
	       "\\Processor(1)\\DPC Rate = 0 0\n"
	       "\\Processor(_Total)\\DPC Rate = 3 0\n");
}

// Only the body of a section, with Windows line ends and a byte order mark.
static void
a_bare_body(void **state)
{
	(void)state;
	expect("\xEF\xBB\xBF"
	       "1440580801.44 4 3579545\r\n24 5203433 counter\r\n\r\n",
	       "2015-08-26T09:20:01.44Z stream 0 sample 0 offset 0\n"
	       "\\Memory\\Page Faults/sec = 5203433 130850544014400000\n");
	expect("1440580801.44 230\n0 instances:\n554 rawcount\n",
	       "2015-08-26T09:20:01.44Z stream 0 sample 0 offset 0\n");
}

static void
agent_output(void **state)
{
	(void)state;
	expect("<<<check_mk>>>\n"
	       "Version: 2.3.0p12\n"
	       "Hostname: SRV1\n"
	       "<<<winperf_mem>>>\n"
	       "<<<winperf_mem>>>\n"
	       "1440580801.40 4 10000000\n"
	       "24 1 counter\n"
	       "<<<winperf_if:sep(44)>>>\n"
	       "Node,MACAddress\n"
	       "1440580801.41 4 10000000\n"
	       "<<<winperf_tcp_conn:persist(1)>>>\n"
	       "1440580801.45 638 10000000\n"
	       "4 7 rawcount\n"
	       "<<<systemtime>>>\n"
	       "1440580802\n"
	       "<<<<SRV2>>>>\n"
	       "<<<winperf_mem>>>\n"
	       "1440580801.46 4 10000000\n"
	       "24 2 counter\n"
	       "<<<<>>>>\n"
	       "<<<winperf_system>>>\n"
	       "1440580801.47 2 10000000\n"
	       "42 3 rawcount\n",
	       "2015-08-26T09:20:01.4Z stream 1 sample 0 offset 0\n"
	       "\\\\SRV1\\Memory\\Page Faults/sec = 1 130850544014000000\n"
	       "\\\\SRV1\\TCPv4\\Connections Established = 7 0 time +50ms\n"
	       "2015-08-26T09:20:01.46Z stream 2 sample 0 offset 0\n"
	       "\\\\SRV2\\Memory\\Page Faults/sec = 2 130850544014600000\n"
	       "2015-08-26T09:20:01.47Z stream 1 sample 1 offset 0\n"
	       "\\\\SRV1\\System\\Processor Queue Length = 3 0\n");
}

// Only the head of the agent itself names its machine, and a section has a name.
static void
heads_that_look_alike(void **state)
{
	static const char section[] = "<<<winperf_mem>>>\n1440580801.0 4\n24 1 counter\n";
	static const struct {
		const char *head;
		const char *machine; // as it stands before the object
	} rows[] = {
		{"<<<check_mk>>>\nHostname: A\n", "\\\\A"},
		{"<<<check_mk_agent>>>\nHostname: A\n", ""},
		{"<<<<B>>>>\n<<<check_mk>>>\nHostname: A\n", "\\\\B"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		char text[200], want[100];
		struct dump d;

		(void)snprintf(text, sizeof(text), "%s%s", rows[i].head, section);
		(void)snprintf(want, sizeof(want),
			       "%s\\Memory\\Page Faults/sec = 1 130850544010000000\n",
			       rows[i].machine);
		dump_bytes(&d, text, strlen(text));
		T_EQ_STR_AT(strchr(d.text, '\n') + 1, want, rows[i].head);
		dump_free(&d);
	}
}

// ---- Samples --------------------------------------------------------------------------------

// A repeated section begins a new sample, and so does one that comes much later.
static void
samples(void **state)
{
	(void)state;
	expect("<<<winperf_mem>>>\n1440580801.0 4\n24 1 counter\n"
	       "<<<winperf_system>>>\n1440580801.5 2\n42 1 rawcount\n"
	       "<<<winperf_mem>>>\n1440580802.0 4\n24 2 counter\n"
	       "1440580803.0 4\n24 3 counter\n"
	       "<<<winperf_system>>>\n1440580814.0 2\n42 4 rawcount\n",
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\Memory\\Page Faults/sec = 1 130850544010000000\n"
	       "\\System\\Processor Queue Length = 1 0 time +500ms\n"
	       "2015-08-26T09:20:02Z stream 0 sample 1 offset 0\n"
	       "\\Memory\\Page Faults/sec = 2 130850544020000000\n"
	       "2015-08-26T09:20:03Z stream 0 sample 2 offset 0\n"
	       "\\Memory\\Page Faults/sec = 3 130850544030000000\n"
	       "2015-08-26T09:20:14Z stream 0 sample 3 offset 0\n"
	       "\\System\\Processor Queue Length = 4 0\n");
}

static void
an_object_by_two_sections(void **state)
{
	(void)state;
	expect("<<<winperf_mem>>>\n1440580801.0 4\n24 1 counter\n"
	       "<<<winperf_4>>>\n1440580801.1 4\n24 2 counter\n",
	       "LOSS section 4: its object is already in the sample; using the first\n"
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\Memory\\Page Faults/sec = 1 130850544010000000\n");
}

// ---- Types ----------------------------------------------------------------------------------

static void
bases(void **state)
{
	(void)state;
	expect("<<<winperf_phydisk>>>\n"
	       "1440580801.0 234 10000000\n"
	       "2 instances: 0_C: _Total\n"
	       "-34 1 2 type(20570500)\n"
	       "-34 3 4 type(40030500)\n"
	       "-32 5 6 type(542573824)\n"
	       "-32 7 8 type(1073939712)\n"
	       "-28 9 10 average_timer\n"
	       "-28 11 12 average_base\n"
	       "-26 13 14 average_base\n"
	       "2002 x y text\n",
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\PhysicalDisk(0_C:)\\% Disk Time = 1 3\n"
	       "\\PhysicalDisk(_Total)\\% Disk Time = 2 4\n"
	       "\\PhysicalDisk(0_C:)\\% Disk Read Time = 5 7\n"
	       "\\PhysicalDisk(_Total)\\% Disk Read Time = 6 8\n"
	       "\\PhysicalDisk(0_C:)\\Avg. Disk sec/Transfer = 9 11\n"
	       "\\PhysicalDisk(_Total)\\Avg. Disk sec/Transfer = 10 12\n");
}

static void
types_and_sizes(void **state)
{
	static const struct {
		const char *word;
		uint32_t type;
		uint8_t size;
		int64_t time_base;
		int64_t second;
	} rows[] = {
		{"rawcount", 0x00010000, 4, 0, 0},
		{"rawcount_hex", 0x00000000, 4, 0, 0},
		{"large_rawcount", 0x00010100, 8, 0, 0},
		{"large_rawcount_HEX", 0x00000100, 8, 0, 0},
		{"counter", 0x10410400, 4, 10000000, 130850544010000000},
		{"bulk_count", 0x10410500, 8, 10000000, 130850544010000000},
		{"sample_counter", 0x00410400, 4, 10000000, 130850544010000000},
		{"timer", 0x20410500, 8, 3579545, 5156623803315545},
		{"timer_inv", 0x21410500, 8, 3579545, 5156623803315545},
		{"queuelen_type", 0x00450400, 4, 3579545, 5156623803315545},
		{"100nsec_timer", 0x20510500, 8, 10000000, 130850544010000000},
		{"100nsec_timer_inv", 0x21510500, 8, 10000000, 130850544010000000},
		{"100nsec_multi_timer", 0x22510500, 8, 10000000, 130850544010000000},
		{"average_timer", 0x30020400, 4, 3579545, 0},
		{"average_bulk", 0x40020500, 8, 3579545, 0},
		{"raw_fraction", 0x20020400, 4, 3579545, 0},
		{"sample_fraction", 0x20C20400, 4, 3579545, 0},
		{"nodata", 0x40000200, 0, 0, 0},
		{"type(550500)", 0x00550500, 4, 10000000, 130850544010000000},
		{"type(5571840)", 0x00550500, 8, 10000000, 130850544010000000},
		{"type(20610500)", 0x20610500, 4, 0, 0}, // the object's own clock
		{"type(650500)", 0x00650500, 4, 0, 0},
		{"type(123456)", 123456, 0, 0, 0}, // unknown
		{"type(ABCD0000)", 0xABCD0000, 4, 0, 0},
	};
	const struct pmon_sample *sample;
	struct pmon_err err;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_source *source;
		const struct pmon_counter *counter;
		char text[120];

		(void)snprintf(text, sizeof(text), "1440580801.0 4 3579545\n24 5 %s\n",
			       rows[i].word);
		source = open_bytes(text, strlen(text), NULL);
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		assert_int_equal(sample->n, 1);
		counter = &pmon_schema_at(pmon_source_schema(source), 0)->counter;
		T_EQ_U64_AT(counter->type, rows[i].type, rows[i].word);
		T_EQ_U64_AT(counter->size_bytes, rows[i].size, rows[i].word);
		T_EQ_I64_AT(counter->time_base, rows[i].time_base, rows[i].word);
		T_EQ_I64_AT(sample->raw[0].second, rows[i].second, rows[i].word);
		pmon_source_close(source);
	}
}

// Without the ticks of the performance clock, what divides by them has no value; rates have.
static void
no_frequency(void **state)
{
	(void)state;
	expect("1440580801.0 234\n-28 9 average_timer\n-28 11 average_base\n-22 7 counter\n"
	       "-20 7 timer\n",
	       "note the agent does not report the frequency of the performance clock: "
	       "counters of time have no values\n"
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\PhysicalDisk\\Avg. Disk sec/Transfer = 9 11\n"
	       "\\PhysicalDisk\\Disk Transfers/sec = 7 130850544010000000\n"
	       "\\PhysicalDisk\\Disk Reads/sec = 7 0\n");
}

// The start of a process is a moment; anything else is in ticks of a clock that is not known.
static void
elapsed_times(void **state)
{
	(void)state;
	expect("1440580801.0 230\n3 instances: a b c\n"
	       "454 130850544000000000 17 999999999999999999 elapsed_time\n",
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\Process(a)\\Elapsed Time = 130850544000000000 130850544010000000\n"
	       "\\Process(b)\\Elapsed Time = 0 0 status C0000BBA\n"
	       "\\Process(c)\\Elapsed Time = 0 0 status C0000BBA\n");
	expect("1440580801.0 230\n1 instance: a\n454 130850544000000000 elapsed_time\n",
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\Process(a)\\Elapsed Time = 130850544000000000 130850544010000000\n");
}

// Numbers of counters, and frequencies, that Windows cannot have.
static void
numbers_that_are_too_large(void **state)
{
	(void)state;
	expect("1440580801.0 4294967295\n24 1 rawcount\n",
	       NAMELESS "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
			"\\#4294967295\\+24 = 1 0\n");
	expect("1440580801.0 238 4294967296\n1 instance: 0\n-90 1 counter\n-94 7 type(20410500)\n",
	       "note the agent does not report the frequency of the performance clock: "
	       "counters of "
	       "time have no values\n"
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\Processor(0)\\Interrupts/sec = 1 130850544010000000\n"
	       "\\Processor(0)\\% Privileged Time = 7 0\n");
}

// The table of names of the machine, as the registry has it.
static void
names_of_the_machine(void **state)
{
	static const char table[] = "4\0\0\0S\0p\0\0\0" // UTF-16: "4", "Sp"
				    "2\0"
				    "8\0\0\0F\0\0\0\0"; // "28", "F"
	static const char text[] = "1440580801.0 4\n24 1 counter\n26 2 counter\n";
	char path[] = "/tmp/pmon-names-XXXXXX";
	struct pmon_log_options options = {.size = sizeof(options), .names = path};
	struct pmon_source *source;
	struct dump d = {0};
	struct pmon_err err;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	t_write_file(path, table, sizeof(table));
	source = open_bytes(text, sizeof(text) - 1, &options);
	assert_int_equal(dump_read(&d, source, &err), PMON_END);
	T_EQ_STR(d.text, "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
			 "\\Sp\\F = 1 130850544010000000\n"
			 "\\Sp\\#30 = 2 130850544010000000\n");
	dump_free(&d);
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

// The values of Checkmk's own test of its processor check.
static void
values_as_checkmk_has_them(void **state)
{
	static const struct {
		const char *path;
		double want;
	} rows[] = {
		{"\\Processor(2)\\% Processor Time", 99.99983122362869},
		{"\\Processor(_Total)\\% User Time", 0.0005063291139240507},
		{"\\Processor(_Total)\\% Privileged Time", 1.687763713080169e-05},
	};
	static const char text[] = "<<<winperf_processor>>>\n"
				   "1556221234.75 238 10000000\n"
				   "2 instances: 2 _Total\n"
				   "-232 20905725624000 20905725624000 "
				   "100nsec_timer_inv\n"
				   "-96 1 746619411062 100nsec_timer\n"
				   "-94 1 91225078025 100nsec_timer\n"
				   "<<<winperf_processor>>>\n"
				   "1556221294.00 238 10000000\n"
				   "2 instances: 2 _Total\n"
				   "-232 20905725625000 20905725625000 "
				   "100nsec_timer_inv\n"
				   "-96 1 746619414062 100nsec_timer\n"
				   "-94 1 91225078125 100nsec_timer\n";
	struct pmon_source *source = open_bytes(text, strlen(text), NULL);
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	const struct pmon_value *values = NULL;
	struct pmon_err err;

	(void)state;
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err),
		PMON_OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, &err), PMON_OK);
	}
	for (size_t i = 0; i < T_LEN(rows); i++) {
		bool found = false;

		for (size_t k = 0; k < sample->n; k++) {
			if (strcmp(pmon_schema_at(pmon_source_schema(source), sample->series[k])
					   ->name.ptr,
				   rows[i].path) != 0)
				continue;
			assert_true(fabs(values[k].value - rows[i].want) <= 1e-15 * rows[i].want);
			found = true;
		}
		assert_true(found);
	}
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// ---- Names ----------------------------------------------------------------------------------

// Indexes of objects that were installed later differ from machine to machine.
static void
objects_without_names(void **state)
{
	(void)state;
	expect("<<<winperf_ts_sessions>>>\n1385714515.93 2102\n2 20 rawcount\n-4 1 rawcount\n",
	       NAMELESS "2013-11-29T08:41:55.93Z stream 0 sample 0 offset 0\n"
			"\\ts_sessions\\+2 = 20 0\n"
			"\\ts_sessions\\-4 = 1 0\n");
	expect("1385714515.93 2102\n2 20 rawcount\n",
	       NAMELESS "2013-11-29T08:41:55.93Z stream 0 sample 0 offset 0\n"
			"\\#2102\\+2 = 20 0\n");
	expect("1385714515.93 510\n1086 20 rawcount\n",
	       NAMELESS "2013-11-29T08:41:55.93Z stream 0 sample 0 offset 0\n"
			"\\Network Interface\\#1596 = 20 0\n");
}

static void
instances(void **state)
{
	(void)state;
	expect("1440580801.0 234\n4 instances: a a b\xF6 priorit\xC3\xA4t\n-36 1 2 3 4 rawcount\n",
	       "note instance names are not UTF-8: treating them as Windows-1252\n"
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\PhysicalDisk(a)\\Current Disk Queue Length = 1 0\n"
	       "\\PhysicalDisk(a#1)\\Current Disk Queue Length = 2 0\n"
	       "\\PhysicalDisk(b\xC3\xB6)\\Current Disk Queue Length = 3 0\n"
	       "\\PhysicalDisk(priorit\xC3\xA4t)\\Current Disk Queue Length = 4 0\n");
}

// ---- Damage ---------------------------------------------------------------------------------

static void
damaged_lines(void **state)
{
	(void)state;
	expect("<<<winperf_mem>>>\n"
	       "24 1 counter\n"
	       "1440580801.0 4\n"
	       "24 1 2 counter\n"
	       "24 1 strange\n"
	       "24\n"
	       "x 1 counter\n"
	       "24 1 counter\n"
	       "20 y rawcount\n"
	       "26 1 type(XY)\n"
	       "<<<winperf_phydisk>>>\n"
	       "1440580801.1 234\n"
	       "3 instances: 0_C: _Total\n"
	       "-36 1 2 rawcount\n",
	       "LOSS a line of a section without a preceding time stamp\n"
	       "LOSS section mem: the numbers of values and instances differ\n"
	       "LOSS section mem: a line that is not a counter\n"
	       "LOSS section mem: a line that is not a counter\n"
	       "LOSS section mem: a line that is not a counter\n"
	       "LOSS section mem: a line that is not a counter\n"
	       "LOSS section phydisk: the numbers of names and instances differ\n"
	       "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
	       "\\Memory\\Page Faults/sec = 1 130850544010000000\n"
	       "\\Memory\\Available Bytes = 0 0 status C0000BBA\n");
}

static void
no_counters(void **state)
{
	const char *text = "<<<check_mk>>>\nVersion: 1\n<<<df>>>\n";
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_file_memory(text, strlen(text), NULL, &file, &err), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, NULL, &source, &err), PMON_E_FORMAT);
	assert_null(source);
	T_EQ_STR(err.msg, "the output of a Checkmk agent without winperf sections: it contains "
			  "no performance counters");
}

// Texts that only look like sections.
static void
not_winperf(void **state)
{
	static const char *const texts[] = {
		"<<< hello >>>\n",         "<<<>>>\n", "1440580801.0 4\n", "12.5 4\n24 1 counter\n",
		"1440580801.0 4\nwords\n", "<html>\n", "<<<a<b>>>\n",      "<<<a>b>>>\n",
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++) {
		struct pmon_source *source;
		struct pmon_file *file;
		struct pmon_err err;

		assert_int_equal(pmon_file_memory(texts[i], strlen(texts[i]), NULL, &file, &err),
				 PMON_OK);
		assert_int_not_equal(pmon_log_open_file(file, NULL, &source, &err), PMON_OK);
		assert_null(strstr(err.msg, "Checkmk"));
	}
}

// Lines that are longer than what is looked at in one go.
static void
long_lines(void **state)
{
	const size_t n = 30000;
	char *text = malloc(n * 16 + 1000);
	char *at = text;
	struct dump d;

	(void)state;
	assert_non_null(text);
	at += sprintf(at, "<<<other>>>\n");
	for (size_t i = 0; i < n; i++)
		at += sprintf(at, "x ");
	at += sprintf(at, "\n<<<winperf_process>>>\n1440580801.0 230\n%zu instances:", n);
	for (size_t i = 0; i < n; i++)
		at += sprintf(at, " p%zu", i);
	at += sprintf(at, "\n554");
	for (size_t i = 0; i < n; i++)
		at += sprintf(at, " %zu", i);
	at += sprintf(at, " rawcount\n<<<winperf_mem>>>\n1440580801.0 4\n24 1 counter");
	dump_bytes(&d, text, strlen(text));
	assert_int_equal(d.n_samples, 1);
	assert_int_equal(d.n_values, n + 1);
	assert_non_null(strstr(d.text, "\\Process(p29999)\\ID Process = 29999 0\n"));
	dump_free(&d);
	free(text);
}

static const char everything[] = "<<<check_mk>>>\n"
				 "Version: 2.3\n"
				 "Hostname: SRV\n"
				 "<<<<B>>>>\n"
				 "<<<winperf_phydisk>>>\n"
				 "1440580801.5 234 3579545\n"
				 "2 instances: 0_C: b\xF6\n"
				 "-34 1 2 type(20570500)\n"
				 "-34 3 4 type(40030500)\n"
				 "-28 9 10 average_timer\n"
				 "-28 11 12 average_base\n"
				 "<<<<>>>>\n"
				 "<<<winperf_mem>>>\n"
				 "1440580801.5 4\n"
				 "24 1 counter\n"
				 "1440580802.5 4\n"
				 "24 2 counter\n"
				 "<<<winperf_x>>>\n"
				 "1440580802.6 9999 1\n"
				 "2 -2 timer\n";

static void
mutations(void **state)
{
	(void)state;
	dump_mutations(everything, sizeof(everything) - 1);
	dump_mutations("1440580801.5 4\n24 1 counter\n", 29);
}

static void
short_of_memory(void **state)
{
	(void)state;
	dump_short_of_memory(everything, sizeof(everything) - 1);
}

// ---- Directories ----------------------------------------------------------------------------

static void
write_in(const char *folder, const char *name, const char *text)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	t_write_text(path, text);
}

static void
a_directory(void **state)
{
	static const char *const names[] = {"if2", "mem1", "mem2", "words"};
	char folder[] = "/tmp/pmon-test-XXXXXX";
	struct pmon_log_options options = {.size = sizeof(options)};
	struct pmon_source *source;
	struct dump d = {0};
	struct pmon_err err;

	(void)state;
	assert_non_null(mkdtemp(folder));
	write_in(folder, "words", "words\n");
	write_in(folder, "mem2", "<<<winperf_mem>>>\n1440580861.0 4\n24 2 counter\n");
	write_in(folder, "if2", "<<<winperf_tcp>>>\n1440580861.5 638\n4 2 rawcount\n");
	write_in(folder, "mem1", "<<<winperf_mem>>>\n1440580801.0 4\n24 1 counter\n");
	options.notice = dump_notice;
	options.notice_ctx = &d;
	assert_int_equal(pmon_log_open(folder, &options, &source, &err), PMON_OK);
	assert_int_equal(dump_read(&d, source, &err), PMON_END);
	T_EQ_STR(d.text, "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
			 "\\Memory\\Page Faults/sec = 1 130850544010000000\n"
			 "2015-08-26T09:21:01Z stream 0 sample 1 offset 0\n"
			 "\\Memory\\Page Faults/sec = 2 130850544610000000\n"
			 "\\TCPv4\\Connections Established = 2 0 time +500ms\n");
	pmon_source_close(source);
	dump_free(&d);
	for (size_t i = 0; i < T_LEN(names); i++) {
		char path[128];

		(void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(rmdir(folder), 0);
}

// One of which only the beginning is looked at, where it is of no section; and one that is as long as what is
// looked at, to the end of the file.
static void
long_lines_of_nothing(void **state)
{
	static const char head[] = "<<<other>>>\n";
	static const char section[] = "\n<<<winperf_mem>>>\n1440580801.0 4\n24 1 counter\n";
	const size_t long_len = 65536;
	char *text = malloc(2 * long_len + 1000);
	size_t n = sizeof(head) - 1;

	(void)state;
	assert_non_null(text);
	memcpy(text, head, n);
	memset(text + n, 'x', long_len + 500);
	n += long_len + 500;
	memcpy(text + n, section, sizeof(section));
	n += sizeof(section) - 1;
	expect(text, "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
		     "\\Memory\\Page Faults/sec = 1 130850544010000000\n");
	for (size_t i = 0; i < long_len; i++)
		text[n + i] = i < long_len - 12 ? ' ' : "26 2 counter"[i + 12 - long_len];
	text[n + long_len] = '\0';
	expect(text, "2015-08-26T09:20:01Z stream 0 sample 0 offset 0\n"
		     "\\Memory\\Page Faults/sec = 1 130850544010000000\n"
		     "\\Memory\\Commit Limit = 2 130850544010000000\n");
	free(text);
}

// ---- Real files -----------------------------------------------------------------------------

static void
real_files(void **state)
{
	// Counted by hand from the lines: counters that are neither bases nor texts, times instances.
	static const struct {
		const char *name;
		size_t series;
		const char *first;
	} rows[] = {
		{"cmk2016_msx_db_reads_avg_latency.txt", 51,
		 "\\msx_db_reads_avg_latency(Information_Store)\\+2"},
		{"cmk2016_msx_dc_access.txt", 12, "\\msx_dc_access(srvc1dc02.ft.de)\\+2"},
		{"cmk2016_msx_dumpster.txt", 12, "\\msx_dumpster\\+2"},
		{"cmk2016_msx_rpc_clientaccess.txt", 21, "\\msx_rpc_clientaccess\\+2"},
		{"cmk2016_winperf_if.txt", 51,
		 "\\Network Interface(Ethernetadapter_der_AMD-PCNET-Familie__2_-_Paketplaner-"
		 "Miniport)\\Bytes Total/sec"},
		{"cmk2016_winperf_mem.txt", 29, "\\Memory\\Page Faults/sec"},
		{"cmk2016_winperf_msx_queues.txt", 12,
		 "\\msx_queues(niedrige_priorit\xC3\xA4t)\\+2"},
		{"cmk2016_winperf_phydisk.txt", 42,
		 "\\PhysicalDisk(0_C:)\\Current Disk Queue Length"},
		{"cmk2016_winperf_tcp_conn.txt", 8, "\\TCPv4\\Segments/sec"},
		{"cmk2016_winperf_ts_sessions.txt", 3, "\\ts_sessions\\+2"},
		{"cmk230_win2019_agent_sections.txt", 121,
		 "\\PhysicalDisk(0_C:)\\Current Disk Queue Length"},
		{"cmk_if_9inst.txt", 99,
		 "\\Network Interface(QLogic_1_10GbE_Server_Adapter__2)\\Bytes Total/sec"},
		{"cmk_processor_5inst.txt", 75, "\\Processor(0)\\% Processor Time"},
	};
	size_t found = 0;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		char name[80];
		const char *path;
		struct pmon_source *source;
		struct dump d = {0};
		struct pmon_err err;

		(void)snprintf(name, sizeof(name), "winperf/%s", rows[i].name);
		path = t_data_path(name);
		if (path == NULL)
			continue;
		found++;
		assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_OK);
		assert_int_equal(dump_read(&d, source, &err), PMON_END);
		T_EQ_U64_AT(d.n_samples, 1, rows[i].name);
		T_EQ_U64_AT(d.n_values, rows[i].series, rows[i].name);
		T_EQ_U64_AT(pmon_schema_count(pmon_source_schema(source)), rows[i].series,
			    rows[i].name);
		T_EQ_SPAN_AT(pmon_schema_at(pmon_source_schema(source), 0)->name, rows[i].first,
			     rows[i].name);
		assert_int_equal(pmon_source_info(source)->losses, 0);
		pmon_source_close(source);
		dump_free(&d);
	}
	if (found == 0)
		skip();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_section),
		cmocka_unit_test(a_bare_body),
		cmocka_unit_test(agent_output),
		cmocka_unit_test(heads_that_look_alike),
		cmocka_unit_test(samples),
		cmocka_unit_test(an_object_by_two_sections),
		cmocka_unit_test(bases),
		cmocka_unit_test(types_and_sizes),
		cmocka_unit_test(no_frequency),
		cmocka_unit_test(elapsed_times),
		cmocka_unit_test(numbers_that_are_too_large),
		cmocka_unit_test(names_of_the_machine),
		cmocka_unit_test(values_as_checkmk_has_them),
		cmocka_unit_test(objects_without_names),
		cmocka_unit_test(instances),
		cmocka_unit_test(damaged_lines),
		cmocka_unit_test(no_counters),
		cmocka_unit_test(not_winperf),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(long_lines_of_nothing),
		cmocka_unit_test(mutations),
		cmocka_unit_test(short_of_memory),
		cmocka_unit_test(a_directory),
		cmocka_unit_test(real_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
