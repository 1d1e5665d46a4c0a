// state.c - the state of this machine: pressure, its resources, and who uses most of them
// SPDX-License-Identifier: MIT
//
// Resources are shown as in the USE method: utilization, saturation and errors. Rates are averages over all samples, by
// the type of the counter; levels are last values.

#include "verbs/health/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/label.h"
#include "query/statistics.h"
#include "shell/args/args.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "verbs/health/notes.h"
#include "verbs/health/values.h"

#define ROWS    4  // of one kind
#define COMMAND 60 // characters in text

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
	char waits[STATE_TEXT];
	char errors[STATE_TEXT];
};

struct state {
	const struct judged *j;
	struct state_values values;
	struct processes processes;
	struct resource list[KINDS * ROWS];
	size_t n;
};

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
	struct pmon_text t = state_text(r->waits);

	r->used = state_average(&s->values, "Processor", "% Processor Time", &total);
	state_put_part(&t, state_average(&s->values, "System", "Threads Running", NULL),
		       " threads run or are ready", false);
	state_put_part(&t, state_last(&s->values, "System", "Load Average 1 Minute", NULL), " load",
		       false);
	state_put_percent(&t, state_average(&s->values, "Processor", "% Steal Time", &total),
			  " % stolen by the host", true);
}

static void
add_memory(struct state *s)
{
	struct resource *r = add(s, MEMORY);
	struct pmon_text waits = state_text(r->waits);
	struct pmon_text errors = state_text(r->errors);
	double available = state_last(&s->values, "Memory", "Available Bytes", NULL);
	double all = state_last(&s->values, "Memory", "Total Bytes", NULL);
	const struct pmon_series *kills =
		state_find(&s->values, "Memory", "Out Of Memory Kills/sec", NULL);

	r->used = all > 0 ? 100 * (1 - available / all) : (double)NAN;
	state_put_part(&waits, state_average(&s->values, "Memory", "Pages Output/sec", NULL),
		       " pages swapped out a second", true);
	if (kills != NULL)
		state_put_part(&errors,
			       state_number_of(pmon_statistics_total(s->j->statistics, kills->id)),
			       " killed: out of memory", true);
}

static void
add_processes(struct state *s)
{
	struct resource *r = add(s, PROCESSES);
	struct pmon_text t = state_text(r->waits);

	state_put_part(&t, state_last(&s->values, "System", "Processes", NULL), " processes",
		       false);
	state_put_part(&t, state_last(&s->values, "System", "Threads Blocked", NULL),
		       " threads blocked on I/O", true);
	state_put_part(&t, round(state_average(&s->values, "System", "Forks/sec", NULL)),
		       " started a second", true);
}

static void
fill_disk(struct state *s, struct resource *r)
{
	struct pmon_text t = state_text(r->waits);
	double latency =
		state_average(&s->values, "PhysicalDisk", "Avg. Disk sec/Transfer", &r->of->path);

	r->used = fmax(100 - state_average(&s->values, "PhysicalDisk", "% Idle Time", &r->of->path),
		       0);
	r->sort = state_average(&s->values, "PhysicalDisk", "Disk Transfers/sec", &r->of->path) > 0
			  ? r->used
			  : -1;
	state_put_part(
		&t,
		state_average(&s->values, "PhysicalDisk", "Avg. Disk Queue Length", &r->of->path),
		" in the queue", false);
	state_put_part(&t, latency * 1000, " ms each", false);
}

static void
fill_volume(struct state *s, struct resource *r)
{
	r->used = 100 - state_last(&s->values, "LogicalDisk", "% Free Space", &r->of->path);
	r->sort = r->used;
}

static void
fill_network(struct state *s, struct resource *r)
{
	struct pmon_text t = state_text(r->errors);

	r->used = state_average(&s->values, "Network Interface", "Bytes Total/sec", &r->of->path);
	state_put_part(&t,
		       state_growth(&s->values, "Network Interface", "Packets Received Errors",
				    &r->of->path) +
			       state_growth(&s->values, "Network Interface",
					    "Packets Outbound Errors", &r->of->path),
		       " errors", true);
	state_put_part(&t,
		       state_growth(&s->values, "Network Interface", "Packets Received Discarded",
				    &r->of->path) +
			       state_growth(&s->values, "Network Interface",
					    "Packets Outbound Discarded", &r->of->path),
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

// Add the busiest instances; idle ones are left out. False when memory is short.
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

		if (!state_is_of(series, object, counter) || pmon_path_is_total(&series->path))
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

// TCP has a row only if something is wrong.
static void
add_tcp(struct state *s)
{
	double sent = state_average(&s->values, "TCPv4", "Segments Sent/sec", NULL);
	double again = state_average(&s->values, "TCPv4", "Segments Retransmitted/sec", NULL);
	struct resource r = {.kind = TCP, .used = NAN};
	struct pmon_text t = state_text(r.errors);

	state_put_part(&t, state_average(&s->values, "TCPv4", "Listen Overflows/sec", NULL),
		       " listen overflows a second", true);
	if (sent > 0 && again / sent >= 0.01)
		state_put_percent(&t, 100 * again / sent, " % retransmitted", true);
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

// Free it also on failure: false when memory is short.
static bool
find_state(struct state *s, const struct judged *j)
{
	*s = (struct state){.j = j};
	return state_values_find(&s->values, j) && processes_find(j, &s->processes) &&
	       find_resources(s);
}

static void
free_state(struct state *s)
{
	state_values_free(&s->values);
	free(s->processes.list);
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

static int
print_pressure(FILE *stream, const struct state *s, enum out_format format)
{
	static const struct out_column columns[] = {{"pressure", "Pressure", 0, OUT_LEFT},
						    {"avg10", "10 s", 0, OUT_RIGHT},
						    {"avg60", "60 s", 0, OUT_RIGHT},
						    {"avg300", "300 s", 0, OUT_RIGHT}};
	struct out out;
	int status;

	if (state_find(&s->values, "Pressure Stall", stalled[0].counter, NULL) == NULL)
		return EXIT_DONE;
	out_begin(&out, stream, format, "pressure", columns, sizeof(columns) / sizeof(columns[0]),
		  &s->j->logs.clock);
	for (size_t i = 0; i < PRESSURES; i++) {
		const struct pmon_path instance = {
			.instance = {pressures[i], strlen(pressures[i])}};

		if (state_find(&s->values, "Pressure Stall", stalled[0].counter, &instance) == NULL)
			continue;
		out_str(&out, pressures[i]);
		for (size_t k = 0; k < STALLED; k++) {
			char text[STATE_TEXT];
			struct pmon_text t = state_text(text);

			state_put_percent(&t,
					  state_last(&s->values, "Pressure Stall",
						     stalled[k].counter, &instance),
					  " %", false);
			out_str(&out, text);
		}
	}
	status = out_end(&out);
	putc('\n', stream);
	return status;
}

static void
put_used(struct pmon_text *t, const struct resource *r)
{
	if (!isfinite(r->used))
		return;
	if (r->kind == NETWORK)
		state_put_amount(t, DRAW_BYTE_RATE, r->used);
	else
		state_put_percent(t, r->used, " %", false);
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
		char text[STATE_TEXT];
		struct pmon_text t = state_text(text);

		pmon_text_str(&t, kinds[r->kind]);
		if (r->of != NULL) {
			char name[STATE_TEXT];

			(void)draw_instance(r->of, name, sizeof(name));
			pmon_text_char(&t, ' ');
			pmon_text_str(&t, name);
		}
		out_str(&out, text);
		t = state_text(text);
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
	char text[STATE_TEXT];
	char command[WHO_COMMAND];
	struct pmon_text t = state_text(text);

	out_str(out, processes_by[by]);
	processes_put_name(&t, p);
	out_str(out, text);
	t = state_text(text);
	if (by == BY_PROCESSOR)
		state_put_percent(&t, p->by[by], " %", false);
	else
		state_put_amount(&t, by == BY_MEMORY ? DRAW_BYTES : DRAW_BYTE_RATE, p->by[by]);
	out_str(out, text);
	out_str(out, p->is_known ? p->who.user : "");
	out_str(out, p->is_known ? p->who.unit : "");
	(void)draw_clean((struct pmon_span){p->who.command, strlen(p->who.command)}, text,
			 sizeof(text));
	draw_elide(text, COMMAND, out_is_ascii(), command, sizeof(command));
	out_str(out, p->is_known ? command : "");
}

static int
print_busiest(FILE *stream, struct state *s, enum out_format format)
{
	static const struct out_column columns[] = {
		{"by", "Most", 0, OUT_LEFT},    {"process", "Process", 0, OUT_LEFT},
		{"used", "Used", 0, OUT_RIGHT}, {"user", "User", 0, OUT_LEFT},
		{"unit", "Unit", 0, OUT_LEFT},  {"command", "Command line", 0, OUT_LEFT},
	};
	struct out out;

	if (s->processes.n == 0)
		return EXIT_DONE;
	putc('\n', stream);
	out_begin(&out, stream, format, "processes", columns, sizeof(columns) / sizeof(columns[0]),
		  &s->j->logs.clock);
	for (enum by by = 0; by < BY_KINDS; by++) {
		struct process *top[PROCESSES_TOP];
		size_t n = processes_top(s->j, &s->processes, by, top);

		for (size_t i = 0; i < n; i++)
			put_process(&out, by, top[i]);
	}
	return out_end(&out);
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
	struct state s;
	struct printed to = {stream, format, false};
	const struct notes notes = {print_note, &to};
	int status = find_state(&s, j) ? print_pressure(stream, &s, format)
				       : say(EXIT_FAILED, "not enough memory");

	if (status == EXIT_DONE)
		status = print_resources(stream, &s, format);
	if (status == EXIT_DONE)
		status = print_busiest(stream, &s, format);
	if (status == EXIT_DONE) {
		state_notes(&s.values, &s.processes, &notes);
		putc('\n', stream);
	}
	free_state(&s);
	return status;
}

// ---- JSON -----------------------------------------------------------------------------------

static void
json_pressure(struct json *json, const struct state *s)
{
	json_key(json, "pressure"), json_open(json, '[');
	for (size_t i = 0; i < PRESSURES; i++) {
		const struct pmon_path instance = {
			.instance = {pressures[i], strlen(pressures[i])}};

		if (state_find(&s->values, "Pressure Stall", stalled[0].counter, &instance) == NULL)
			continue;
		json_open(json, '{');
		json_key(json, "resource"), json_str(json, pressures[i]);
		for (size_t k = 0; k < STALLED; k++) {
			json_key(json, stalled[k].key);
			json_double(json, state_last(&s->values, "Pressure Stall",
						     stalled[k].counter, &instance));
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
		char name[STATE_TEXT];

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
	static const char *const units[BY_KINDS] = {"%", "B", "B/s"};

	json_open(json, '{');
	json_key(json, "by"), json_str(json, processes_by[by]);
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
json_busiest(struct json *json, struct state *s)
{
	json_key(json, "busiest"), json_open(json, '[');
	for (enum by by = 0; by < BY_KINDS; by++) {
		struct process *top[PROCESSES_TOP];
		size_t n = processes_top(s->j, &s->processes, by, top);

		for (size_t i = 0; i < n; i++)
			json_process(json, by, top[i]);
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
	struct state s;
	const struct notes notes = {json_note, json};
	bool good = find_state(&s, j);

	if (good) {
		json_key(json, "state"), json_open(json, '{');
		json_pressure(json, &s);
		json_resources(json, &s);
		json_busiest(json, &s);
		json_key(json, "notes"), json_open(json, '[');
		state_notes(&s.values, &s.processes, &notes);
		json_close(json, ']');
		json_close(json, '}');
	}
	free_state(&s);
	return good;
}
