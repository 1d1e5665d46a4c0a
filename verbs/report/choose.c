// choose.c - choose the charts of a report
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "verbs/report/report.h"
#include "query/processors.h"

enum pick {
	PICK_TOTAL, // the object as a whole
	PICK_EACH,  // the instances with the largest average
};

// A chart that people look for. It shows the first of its objects that the log has, and the first
// available of counters separated by bars.
struct plan {
	const char *objects[2];
	const char *title;
	const char *counters[5];
	enum pick pick;
};

static const struct plan plans[] = {
	{{PMON_HYPERVISOR_OBJECT},
	 "Processor time of the host",
	 {PMON_HYPERVISOR_LOAD, "% Guest Run Time", "% Hypervisor Run Time"},
	 PICK_TOTAL},
	{{"Processor Information", "Processor"},
	 "Total processor time",
	 {"% Processor Time", "% User Time", "% Privileged Time", "% Interrupt Time",
	  "% I/O Wait Time"},
	 PICK_TOTAL},
	{{"Processor Information", "Processor"},
	 "Busiest processors",
	 {"% Processor Time"},
	 PICK_EACH},
	{{"System"},
	 "Waiting threads and context switches",
	 {"Processor Queue Length", "Threads Blocked", "Context Switches/sec"},
	 PICK_TOTAL},
	{{"Pressure Stall"}, "Stalled time", {"% Stalled Time"}, PICK_EACH},
	{{"Memory"},
	 "Available and committed memory",
	 {"Available MBytes|Available KBytes|Available Bytes", "Committed Bytes", "Commit Limit",
	  "Cache Bytes"},
	 PICK_TOTAL},
	{{"Memory"}, "Paging", {"Pages/sec", "Pages Input/sec", "Pages Output/sec"}, PICK_TOTAL},
	{{"Paging File"}, "Paging file usage", {"% Usage"}, PICK_EACH},
	{{"PhysicalDisk", "LogicalDisk"},
	 "Read and write latency",
	 {"Avg. Disk sec/Read", "Avg. Disk sec/Write"},
	 PICK_EACH},
	{{"PhysicalDisk", "LogicalDisk"},
	 "Bytes read and written",
	 {"Disk Read Bytes/sec", "Disk Write Bytes/sec"},
	 PICK_EACH},
	{{"PhysicalDisk", "LogicalDisk"},
	 "Requests in flight",
	 {"Avg. Disk Queue Length|Current Disk Queue Length"},
	 PICK_EACH},
	{{"LogicalDisk"}, "Free space", {"% Free Space"}, PICK_EACH},
	{{"Network Interface", "Network Adapter"},
	 "Bytes received and sent",
	 {"Bytes Received/sec|Bytes Total/sec", "Bytes Sent/sec"},
	 PICK_EACH},
	{{"Process"}, "Processor time of processes", {"% Processor Time"}, PICK_EACH},
	{{"Process"}, "Memory of processes", {"Working Set"}, PICK_EACH},
};

#define N_PLANS    (sizeof(plans) / sizeof(plans[0]))
#define N_OBJECTS  2
#define N_COUNTERS 5

// What is sampled on a live machine: objects completely, except that for processes only what the
// page shows.
static const char *const patterns[] = {
	"\\Processor Information(*)\\*",
	"\\Processor(*)\\*",
	"\\System\\*",
	"\\Memory\\*",
	"\\NUMA Node Memory(*)\\Total MBytes",
	"\\Paging File(*)\\*",
	"\\Pressure Stall(*)\\*",
	"\\PhysicalDisk(*)\\*",
	"\\LogicalDisk(*)\\*",
	"\\Network Interface(*)\\*",
	"\\Process(*)\\% Processor Time",
	"\\Process(*)\\Working Set",
	"\\Process(*)\\IO Data Bytes/sec",
	"\\Process(*)\\Handle Count",
};

const char *
report_pattern(size_t i)
{
	return i < sizeof(patterns) / sizeof(patterns[0]) ? patterns[i] : NULL;
}

// ---- Series of a counter --------------------------------------------------------------------

static bool
is(struct pmon_span text, const char *name)
{
	return pmon_text_same(text, (struct pmon_span){name, strlen(name)});
}

enum kind {
	KIND_WHOLE, // the sum of all instances
	KIND_PART,  // an instance
	KIND_OTHER, // partial sums, such as "0,_Total", and idle time
};

static enum kind
kind_of(const struct pmon_path *path)
{
	if (is(path->instance, "_Total"))
		return KIND_WHOLE;
	return pmon_path_ranks(path) ? KIND_PART : KIND_OTHER;
}

static double
average_of(const struct report *r, const struct pmon_series *series)
{
	return pmon_stats_average(report_stats(r, series)).value;
}

// Insert a series into a sorted list with room for max.
static void
insert(const struct report *r, const struct pmon_series *series, const struct pmon_series **out,
       size_t n, size_t max)
{
	size_t i = n < max ? n : max;
	double average = average_of(r, series);

	for (; i > 0 && average_of(r, out[i - 1]) < average; i--)
		if (i < max)
			out[i] = out[i - 1];
	if (i < max)
		out[i] = series;
}

static size_t
largest(const struct report *r, struct pmon_span object, struct pmon_span counter, enum kind kind,
	const struct pmon_series **out, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct pmon_path *path = pmon_series_english(r->series[i]);

		if (pmon_text_same(path->object, object) &&
		    pmon_text_same(path->counter, counter) && kind_of(path) == kind)
			insert(r, r->series[i], out, n++, max);
	}
	return n;
}

size_t
report_largest(const struct report *r, struct pmon_span object, const char *counter,
	       const struct pmon_series **out, size_t max)
{
	struct pmon_span name = {counter, strlen(counter)};
	size_t n = largest(r, object, name, KIND_PART, out, max);

	return n > 0 ? n : largest(r, object, name, KIND_WHOLE, out, max);
}

// ---- Charts ---------------------------------------------------------------------------------

static bool
is_flat_zero(const struct report *r, const struct pmon_series *series)
{
	const struct pmon_stats *stats = report_stats(r, series);

	return stats->minimum.value == 0 && stats->maximum.value == 0;
}

static void
add_series(struct report_chart *chart, const struct pmon_series *series)
{
	chart->of++;
	if (chart->n < REPORT_CHART_SERIES)
		chart->series[chart->n++] = series;
}

static size_t
add_counter(const struct report *r, struct report_chart *chart, struct pmon_span counter,
	    enum pick pick, size_t room)
{
	const struct pmon_series *list[REPORT_CHART_SERIES];
	size_t n;

	n = largest(r, chart->object, counter, pick == PICK_TOTAL ? KIND_WHOLE : KIND_PART, list,
		    room);
	if (n == 0 && pick == PICK_TOTAL)
		n = largest(r, chart->object, counter, KIND_PART, list, room);
	for (size_t i = 0; i < n && i < room; i++)
		add_series(chart, list[i]);
	chart->of += n > room ? n - room : 0;
	return n;
}

// Add the first available counter of "A|B".
static size_t
add_first(const struct report *r, struct report_chart *chart, const char *counters, enum pick pick,
	  size_t room)
{
	size_t n = 0;

	while (n == 0 && *counters != '\0') {
		size_t len = strcspn(counters, "|");

		n = add_counter(r, chart, (struct pmon_span){counters, len}, pick, room);
		counters += counters[len] == '|' ? len + 1 : len;
	}
	return n;
}

// Drop lines that are zero throughout, unless all are.
static void
drop_zeros(const struct report *r, struct report_chart *chart)
{
	size_t n = 0;

	for (size_t i = 0; i < chart->n; i++)
		if (!is_flat_zero(r, chart->series[i]))
			chart->series[n++] = chart->series[i];
	chart->of -= chart->n - (n > 0 ? n : 1);
	chart->n = n > 0 ? n : 1;
}

static bool
has_object(const struct report *r, const char *object)
{
	for (size_t i = 0; object != NULL && i < r->n; i++)
		if (is(pmon_series_english(r->series[i])->object, object))
			return true;
	return false;
}

static size_t
counters_of(const struct plan *plan)
{
	size_t n = 0;

	while (n < N_COUNTERS && plan->counters[n] != NULL)
		n++;
	return n;
}

static bool
has_room(const struct report *r)
{
	return r->n_charts < r->n_card_charts + REPORT_CHARTS;
}

static void
add_plan(struct report *r, const struct plan *plan)
{
	struct report_chart *chart = &r->charts[r->n_charts];
	size_t n = counters_of(plan);
	size_t room = REPORT_CHART_SERIES / (plan->pick == PICK_EACH ? n : 1);
	const char *object = NULL;

	for (size_t i = 0; object == NULL && i < N_OBJECTS; i++)
		object = has_object(r, plan->objects[i]) ? plan->objects[i] : NULL;
	if (object == NULL || !has_room(r))
		return;
	*chart = (struct report_chart){.object = {object, strlen(object)}, .title = plan->title};
	for (size_t i = 0; i < n; i++)
		add_first(r, chart, plan->counters[i], plan->pick, room);
	// A single instance equals the whole, which another chart shows.
	if (chart->n == 0 || (plan->pick == PICK_EACH && n == 1 && chart->of == 1 &&
			      strncmp(object, "Processor", 9) == 0))
		return;
	drop_zeros(r, chart);
	r->n_charts++;
}

static bool
is_charted(const struct report *r, struct pmon_span object)
{
	for (size_t i = 0; i < r->n_charts; i++)
		if (pmon_text_same(r->charts[i].object, object))
			return true;
	return false;
}

static bool
has_counter(const struct report_chart *chart, struct pmon_span counter)
{
	for (size_t i = 0; i < chart->n; i++)
		if (pmon_text_same(pmon_series_english(chart->series[i])->counter, counter))
			return true;
	return false;
}

// For an unknown object: add one series for each counter that changes.
static void
add_object(struct report *r, struct pmon_span object)
{
	struct report_chart *chart = &r->charts[r->n_charts];

	*chart = (struct report_chart){.object = object, .title = "Selected counters"};
	for (size_t i = 0; i < r->n && chart->n < REPORT_CHART_SERIES; i++) {
		const struct pmon_stats *stats = report_stats(r, r->series[i]);

		if (pmon_text_same(pmon_series_english(r->series[i])->object, object) &&
		    !has_counter(chart, pmon_series_english(r->series[i])->counter) &&
		    stats->minimum.value != stats->maximum.value)
			add_series(chart, r->series[i]);
	}
	r->n_charts += chart->n > 0;
}

// ---- Objects --------------------------------------------------------------------------------

// The index of the object in the list of known ones; for others a larger number.
static size_t
rank_of(struct pmon_span object)
{
	for (size_t i = 0; i < N_PLANS; i++)
		for (size_t j = 0; j < N_OBJECTS; j++)
			if (plans[i].objects[j] != NULL && is(object, plans[i].objects[j]))
				return i * N_OBJECTS + j;
	return N_PLANS * N_OBJECTS;
}

static bool
is_listed(const struct report *r, struct pmon_span object)
{
	for (size_t i = r->n_objects; i-- > 0;)
		if (pmon_text_same(r->objects[i], object))
			return true;
	return false;
}

// Known objects come first, in the usual order of interest.
static void
list_object(struct report *r, struct pmon_span object)
{
	size_t i = r->n_objects++;

	for (; i > 0 && rank_of(object) < rank_of(r->objects[i - 1]); i--)
		r->objects[i] = r->objects[i - 1];
	r->objects[i] = object;
}

static void
list_objects(struct report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct pmon_span object = pmon_series_english(r->series[i])->object;

		if (is_listed(r, object))
			continue;
		if (r->n_objects == REPORT_OBJECTS) {
			r->more_objects = true;
			return;
		}
		list_object(r, object);
	}
}

// ---- Findings -------------------------------------------------------------------------------

size_t
report_group(const struct report *r, size_t i)
{
	size_t n = 1;

	while (i + n < r->n_cards && r->cards[i + n]->rule == r->cards[i]->rule &&
	       r->cards[i + n]->level == r->cards[i]->level)
		n++;
	return n;
}

static bool
has_card(const struct report *r, const struct rules_finding *f)
{
	for (size_t i = 0; i < r->n_cards; i += report_group(r, i))
		if (r->cards[i]->rule == f->rule && r->cards[i]->level == f->level)
			return true;
	return false;
}

// Add those of the list with the rule and level of the first, unless they are in cards already.
static void
add_cards(struct report *r, const struct rules_finding *list, size_t n)
{
	if (has_card(r, list))
		return;
	for (size_t i = 0; i < n; i++)
		if (list[i].rule == list->rule && list[i].level == list->level)
			r->cards[r->n_cards++] = &list[i];
}

static void
add_card_chart(struct report *r, size_t card, size_t n)
{
	struct report_chart *chart = &r->charts[r->n_charts];

	*chart = (struct report_chart){.rule = r->cards[card]->rule, .title = ""};
	for (size_t i = 0; i < n; i++)
		add_series(chart, r->cards[card + i]->series);
	r->n_card_charts = ++r->n_charts;
}

static bool
choose_cards(struct report *r)
{
	const struct judged *j = &r->ranked;

	r->cards = calloc(j->n_findings + 1, sizeof(*r->cards));
	if (r->cards == NULL)
		return false;
	for (size_t i = 0; i < j->n_findings; i++)
		add_cards(r, &j->findings[i], j->n_findings - i);
	for (size_t i = 0; i < r->n_cards && r->n_charts < REPORT_CARDS; i += report_group(r, i))
		add_card_chart(r, i, report_group(r, i));
	return true;
}

bool
report_choose(struct report *r)
{
	if (!choose_cards(r))
		return false;
	list_objects(r);
	for (size_t i = 0; i < N_PLANS; i++)
		add_plan(r, &plans[i]);
	for (size_t i = 0; i < r->n_objects && has_room(r); i++) {
		// Processor repeats what Processor Information shows.
		bool again = is(r->objects[i], "Processor") &&
			     is_charted(r, PMON_SPAN("Processor Information"));

		if (!again && !is_charted(r, r->objects[i]))
			add_object(r, r->objects[i]);
	}
	return true;
}
