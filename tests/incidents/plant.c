// plant.c - a log of a quiet server, or of the same server with known incidents
// SPDX-License-Identifier: MIT
//
//	plant quiet|incidents SEED HOURS STEP_SECONDS OUT.blg [NAMES.tsv] > truth.json
//
// Some 1,600 counters vary by a few per cent about a level. In a log with incidents some of them do something else
// for a time that is known exactly; what and when goes to standard output. The two logs of a seed are the same
// but for that. NAMES.tsv has other names for objects and counters: object, counter, name in
// each line, the counter empty for the object itself.

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmon/pmon.h>

#include "base/mem.h"
#include "model/source.h"

#define START          INT64_C(133485408000000000) // 2024-01-01T00:00:00Z
#define TICKS          10000000                    // of every clock, in a second
#define MOST_SERIES    2000
#define MOST_INCIDENTS 32
#define MOST_EFFECTS   128
#define MOST_NAMES     4000
#define DAY            86400

_Noreturn static void
fail(const char *why)
{
	(void)fprintf(stderr, "plant: %s\n", why);
	exit(1);
}

// ---- What the server has --------------------------------------------------------------------

enum kind {
	LEVEL,   // as it is
	RATE,    // a second
	TIMER,   // per cent of the time
	INVERSE, // per cent of the time, counted by what is left of it
	LATENCY, // seconds for each of OPERATIONS a second
	SIZE,    // bytes for each of OPERATIONS a second
	SHARE,   // per cent of something
	SINCE,   // seconds since the start
	FIXED,   // a level that does not vary
};

#define OPERATIONS 200

static const uint32_t types[] = {
	[LEVEL] = PMON_PERF_COUNTER_LARGE_RAWCOUNT, [RATE] = PMON_PERF_COUNTER_BULK_COUNT,
	[TIMER] = PMON_PERF_100NSEC_TIMER,          [INVERSE] = PMON_PERF_100NSEC_TIMER_INV,
	[LATENCY] = PMON_PERF_AVERAGE_TIMER,        [SIZE] = PMON_PERF_AVERAGE_BULK,
	[SHARE] = PMON_PERF_RAW_FRACTION,           [SINCE] = PMON_PERF_ELAPSED_TIME,
	[FIXED] = PMON_PERF_COUNTER_RAWCOUNT,
};

struct column {
	const char *counter;
	enum kind kind;
	double level;
};

static const struct column of_processor[] = {
	{"% Processor Time", INVERSE, 22},
	{"% User Time", TIMER, 15},
	{"% Privileged Time", TIMER, 6},
	{"% Interrupt Time", TIMER, 0.5},
	{"% DPC Time", TIMER, 0.6},
	{"Interrupts/sec", RATE, 900},
	{"DPCs Queued/sec", RATE, 120},
	{"% C1 Time", TIMER, 60},
	{"C1 Transitions/sec", RATE, 2000},
	{"% Idle Time", TIMER, 76},
	{NULL, LEVEL, 0},
};

static const struct column of_process[] = {
	{"% Processor Time", TIMER, 6},        {"% User Time", TIMER, 4},
	{"% Privileged Time", TIMER, 2},       {"Handle Count", LEVEL, 900},
	{"Thread Count", LEVEL, 40},           {"Private Bytes", LEVEL, 2e8},
	{"Working Set", LEVEL, 1.8e8},         {"Virtual Bytes", LEVEL, 4e9},
	{"Page File Bytes", LEVEL, 2e8},       {"Pool Paged Bytes", LEVEL, 3e5},
	{"Pool Nonpaged Bytes", LEVEL, 4e4},   {"Page Faults/sec", RATE, 80},
	{"IO Read Operations/sec", RATE, 12},  {"IO Read Bytes/sec", RATE, 90000},
	{"IO Write Operations/sec", RATE, 8},  {"IO Write Bytes/sec", RATE, 60000},
	{"IO Other Operations/sec", RATE, 30}, {"ID Process", FIXED, 1000},
	{"Elapsed Time", SINCE, 100000},       {NULL, LEVEL, 0},
};

static const struct column of_disk[] = {
	{"Avg. Disk sec/Read", LATENCY, 0.004},
	{"Avg. Disk sec/Write", LATENCY, 0.003},
	{"Disk Reads/sec", RATE, 200},
	{"Disk Writes/sec", RATE, 150},
	{"Disk Read Bytes/sec", RATE, 6e6},
	{"Disk Write Bytes/sec", RATE, 3e6},
	{"Avg. Disk Bytes/Read", SIZE, 32000},
	{"Avg. Disk Bytes/Write", SIZE, 20000},
	{"% Disk Time", TIMER, 30},
	{"% Idle Time", TIMER, 68},
	{"Split IO/Sec", RATE, 3},
	{NULL, LEVEL, 0},
};

static const struct column of_volume[] = {
	{"% Free Space", SHARE, 55},
	{"Free Megabytes", LEVEL, 220000},
	{"Disk Transfers/sec", RATE, 80},
	{"Avg. Disk sec/Transfer", LATENCY, 0.004},
	{NULL, LEVEL, 0},
};

static const struct column of_network[] = {
	{"Bytes Received/sec", RATE, 4e6},
	{"Bytes Sent/sec", RATE, 3e6},
	{"Packets Received/sec", RATE, 5e3},
	{"Packets Sent/sec", RATE, 4e3},
	{"Current Bandwidth", FIXED, 1e9},
	{"Output Queue Length", FIXED, 0},
	{NULL, LEVEL, 0},
};

static const struct column of_memory[] = {
	{"Available MBytes", LEVEL, 12000},
	{"Committed Bytes", LEVEL, 4e10},
	{"Commit Limit", FIXED, 9e10},
	{"% Committed Bytes In Use", SHARE, 44},
	{"Pages/sec", RATE, 20},
	{"Page Faults/sec", RATE, 9000},
	{"Cache Bytes", LEVEL, 4e8},
	{"Pool Nonpaged Bytes", LEVEL, 5e8},
	{"Pool Paged Bytes", LEVEL, 6e8},
	{"Page Reads/sec", RATE, 4},
	{"Transition Faults/sec", RATE, 3000},
	{"Demand Zero Faults/sec", RATE, 5000},
	{"Free System Page Table Entries", FIXED, 33000000},
	{NULL, LEVEL, 0},
};

static const struct column of_system[] = {
	{"Context Switches/sec", RATE, 30000},
	{"System Calls/sec", RATE, 90000},
	{"Processes", LEVEL, 120},
	{"Threads", LEVEL, 2400},
	{"Processor Queue Length", FIXED, 1},
	{NULL, LEVEL, 0},
};

static const struct column of_buffers[] = {
	{"Page life expectancy", LEVEL, 9000}, {"Lazy writes/sec", RATE, 2},
	{"Page reads/sec", RATE, 60},          {"Page writes/sec", RATE, 50},
	{"Database pages", LEVEL, 3e6},        {NULL, LEVEL, 0},
};

static const struct column of_statistics[] = {
	{"Batch Requests/sec", RATE, 900},
	{"SQL Compilations/sec", RATE, 40},
	{NULL, LEVEL, 0},
};

#define PROCESSORS 16
#define PROCESSES  66

// Instances: names in one text; NULL for an object of one instance. % counts from 0.
static const struct object {
	const char *name;
	const char *format; // of an instance
	unsigned n;
	const char *total; // one more instance
	const struct column *columns;
} objects[] = {
	{"Processor", "%u", PROCESSORS, "_Total", of_processor},
	{"Process", "program%u", PROCESSES, "_Total", of_process},
	{"Process", "sqlservr", 1, "Idle", of_process},
	{"Process", "w3wp", 1, NULL, of_process},
	{"Process", "agent", 1, NULL, of_process},
	{"Process", "worker", 1, NULL, of_process},
	{"PhysicalDisk", "%u X:", 4, "_Total", of_disk},
	{"LogicalDisk", "X%u:", 4, NULL, of_volume},
	{"Network Interface", "Ethernet %u", 2, NULL, of_network},
	{"Memory", NULL, 1, NULL, of_memory},
	{"System", NULL, 1, NULL, of_system},
	{"SQLServer:Buffer Manager", NULL, 1, NULL, of_buffers},
	{"SQLServer:SQL Statistics", NULL, 1, NULL, of_statistics},
};

// ---- Series ---------------------------------------------------------------------------------

struct effect {
	size_t series;
	int64_t from_s; // from the start; the intervals that end in (from, to]
	int64_t to_s;
	double value; // in each interval, or at the end of a ramp
	bool is_ramp; // from the usual level
};

struct track {
	char path[200]; // in English
	const char *object;
	const char *instance; // NULL: none
	const char *counter;
	enum kind kind;
	double level;
	double wave; // the part of the noise that lasts
	uint64_t random;
	double first; // raw values so far; whole numbers up to 2^53 are exact
	double second;
};

struct name {
	char *object;
	char *counter;
	char *text;
};

struct plan {
	struct pmon_source source; // first, as every source has it
	struct track tracks[MOST_SERIES];
	size_t n;
	struct effect effects[MOST_EFFECTS];
	size_t n_effects;
	struct name names[MOST_NAMES];
	size_t n_names;
	uint64_t random;
	int64_t length_s;
	int64_t step_s;
	int64_t now_s;
	int64_t restart_s; // of the process "worker"; -1: never
	bool has_incidents;
	bool is_first_truth;
	uint32_t series[MOST_SERIES];
	struct pmon_raw raw[MOST_SERIES];
	struct pmon_sample sample;
};

static uint64_t
next_random(uint64_t *state)
{
	*state += UINT64_C(0x9E3779B97F4A7C15); // splitmix64, by Sebastiano Vigna
	uint64_t z = *state;

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static double
between(uint64_t *state, double low, double high)
{
	return low + (high - low) * (double)(next_random(state) >> 11) / 9007199254740992.0;
}

static const char *
translated(const struct plan *p, const char *object, const char *counter)
{
	for (size_t i = 0; i < p->n_names; i++)
		if (strcmp(p->names[i].object, object) == 0 &&
		    strcmp(p->names[i].counter, counter) == 0)
			return p->names[i].text;
	return *counter != '\0' ? counter : object;
}

static void
add_track(struct plan *p, const char *object, const char *instance, const struct column *column)
{
	const char *names[] = {translated(p, object, ""), translated(p, object, column->counter)};
	struct pmon_path path = {.machine = PMON_SPAN("SRV1")};
	struct pmon_counter counter = {
		.type = types[column->kind], .size_bytes = 8, .time_base = TICKS};
	struct track *track = &p->tracks[p->n];

	if (p->n == MOST_SERIES)
		fail("too many series");
	path.object = (struct pmon_span){names[0], strlen(names[0])};
	path.counter = (struct pmon_span){names[1], strlen(names[1])};
	if (instance != NULL)
		path.instance = (struct pmon_span){instance, strlen(instance)};
	if (pmon_schema_add(&p->source.schema, &path, &counter, p->n, SIZE_MAX, &p->series[p->n]) !=
	    PMON_OK)
		fail("not enough memory");
	*track = (struct track){.object = object,
				.instance = instance,
				.counter = column->counter,
				.kind = column->kind,
				.random = next_random(&p->random)};
	track->level = column->kind == FIXED ? column->level
					     : column->level * between(&track->random, 0.7, 1.3);
	(void)snprintf(track->path, sizeof(track->path), "\\\\SRV1\\%s%s%s%s\\%s", object,
		       instance != NULL ? "(" : "", instance != NULL ? instance : "",
		       instance != NULL ? ")" : "", column->counter);
	if (strcmp(column->counter, "ID Process") == 0)
		track->level = 1000 + 4 * (double)p->n;
	p->n++;
}

static void
add_instance(struct plan *p, const struct object *object, const char *format, unsigned number)
{
	char *name = NULL;

	if (format != NULL) {
		name = malloc(32);
		if (name == NULL)
			fail("not enough memory");
		if (strchr(format, '%') == NULL)
			(void)snprintf(name, 32, "%s", format);
		else // the text before and after the number
			(void)snprintf(name, 32, "%.*s%u%s", (int)(strchr(format, '%') - format),
				       format, number, strchr(format, '%') + 2);
	}
	for (const struct column *c = object->columns; c->counter != NULL; c++)
		add_track(p, object->name, name, c);
}

static void
add_objects(struct plan *p)
{
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		for (unsigned k = 0; k < objects[i].n; k++)
			add_instance(p, &objects[i], objects[i].format, k);
		if (objects[i].total != NULL)
			add_instance(p, &objects[i], objects[i].total, 0);
	}
}

static struct track *
find(struct plan *p, const char *object, const char *instance, const char *counter)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->tracks[i].object, object) == 0 &&
		    strcmp(p->tracks[i].counter, counter) == 0 &&
		    (instance == NULL) == (p->tracks[i].instance == NULL) &&
		    (instance == NULL || strcmp(p->tracks[i].instance, instance) == 0))
			return &p->tracks[i];
	fail("no such series");
}

// ---- Samples --------------------------------------------------------------------------------

// The level of a series now: its usual one, unless something was planted.
static double
level_now(const struct plan *p, const struct track *track)
{
	double level = track->level;

	for (size_t i = 0; i < p->n_effects; i++) {
		const struct effect *e = &p->effects[i];

		if (e->series != (size_t)(track - p->tracks) || p->now_s <= e->from_s ||
		    p->now_s > e->to_s)
			continue;
		if (!e->is_ramp)
			return e->value;
		level += (e->value - track->level) * (double)(p->now_s - e->from_s) /
			 (double)(e->to_s - e->from_s);
	}
	return level;
}

// It varies by a few per cent, in a log of days also with the hour.
static double
value_now(const struct plan *p, struct track *track)
{
	double hour =
		p->length_s >= 3 * DAY ? 0.1 * sin(6.28318530718 * (double)p->now_s / DAY) : 0;
	double level = level_now(p, track);

	track->wave = 0.5 * track->wave + between(&track->random, -0.04, 0.04);
	if (track->kind == FIXED)
		return level;
	if (level != track->level)
		return level * (1 + track->wave / 4);
	return level * (1 + track->wave + (track->kind == LEVEL ? 0 : hour));
}

static void
step_worker(const struct plan *p, struct track *track, bool is_first)
{
	if (track->instance == NULL || strcmp(track->instance, "worker") != 0 || p->restart_s < 0 ||
	    p->now_s != p->restart_s || is_first)
		return;
	track->first = 0; // another process, which has done nothing yet
	track->second = 0;
	if (track->kind == FIXED)
		track->level += 4000;
}

static void
step(struct plan *p, struct track *track, struct pmon_raw *raw, bool is_first)
{
	double value, s = (double)p->step_s, started = -100000;

	step_worker(p, track, is_first);
	value = value_now(p, track);
	*raw = (struct pmon_raw){
		.multi = 1, .time = START + p->now_s * TICKS, .second = START + p->now_s * TICKS};
	switch (track->kind) {
	case LEVEL:
	case FIXED:
		raw->first = (int64_t)llround(value);
		raw->second = 0;
		return;
	case SHARE:
		raw->first = (int64_t)llround(value * 10000);
		raw->second = 1000000;
		return;
	case SINCE:
		if (p->restart_s >= 0 && p->now_s >= p->restart_s && track->instance != NULL &&
		    strcmp(track->instance, "worker") == 0)
			started = (double)p->restart_s - 1;
		raw->first = START + (int64_t)started * TICKS;
		return;
	case RATE:
		track->first += is_first ? 1e6 : value * s;
		break;
	case TIMER:
		track->first += is_first ? 1e10 : value / 100 * s * TICKS;
		break;
	case INVERSE:
		track->first += is_first ? 1e10 : (1 - value / 100) * s * TICKS;
		break;
	case LATENCY:
		track->second += OPERATIONS * s;
		track->first += value * OPERATIONS * s * TICKS;
		raw->second = (int64_t)track->second & 0xFFFFFFFF;
		break;
	case SIZE:
		track->second += OPERATIONS * s;
		track->first += value * OPERATIONS * s;
		raw->second = (int64_t)track->second & 0xFFFFFFFF;
		break;
	}
	raw->first = (int64_t)llround(track->first);
}

static enum pmon_status
plan_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct plan *p = (struct plan *)source;

	(void)err;
	if (p->now_s > p->length_s)
		return PMON_END;
	for (size_t i = 0; i < p->n; i++)
		step(p, &p->tracks[i], &p->raw[i], p->now_s == 0);
	p->sample.time = START + p->now_s * TICKS;
	p->sample.ordinal++;
	p->now_s += p->step_s;
	*sample = &p->sample;
	return PMON_OK;
}

static enum pmon_status
plan_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)source;
	(void)err;
	return PMON_E_STATE;
}

static void
plan_close(struct pmon_source *source)
{
	(void)source; // the process ends
}

static const struct pmon_source_ops ops = {plan_next, plan_rewind, plan_close};

// ---- Incidents ------------------------------------------------------------------------------

static void
print_text(const char *text)
{
	(void)putchar('"');
	for (; *text != '\0'; text++)
		(void)printf(*text == '\\' || *text == '"' ? "\\%c" : "%c", *text);
	(void)putchar('"');
}

// Something happens to a series; named if it is an incident of its own, else it goes with the one before it.
static void
plant(struct plan *p, const char *name, struct track *track, struct effect effect)
{
	if (!p->has_incidents)
		return;
	if (p->n_effects == MOST_EFFECTS)
		fail("too many effects");
	effect.series = (size_t)(track - p->tracks);
	p->effects[p->n_effects++] = effect;
	(void)printf("%s\n{\"name\":\"%s\",\"path\":", p->is_first_truth ? "" : ",", name);
	p->is_first_truth = false;
	print_text(track->path);
	(void)printf(",\"from_s\":%" PRId64 ",\"to_s\":%" PRId64
		     ",\"value\":%.17g,\"usual\":%.17g,\"ramp\":%s}",
		     effect.from_s, effect.to_s, effect.value, track->level,
		     effect.is_ramp ? "true" : "false");
}

static int64_t
whole_steps(const struct plan *p, double seconds)
{
	int64_t steps = (int64_t)llround(seconds / (double)p->step_s);

	return (steps < 1 ? 1 : steps) * p->step_s;
}

// Stalls of one disk, one in each quarter of the log.
static void
plant_stalls(struct plan *p)
{
	static const double lengths_s[] = {45, 300, 1200, 3600};
	size_t order = (size_t)(next_random(&p->random) % 4);
	double quarter = (double)p->length_s / 4;

	for (size_t i = 0; i < 4; i++) {
		int64_t length = whole_steps(p, lengths_s[(i + order) % 4]);
		double room = quarter - (double)length - 4 * (double)p->step_s;
		int64_t from = whole_steps(
			p, quarter * (double)i + (room > 0 ? between(&p->random, 0, room) : 0));
		double latency = between(&p->random, 0.06, 0.19);

		if (length + 2 * p->step_s > (int64_t)quarter)
			length = whole_steps(p, quarter - 4 * (double)p->step_s);
		plant(p, "disk stall", find(p, "PhysicalDisk", "1 X:", "Avg. Disk sec/Read"),
		      (struct effect){.from_s = from, .to_s = from + length, .value = latency});
		plant(p, "reader", find(p, "Process", "sqlservr", "IO Read Bytes/sec"),
		      (struct effect){.from_s = from, .to_s = from + length, .value = 5e7});
	}
}

static void
plant_processor(struct plan *p)
{
	int64_t length = whole_steps(p, 3600);
	int64_t from = whole_steps(p, between(&p->random, 0, (double)(p->length_s - length)));
	double load = between(&p->random, 93, 98);
	struct effect effect = {.from_s = from, .to_s = from + length, .value = load};

	plant(p, "busy processors", find(p, "Processor", "_Total", "% Processor Time"), effect);
	for (unsigned i = 0; i < PROCESSORS; i++) {
		char number[12];

		(void)snprintf(number, sizeof(number), "%u", i);
		plant(p, "busy processor", find(p, "Processor", number, "% Processor Time"),
		      effect);
	}
	effect.value = 1150;
	plant(p, "consumer", find(p, "Process", "w3wp", "% Processor Time"), effect);
}

static void
plant_declines(struct plan *p)
{
	struct track *handles = find(p, "Process", "agent", "Handle Count");
	struct track *memory = find(p, "Memory", NULL, "Available MBytes");
	struct track *pages = find(p, "SQLServer:Buffer Manager", NULL, "Page life expectancy");
	int64_t length = whole_steps(p, 1800);
	int64_t from = whole_steps(p, between(&p->random, 0, (double)(p->length_s - length)));

	plant(p, "handle leak", handles,
	      (struct effect){
		      .to_s = p->length_s, .value = handles->level + 9000, .is_ramp = true});
	plant(p, "memory decline", memory,
	      (struct effect){.to_s = p->length_s, .value = memory->level * 0.02, .is_ramp = true});
	plant(p, "page life", pages,
	      (struct effect){.from_s = from, .to_s = from + length, .value = 40});
}

static void
plant_restart(struct plan *p)
{
	const struct track *worker = find(p, "Process", "worker", "ID Process");

	p->restart_s = -1;
	if (!p->has_incidents)
		return;
	p->restart_s = whole_steps(p, between(&p->random, 0.2, 0.8) * (double)p->length_s);
	(void)printf(",\n{\"name\":\"restart\",\"path\":");
	print_text(worker->path);
	(void)printf(",\"from_s\":%" PRId64 ",\"to_s\":%" PRId64
		     ",\"value\":%.17g,\"usual\":%.17g,\"ramp\":false}",
		     p->restart_s, p->restart_s, worker->level + 4000, worker->level);
}

static void
plant_all(struct plan *p)
{
	(void)printf("[");
	p->is_first_truth = true;
	plant_stalls(p);
	plant_processor(p);
	plant_declines(p);
	plant_restart(p);
	(void)printf("\n]\n");
}

// ---- The log --------------------------------------------------------------------------------

static void
read_names(struct plan *p, const char *file_name)
{
	FILE *file = fopen(file_name, "r");
	char line[1000];

	if (file == NULL)
		fail("cannot read the names");
	while (fgets(line, sizeof(line), file) != NULL) {
		char *copy = strdup(line), *counter, *text;

		if (p->n_names == MOST_NAMES || copy == NULL)
			fail("too many names");
		counter = strchr(copy, '\t');
		text = counter != NULL ? strchr(counter + 1, '\t') : NULL;
		if (text == NULL)
			fail("a line of names has three columns");
		*counter++ = '\0', *text++ = '\0';
		text[strcspn(text, "\n")] = '\0';
		p->names[p->n_names++] = (struct name){copy, counter, text};
	}
	(void)fclose(file);
}

int
main(int argc, char **argv)
{
	static struct plan p;
	struct pmon_create_options create = {.size = sizeof(create), .overwrite = true};
	struct pmon_sink *sink;
	struct pmon_err err;

	if (argc < 6 || argc > 7)
		fail("plant quiet|incidents SEED HOURS STEP_SECONDS OUT.blg [NAMES.tsv]");
	p.has_incidents = strcmp(argv[1], "incidents") == 0;
	p.random = strtoull(argv[2], NULL, 10);
	p.step_s = strtoll(argv[4], NULL, 10);
	p.length_s = strtoll(argv[3], NULL, 10) * 3600;
	if (p.step_s <= 0 || p.length_s < 4 * 3600 || p.length_s % p.step_s != 0)
		fail("at least four hours, and a whole number of steps");
	if (argc == 7)
		read_names(&p, argv[6]);
	p.source.ops = &ops;
	p.source.info = (struct pmon_source_info){.format = "made",
						  .live = true, // cannot be rewound
						  .writer = "",
						  .machine = "SRV1",
						  .zone = "",
						  .log_start = START,
						  .log_end = PMON_TIME_NONE};
	pmon_schema_init(&p.source.schema, pmon_mem_allocator(NULL));
	add_objects(&p);
	plant_all(&p);
	p.sample = (struct pmon_sample){.n = p.n, .series = p.series, .raw = p.raw};
	p.sample.ordinal = UINT64_MAX; // the next is 0
	if (pmon_log_create(argv[5], "blg", &create, &sink, &err) != PMON_OK ||
	    pmon_copy(&p.source, sink, NULL, &err) != PMON_OK)
		fail(err.msg);
	pmon_sink_close(sink);
	return 0;
}
