// state.c - the state of this machine: pressure, its resources, and who uses most of them
// SPDX-License-Identifier: MIT
//
// Resources are shown as in the USE method: how much of each is used, what waits for it, and its errors. Values are
// averages over the look, by the type of the counter; levels are the newest ones.

#include "verbs/health/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/label.h"
#include "query/statistics.h"
#include "shell/args/args.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/process/who.h"

#define TEXT     512
#define TOP      3
#define ROWS     4   // of one kind
#define NEAR     0.8 // of a limit
#define HANDLES  64  // a process with fewer is near no limit that matters
#define FORKS    20  // a second
#define COMMAND  60  // characters in text
#define DEPTH    64  // of ancestors that are looked at
#define KTHREADD 2   // which starts the threads of the kernel

static const char *const needed[] = {
	"\\Pressure Stall(*)\\% Stalled Time 10 s",
	"\\Pressure Stall(*)\\% Stalled Time 60 s",
	"\\Pressure Stall(*)\\% Stalled Time 300 s",
	"\\Processor(_Total)\\% Processor Time",
	"\\Processor(_Total)\\% Steal Time",
	"\\System\\Threads Running",
	"\\System\\Threads Blocked",
	"\\System\\Load Average 1 Minute",
	"\\System\\Processor Queue Length",
	"\\System\\Processes",
	"\\System\\Forks/sec",
	"\\Memory\\Available Bytes",
	"\\Memory\\Total Bytes",
	"\\Memory\\Pages Output/sec",
	"\\Memory\\Out Of Memory Kills/sec",
	"\\PhysicalDisk(*)\\% Idle Time",
	"\\PhysicalDisk(*)\\Disk Transfers/sec",
	"\\PhysicalDisk(*)\\Avg. Disk Queue Length",
	"\\PhysicalDisk(*)\\Avg. Disk sec/Transfer",
	"\\LogicalDisk(*)\\% Free Space",
	"\\Network Interface(*)\\Bytes Total/sec",
	"\\Network Interface(*)\\Packets Received Errors",
	"\\Network Interface(*)\\Packets Outbound Errors",
	"\\Network Interface(*)\\Packets Received Discarded",
	"\\Network Interface(*)\\Packets Outbound Discarded",
	"\\TCPv4\\Segments Sent/sec",
	"\\TCPv4\\Segments Retransmitted/sec",
	"\\TCPv4\\Listen Overflows/sec",
	"\\Process(*)\\% Processor Time",
	"\\Process(*)\\Working Set",
	"\\Process(*)\\Disk Read Bytes/sec",
	"\\Process(*)\\Disk Write Bytes/sec",
	"\\Process(*)\\Handle Count",
	"\\Process(*)\\ID Process",
	"\\Process(*)\\Creating Process ID",
};

bool
state_ask(struct judged *j)
{
	j->only_values = false;
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!words_add(&j->request.added, needed[i]))
			return false;
	return true;
}

// ---- Values ---------------------------------------------------------------------------------

static bool
is_of(const struct pmon_series *series, const char *object, const char *counter)
{
	const struct pmon_path *path = pmon_series_english(series);

	return pmon_text_same(path->object, (struct pmon_span){object, strlen(object)}) &&
	       pmon_text_same(path->counter, (struct pmon_span){counter, strlen(counter)});
}

static bool
is_instance_of(const struct pmon_path *a, const struct pmon_path *b)
{
	return pmon_text_same(a->instance, b->instance) && pmon_text_same(a->parent, b->parent) &&
	       a->index == b->index;
}

// The series of a counter, of the instance that another path has; NULL: of the first.
static const struct pmon_series *
find(const struct judged *j, const char *object, const char *counter, const struct pmon_path *like)
{
	const struct pmon_schema *schema = pmon_source_schema(j->logs.source);

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (is_of(series, object, counter) &&
		    (like == NULL || is_instance_of(&series->path, like)))
			return series;
	}
	return NULL;
}

static double
number_of(struct pmon_value value)
{
	return pmon_vstat_has_value(value.status) ? value.value : (double)NAN;
}

// NaN if there is none.
static double
average_of(const struct judged *j, const struct pmon_series *series)
{
	enum pmon_average_kind kind;

	return series != NULL ? number_of(pmon_statistics_average(j->statistics, series->id, &kind))
			      : (double)NAN;
}

static double
last_of(const struct judged *j, const struct pmon_series *series)
{
	return series != NULL ? number_of(pmon_statistics_at(j->statistics, series->id)->last)
			      : (double)NAN;
}

static double
average(const struct judged *j, const char *object, const char *counter,
	const struct pmon_path *like)
{
	return average_of(j, find(j, object, counter, like));
}

static double
last(const struct judged *j, const char *object, const char *counter, const struct pmon_path *like)
{
	return last_of(j, find(j, object, counter, like));
}

// By how much a count since the start has grown.
static double
growth(const struct judged *j, const char *object, const char *counter,
       const struct pmon_path *like)
{
	const struct pmon_series *series = find(j, object, counter, like);

	return series != NULL
		       ? last_of(j, series) -
				 number_of(pmon_statistics_at(j->statistics, series->id)->minimum)
		       : (double)NAN;
}

// ---- Rows of resources ----------------------------------------------------------------------

enum kind {
	PROCESSORS,
	MEMORY,
	PROCESSES,
	DISK,
	VOLUME,
	NETWORK,
	TCP,
	KINDS
};

static const char *const kinds[KINDS] = {"processors",  "memory",  "processes", "disk",
					 "file system", "network", "tcp"};

// used: percent, or bytes a second of a network; NaN: unknown.
struct resource {
	enum kind kind;
	const struct pmon_series *of; // a series of a disk, a volume or an interface; else NULL
	double used;
	double sort;
	char waits[TEXT];
	char errors[TEXT];
};

struct state {
	const struct judged *j;
	struct resource list[KINDS * ROWS];
	size_t n;
};

static struct pmon_text
text_in(char *buf)
{
	struct pmon_text t = pmon_text_init(buf, TEXT);

	pmon_text_str(&t, "");
	return t;
}

// ", 12.5 threads run": nothing if there is no value, or 0 and hides_0.
static void
put_part(struct pmon_text *t, double value, const char *unit, bool hides_0)
{
	char number[DRAW_NUMBER];

	if (!isfinite(value) || (hides_0 && value <= 0))
		return;
	(void)out_number(value, number, sizeof(number));
	pmon_text_str(t, t->len > 0 ? ", " : "");
	pmon_text_str(t, number);
	pmon_text_str(t, unit);
}

static void
put_percent(struct pmon_text *t, double percent, const char *unit, bool hides_0)
{
	put_part(t, percent < 10 ? round(percent * 10) / 10 : round(percent), unit, hides_0);
}

static struct resource *
add(struct state *s, enum kind kind)
{
	s->list[s->n] = (struct resource){.kind = kind, .used = NAN};
	return &s->list[s->n++];
}

static void
add_processors(struct state *s)
{
	const struct pmon_path total = {.instance = PMON_SPAN("_Total")};
	struct resource *r = add(s, PROCESSORS);
	struct pmon_text t = text_in(r->waits);

	r->used = average(s->j, "Processor", "% Processor Time", &total);
	put_part(&t, average(s->j, "System", "Threads Running", NULL), " threads run or are ready",
		 false);
	put_part(&t, last(s->j, "System", "Load Average 1 Minute", NULL), " load", false);
	put_percent(&t, average(s->j, "Processor", "% Steal Time", &total), " % stolen by the host",
		    true);
}

static void
add_memory(struct state *s)
{
	struct resource *r = add(s, MEMORY);
	struct pmon_text waits = text_in(r->waits);
	struct pmon_text errors = text_in(r->errors);
	double available = last(s->j, "Memory", "Available Bytes", NULL);
	double all = last(s->j, "Memory", "Total Bytes", NULL);
	const struct pmon_series *kills = find(s->j, "Memory", "Out Of Memory Kills/sec", NULL);

	r->used = all > 0 ? 100 * (1 - available / all) : (double)NAN;
	put_part(&waits, average(s->j, "Memory", "Pages Output/sec", NULL),
		 " pages swapped out a second", true);
	if (kills != NULL)
		put_part(&errors, number_of(pmon_statistics_total(s->j->statistics, kills->id)),
			 " killed: out of memory", true);
}

static void
add_processes(struct state *s)
{
	struct resource *r = add(s, PROCESSES);
	struct pmon_text t = text_in(r->waits);

	put_part(&t, last(s->j, "System", "Processes", NULL), " processes", false);
	put_part(&t, last(s->j, "System", "Threads Blocked", NULL), " threads blocked on I/O",
		 true);
	put_part(&t, round(average(s->j, "System", "Forks/sec", NULL)), " started a second", true);
}

static void
fill_disk(struct state *s, struct resource *r)
{
	struct pmon_text t = text_in(r->waits);
	double latency = average(s->j, "PhysicalDisk", "Avg. Disk sec/Transfer", &r->of->path);

	r->used = fmax(100 - average(s->j, "PhysicalDisk", "% Idle Time", &r->of->path), 0);
	r->sort = average(s->j, "PhysicalDisk", "Disk Transfers/sec", &r->of->path) > 0 ? r->used
											: -1;
	put_part(&t, average(s->j, "PhysicalDisk", "Avg. Disk Queue Length", &r->of->path),
		 " in the queue", false);
	put_part(&t, latency * 1000, " ms each", false);
}

static void
fill_volume(struct state *s, struct resource *r)
{
	r->used = 100 - last(s->j, "LogicalDisk", "% Free Space", &r->of->path);
	r->sort = r->used;
}

static void
fill_network(struct state *s, struct resource *r)
{
	struct pmon_text t = text_in(r->errors);

	r->used = average(s->j, "Network Interface", "Bytes Total/sec", &r->of->path);
	put_part(&t,
		 growth(s->j, "Network Interface", "Packets Received Errors", &r->of->path) +
			 growth(s->j, "Network Interface", "Packets Outbound Errors", &r->of->path),
		 " errors", true);
	put_part(&t,
		 growth(s->j, "Network Interface", "Packets Received Discarded", &r->of->path) +
			 growth(s->j, "Network Interface", "Packets Outbound Discarded",
				&r->of->path),
		 " dropped", true);
	r->sort = r->used > 0 ? r->used : r->errors[0] != '\0' ? 0 : -1;
}

static int
most_first(const void *a, const void *b)
{
	const struct resource *x = a;
	const struct resource *y = b;

	if (x->sort != y->sort)
		return x->sort > y->sort ? -1 : 1;
	return x->of->id < y->of->id ? -1 : x->of->id > y->of->id;
}

// The instances that are used most; those that are idle are left out. False when memory is short.
static bool
add_instances(struct state *s, enum kind kind, const char *object, const char *counter,
	      void (*fill)(struct state *s, struct resource *r), size_t most)
{
	const struct pmon_schema *schema = pmon_source_schema(s->j->logs.source);
	size_t count = pmon_schema_count(schema);
	struct resource *all = calloc(count + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; all != NULL && i < count; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!is_of(series, object, counter) || pmon_path_is_total(&series->path))
			continue;
		all[n] = (struct resource){.kind = kind, .of = series};
		fill(s, &all[n]);
		n += isfinite(all[n].used) && all[n].sort >= 0;
	}
	if (all != NULL)
		qsort(all, n, sizeof(*all), most_first);
	for (size_t i = 0; i < n && i < most; i++)
		s->list[s->n++] = all[i];
	free(all);
	return all != NULL;
}

// Only if something is wrong.
static void
add_tcp(struct state *s)
{
	double sent = average(s->j, "TCPv4", "Segments Sent/sec", NULL);
	double again = average(s->j, "TCPv4", "Segments Retransmitted/sec", NULL);
	struct resource r = {.kind = TCP, .used = NAN};
	struct pmon_text t = text_in(r.errors);

	put_part(&t, average(s->j, "TCPv4", "Listen Overflows/sec", NULL),
		 " listen overflows a second", true);
	if (sent > 0 && again / sent >= 0.01)
		put_percent(&t, 100 * again / sent, " % retransmitted", true);
	if (t.len > 0)
		s->list[s->n++] = r;
}

static bool
find_resources(struct state *s)
{
	add_processors(s);
	add_memory(s);
	add_processes(s);
	if (!add_instances(s, DISK, "PhysicalDisk", "% Idle Time", fill_disk, ROWS) ||
	    !add_instances(s, VOLUME, "LogicalDisk", "% Free Space", fill_volume, 1) ||
	    !add_instances(s, NETWORK, "Network Interface", "Bytes Total/sec", fill_network, ROWS))
		return false;
	add_tcp(s);
	return true;
}

// ---- Processes ------------------------------------------------------------------------------

enum by {
	BY_PROCESSOR,
	BY_MEMORY,
	BY_DISK,
	BYS
};

static const char *const bys[BYS] = {"processor", "memory", "disk"};

struct process {
	const struct pmon_series *series; // of its ID
	double by[BYS];
	double handles;
	int64_t parent;
	bool is_new;     // it was not in the first sample
	size_t children; // of those that are new
	struct who who;
	bool is_known;
};

struct processes {
	struct process *list; // by ID, after sort()
	size_t n;
};

static int
by_id(const void *a, const void *b)
{
	const struct process *x = a;
	const struct process *y = b;

	if (x->series->process_id != y->series->process_id)
		return x->series->process_id < y->series->process_id ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

static struct process *
process_of(const struct processes *all, int64_t id)
{
	size_t low = 0;
	size_t high = all->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all->list[middle].series->process_id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < all->n && all->list[low].series->process_id == id ? &all->list[low] : NULL;
}

static void
fill_process(const struct judged *j, struct process *p, const struct pmon_series *series)
{
	if (is_of(series, "Process", "% Processor Time"))
		p->by[BY_PROCESSOR] = average_of(j, series);
	else if (is_of(series, "Process", "Working Set"))
		p->by[BY_MEMORY] = last_of(j, series);
	else if (is_of(series, "Process", "Disk Read Bytes/sec") ||
		 is_of(series, "Process", "Disk Write Bytes/sec"))
		p->by[BY_DISK] += fmax(average_of(j, series), 0);
	else if (is_of(series, "Process", "Handle Count"))
		p->handles = last_of(j, series);
	else if (is_of(series, "Process", "Creating Process ID"))
		p->parent = (int64_t)fmax(last_of(j, series), 0);
}

static pmon_time
first_time(const struct judged *j, const struct process *p)
{
	return pmon_statistics_at(j->statistics, p->series->id)->first_raw_time;
}

// Those that were not there from the beginning.
static void
find_new(const struct judged *j, struct processes *all)
{
	pmon_time first = INT64_MAX;

	for (size_t i = 0; i < all->n; i++)
		if (first_time(j, &all->list[i]) != PMON_TIME_NONE &&
		    first_time(j, &all->list[i]) < first)
			first = first_time(j, &all->list[i]);
	for (size_t i = 0; i < all->n; i++)
		all->list[i].is_new = first_time(j, &all->list[i]) != first;
}

// False when memory is short.
static bool
find_processes(const struct judged *j, struct processes *out)
{
	const struct pmon_schema *schema = pmon_source_schema(j->logs.source);
	size_t count = pmon_schema_count(schema);

	out->n = 0;
	out->list = calloc(count + 1, sizeof(*out->list));
	if (out->list == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!series->of_process || series->process_id < 0 || series->thread_id >= 0 ||
		    !is_of(series, "Process", "ID Process"))
			continue;
		out->list[out->n++] = (struct process){.series = series};
	}
	qsort(out->list, out->n, sizeof(*out->list), by_id);
	find_new(j, out);
	for (size_t i = 0; i < count; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);
		struct process *p = series->of_process && series->process_id >= 0
					    ? process_of(out, series->process_id)
					    : NULL;

		if (p != NULL)
			fill_process(j, p, series);
	}
	return true;
}

static void
look_up(const struct judged *j, struct process *p)
{
	if (!p->is_known && j->request.sampling.replay == NULL)
		p->is_known = who_is(j->request.sampling.root, p->series->process_id,
				     p->series->path.instance, &p->who);
}

// The n-th process by a resource; NULL if there is none that uses it.
static struct process *
nth(const struct processes *all, enum by by, size_t n)
{
	struct process *found[TOP] = {NULL};

	for (size_t i = 0; i < all->n; i++) {
		struct process *p = &all->list[i];
		size_t at = TOP;

		if (!(p->by[by] > 0))
			continue;
		while (at > 0 && (found[at - 1] == NULL || found[at - 1]->by[by] < p->by[by])) {
			if (at < TOP)
				found[at] = found[at - 1];
			at--;
		}
		if (at < TOP)
			found[at] = p;
	}
	return found[n];
}

// The nearest ancestor that was there from the beginning, without the threads of the kernel; NULL if there is none.
static struct process *
old_ancestor(const struct processes *all, const struct process *p)
{
	for (int depth = 0; p != NULL && p->is_new && depth < DEPTH; depth++)
		p = process_of(all, p->parent);
	return p != NULL && !p->is_new && p->series->process_id != KTHREADD
		       ? process_of(all, p->series->process_id)
		       : NULL;
}

static bool
is_old(const void *all, int64_t id)
{
	const struct process *p = process_of(all, id);

	return p != NULL && old_ancestor(all, p) != NULL;
}

// The process below which most of those that are new were started; NULL if that cannot be told. Those that live
// for less than an interval are in no sample.
static const struct process *
parent_of_new(const struct judged *j, const struct processes *all)
{
	const struct process *best = NULL;
	int64_t parent = j->request.sampling.replay == NULL
				 ? who_starts(j->request.sampling.root, is_old, all)
				 : WHO_NOBODY;

	if (parent != WHO_NOBODY)
		return old_ancestor(all, process_of(all, parent));
	for (size_t i = 0; i < all->n; i++) {
		struct process *ancestor =
			all->list[i].is_new ? old_ancestor(all, &all->list[i]) : NULL;

		if (ancestor == NULL)
			continue;
		ancestor->children++;
		if (best == NULL || ancestor->children > best->children)
			best = ancestor;
	}
	return best != NULL && best->children > 1 ? best : NULL;
}

// ---- Pressure -------------------------------------------------------------------------------

static const char *const pressures[] = {"cpu some", "io some", "io full", "memory some",
					"memory full"};
static const struct {
	const char *key;
	const char *counter;
} stalled[] = {{"avg10", "% Stalled Time 10 s"},
	       {"avg60", "% Stalled Time 60 s"},
	       {"avg300", "% Stalled Time 300 s"}};

#define PRESSURES (sizeof(pressures) / sizeof(pressures[0]))
#define STALLED   (sizeof(stalled) / sizeof(stalled[0]))

// ---- Text -----------------------------------------------------------------------------------

static void
put_name(struct pmon_text *t, const struct process *p)
{
	char name[TEXT];

	(void)draw_instance(p->series, name, sizeof(name));
	pmon_text_str(t, name);
}

static int
print_pressure(FILE *stream, const struct judged *j, enum out_format format)
{
	static const struct out_column columns[] = {{"pressure", "Pressure", 0, OUT_LEFT},
						    {"avg10", "10 s", 0, OUT_RIGHT},
						    {"avg60", "60 s", 0, OUT_RIGHT},
						    {"avg300", "300 s", 0, OUT_RIGHT}};
	struct out out;

	if (find(j, "Pressure Stall", stalled[0].counter, NULL) == NULL)
		return EXIT_DONE;
	out_begin(&out, stream, format, "pressure", columns, sizeof(columns) / sizeof(columns[0]),
		  &j->logs.clock);
	for (size_t i = 0; i < PRESSURES; i++) {
		const struct pmon_path instance = {
			.instance = {pressures[i], strlen(pressures[i])}};

		if (find(j, "Pressure Stall", stalled[0].counter, &instance) == NULL)
			continue;
		out_str(&out, pressures[i]);
		for (size_t k = 0; k < STALLED; k++) {
			char text[TEXT];
			struct pmon_text t = text_in(text);

			put_percent(&t, last(j, "Pressure Stall", stalled[k].counter, &instance),
				    " %", false);
			out_str(&out, text);
		}
	}
	return out_end(&out);
}

static void
put_amount(struct pmon_text *t, enum draw_quantity quantity, double value)
{
	const struct draw_multiple *multiple = draw_multiple_for(quantity, value);
	char number[DRAW_NUMBER];

	(void)out_number(value / multiple->size, number, sizeof(number));
	pmon_text_str(t, number);
	pmon_text_char(t, ' ');
	pmon_text_str(t, multiple->name);
}

static void
put_used(struct pmon_text *t, const struct resource *r)
{
	if (!isfinite(r->used))
		return;
	if (r->kind == NETWORK)
		put_amount(t, DRAW_BYTE_RATE, r->used);
	else
		put_percent(t, r->used, " %", false);
}

static int
print_resources(FILE *stream, const struct state *s, enum out_format format)
{
	static const struct out_column columns[] = {{"resource", "Resource", 0, OUT_LEFT},
						    {"used", "Used", 0, OUT_RIGHT},
						    {"waits", "Waiting", 0, OUT_LEFT},
						    {"errors", "Errors", 0, OUT_LEFT}};
	struct out out;

	out_begin(&out, stream, format, "resources", columns, sizeof(columns) / sizeof(columns[0]),
		  &s->j->logs.clock);
	for (size_t i = 0; i < s->n; i++) {
		const struct resource *r = &s->list[i];
		char text[TEXT];
		struct pmon_text t = text_in(text);

		pmon_text_str(&t, kinds[r->kind]);
		if (r->of != NULL) {
			char name[TEXT];

			(void)draw_instance(r->of, name, sizeof(name));
			pmon_text_char(&t, ' ');
			pmon_text_str(&t, name);
		}
		out_str(&out, text);
		t = text_in(text);
		put_used(&t, r);
		out_str(&out, text);
		out_str(&out, r->waits);
		out_str(&out, r->errors);
	}
	return out_end(&out);
}

static void
put_process(struct out *out, enum by by, const struct process *p)
{
	char text[TEXT];
	char command[WHO_COMMAND];
	struct pmon_text t = text_in(text);

	out_str(out, bys[by]);
	put_name(&t, p);
	out_str(out, text);
	t = text_in(text);
	if (by == BY_PROCESSOR)
		put_percent(&t, p->by[by], " %", false);
	else
		put_amount(&t, by == BY_MEMORY ? DRAW_BYTES : DRAW_BYTE_RATE, p->by[by]);
	out_str(out, text);
	out_str(out, p->is_known ? p->who.user : "");
	out_str(out, p->is_known ? p->who.unit : "");
	(void)draw_clean((struct pmon_span){p->who.command, strlen(p->who.command)}, text,
			 sizeof(text));
	draw_elide(text, COMMAND, out_is_ascii(), command, sizeof(command));
	out_str(out, p->is_known ? command : "");
}

static int
print_busiest(FILE *stream, const struct judged *j, const struct processes *all,
	      enum out_format format)
{
	static const struct out_column columns[] = {
		{"by", "Most", 0, OUT_LEFT},    {"process", "Process", 0, OUT_LEFT},
		{"used", "Used", 0, OUT_RIGHT}, {"user", "User", 0, OUT_LEFT},
		{"unit", "Unit", 0, OUT_LEFT},  {"command", "Command line", 0, OUT_LEFT},
	};
	struct out out;

	if (all->n == 0)
		return EXIT_DONE;
	putc('\n', stream);
	out_begin(&out, stream, format, "processes", columns, sizeof(columns) / sizeof(columns[0]),
		  &j->logs.clock);
	for (enum by by = 0; by < BYS; by++)
		for (size_t n = 0; n < TOP; n++) {
			struct process *p = nth(all, by, n);

			if (p == NULL)
				break;
			look_up(j, p);
			put_process(&out, by, p);
		}
	return out_end(&out);
}

// ---- What is near a limit, and who starts processes ------------------------------------------

// Called for each sentence.
struct notes {
	void (*put)(void *ctx, const char *text);
	void *ctx;
};

static void
note_files(const struct notes *notes, const struct process *p)
{
	char text[TEXT];
	struct pmon_text t = text_in(text);

	if (!p->is_known || p->who.files_limit == 0 ||
	    p->handles < NEAR * (double)p->who.files_limit)
		return;
	put_name(&t, p);
	pmon_text_str(&t, " has ");
	pmon_text_u64(&t, (uint64_t)p->handles);
	pmon_text_str(&t, " of at most ");
	pmon_text_u64(&t, p->who.files_limit);
	pmon_text_str(&t, " open files");
	notes->put(notes->ctx, text);
}

static void
note_memory(const struct notes *notes, const struct process *p)
{
	char text[TEXT];
	struct pmon_text t = text_in(text);

	if (!p->is_known || p->who.memory_limit == 0 ||
	    (double)p->who.memory < NEAR * (double)p->who.memory_limit)
		return;
	put_name(&t, p);
	pmon_text_str(&t, ": its group ");
	pmon_text_str(&t, p->who.unit);
	pmon_text_str(&t, " uses ");
	put_amount(&t, DRAW_BYTES, (double)p->who.memory);
	pmon_text_str(&t, " of at most ");
	put_amount(&t, DRAW_BYTES, (double)p->who.memory_limit);
	notes->put(notes->ctx, text);
}

static void
note_blocked(const struct notes *notes, const struct process *p)
{
	char text[TEXT];
	struct pmon_text t = text_in(text);

	if (!p->is_known || p->who.state != 'D')
		return;
	put_name(&t, p);
	pmon_text_str(&t, " is blocked in the kernel (state D)");
	notes->put(notes->ctx, text);
}

static void
note_forks(const struct notes *notes, const struct judged *j, const struct processes *all)
{
	double forks = average(j, "System", "Forks/sec", NULL);
	const struct process *parent = forks >= FORKS ? parent_of_new(j, all) : NULL;
	char text[TEXT];
	struct pmon_text t = text_in(text);

	if (!(forks >= FORKS))
		return;
	put_part(&t, round(forks), " processes or threads start each second", false);
	if (parent != NULL) {
		pmon_text_str(&t, ", most of those seen below ");
		put_name(&t, parent);
	}
	notes->put(notes->ctx, text);
}

static void
find_notes(const struct judged *j, struct processes *all, const struct notes *notes)
{
	bool blocked = last(j, "System", "Threads Blocked", NULL) > 0;

	note_forks(notes, j, all);
	for (size_t i = 0; i < all->n; i++) {
		struct process *p = &all->list[i];

		if (blocked || p->handles >= HANDLES)
			look_up(j, p);
		if (p->handles >= HANDLES)
			note_files(notes, p);
		if (blocked)
			note_blocked(notes, p);
	}
	for (size_t n = 0; n < TOP; n++) {
		struct process *p = nth(all, BY_MEMORY, n);

		if (p == NULL)
			break;
		look_up(j, p);
		note_memory(notes, p);
	}
}

struct printed {
	FILE *stream;
	enum out_format format;
	bool any;
};

static void
print_note(void *ctx, const char *text)
{
	struct printed *to = ctx;
	struct pmon_span line = {text, strlen(text)};

	if (!to->any)
		fputs("\n", to->stream);
	to->any = true;
	if (to->format == OUT_MARKDOWN) {
		fputs("- ", to->stream);
		out_markdown(to->stream, line);
	} else {
		out_clean(to->stream, line);
	}
	putc('\n', to->stream);
}

int
state_print(FILE *stream, const struct judged *j, enum out_format format)
{
	struct state s = {.j = j};
	struct processes all;
	struct printed to = {stream, format, false};
	const struct notes notes = {print_note, &to};
	int status;

	if (!find_processes(j, &all))
		return say(EXIT_FAILED, "not enough memory");
	status = find_resources(&s) ? print_pressure(stream, j, format)
				    : say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE) {
		putc('\n', stream);
		status = print_resources(stream, &s, format);
	}
	if (status == EXIT_DONE)
		status = print_busiest(stream, j, &all, format);
	if (status == EXIT_DONE)
		find_notes(j, &all, &notes);
	if (status == EXIT_DONE)
		putc('\n', stream);
	free(all.list);
	return status;
}

// ---- JSON -----------------------------------------------------------------------------------

static void
json_pressure(struct json *json, const struct judged *j)
{
	json_key(json, "pressure"), json_open(json, '[');
	for (size_t i = 0; i < PRESSURES; i++) {
		const struct pmon_path instance = {
			.instance = {pressures[i], strlen(pressures[i])}};

		if (find(j, "Pressure Stall", stalled[0].counter, &instance) == NULL)
			continue;
		json_open(json, '{');
		json_key(json, "resource"), json_str(json, pressures[i]);
		for (size_t k = 0; k < STALLED; k++) {
			json_key(json, stalled[k].key);
			json_double(json, last(j, "Pressure Stall", stalled[k].counter, &instance));
		}
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_resources(struct json *json, const struct state *s)
{
	json_key(json, "resources"), json_open(json, '[');
	for (size_t i = 0; i < s->n; i++) {
		const struct resource *r = &s->list[i];
		char name[TEXT];

		json_open(json, '{');
		json_key(json, "resource"), json_str(json, kinds[r->kind]);
		json_key(json, "instance");
		if (r->of != NULL)
			(void)draw_instance(r->of, name, sizeof(name));
		json_str(json, r->of != NULL ? name : NULL);
		json_key(json, "used"), json_double(json, r->used);
		json_key(json, "unit"), json_str(json, r->kind == NETWORK ? "B/s" : "%");
		json_key(json, "waiting"), json_str(json, r->waits);
		json_key(json, "errors"), json_str(json, r->errors);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_process(struct json *json, enum by by, const struct process *p)
{
	static const char *const units[BYS] = {"%", "B", "B/s"};

	json_open(json, '{');
	json_key(json, "by"), json_str(json, bys[by]);
	json_key(json, "process"), json_text(json, p->series->path.instance);
	json_key(json, "pid"), json_i64(json, p->series->process_id);
	json_key(json, "used"), json_double(json, p->by[by]);
	json_key(json, "unit"), json_str(json, units[by]);
	json_key(json, "user"), json_str(json, p->is_known ? p->who.user : NULL);
	json_key(json, "group"), json_str(json, p->is_known ? p->who.unit : NULL);
	json_key(json, "command"), json_str(json, p->is_known ? p->who.command : NULL);
	json_close(json, '}');
}

static void
json_busiest(struct json *json, const struct judged *j, const struct processes *all)
{
	json_key(json, "busiest"), json_open(json, '[');
	for (enum by by = 0; by < BYS; by++)
		for (size_t n = 0; n < TOP; n++) {
			struct process *p = nth(all, by, n);

			if (p == NULL)
				break;
			look_up(j, p);
			json_process(json, by, p);
		}
	json_close(json, ']');
}

static void
json_note(void *ctx, const char *text)
{
	json_str(ctx, text);
}

bool
state_json(struct json *json, const struct judged *j)
{
	struct state s = {.j = j};
	struct processes all;
	const struct notes notes = {json_note, json};
	bool good = find_processes(j, &all) && find_resources(&s);

	if (good) {
		json_key(json, "state"), json_open(json, '{');
		json_pressure(json, j);
		json_resources(json, &s);
		json_busiest(json, j, &all);
		json_key(json, "notes"), json_open(json, '[');
		find_notes(j, &all, &notes);
		json_close(json, ']');
		json_close(json, '}');
	}
	free(all.list);
	return good;
}
