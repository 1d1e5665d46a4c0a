// openmetrics.h - performance logs as OpenMetrics text
// SPDX-License-Identifier: MIT
//
// docs/reference/formats/openmetrics.md says which metrics each counter type is written as.

#ifndef PMON_FORMAT_OPENMETRICS_H
#define PMON_FORMAT_OPENMETRICS_H

#include <stdio.h>

#include "base/arena.h"
#include "base/map.h"
#include "format/format.h"
#include "model/schema.h"

#define OM_NAME_SIZE 256

// ---- plan.c: the metrics of a counter -------------------------------------------------------

// Where the numbers of a family are from. Counters: what was counted so far of N, of D, and of pairs.
// Gauges: the fields of the raw value, the displayed value, and a displayed percentage as a ratio.
enum om_from {
	OM_NOTHING, // there is no such family
	OM_N,
	OM_D,
	OM_PAIRS,
	OM_FIRST,
	OM_SECOND,
	OM_MULTI,
	OM_VALUE,
	OM_RATIO,
};

// One family of a counter.
struct om_part {
	enum om_from from;
	int64_t times;      // to be multiplied by, as 1024 of kilobytes; 0: once
	int64_t ticks;      // of a second, to be divided by; 0: the number as it is
	const char *unit;   // "" or "seconds", "bytes", "ratio"
	const char *suffix; // after the name: "", "_base_seconds", "_units", "_intervals"
	const char *what;   // in words
};

// The numerator or the value; what it is divided by; the number of units, of intervals where there is a base,
// or a fraction as a ratio.
enum {
	OM_MAIN,
	OM_BASE,
	OM_EXTRA,
	OM_PARTS
};

struct om_plan {
	const struct pmon_counter_type *type;
	const char *
		unit_word; // of the counter's name, that the unit of the main part takes the place of; NULL: none
	double scale; // what the metrics give for 1 of what the counter displays: 1024 where it displays kilobytes
	struct om_part parts[OM_PARTS];
};

static inline bool
pmon_om_is_counter(const struct om_part *part)
{
	return part->from >= OM_N && part->from <= OM_PAIRS;
}

// false when the counter is not written: bases, texts, unknown types.
bool pmon_om_plan_make(const struct pmon_series *series, struct om_plan *plan);

// The name of the family: object, counter and unit in the letters that names may have.
void pmon_om_plan_name(const struct pmon_series *series, const struct om_plan *plan,
		       char name[OM_NAME_SIZE]);

// ---- registry.c: families and series, and what was counted ---------------------------------------

#define OM_NO_FAMILY UINT32_MAX

// A counter of an object, with the series of all its instances. The endings of counters ("_total") are
// not in the names.
struct om_family {
	const char *names[OM_PARTS];      // NULL where there is no such part
	const struct pmon_series *series; // the first
	struct om_plan plan;
	uint32_t first; // series; each names the next
	uint32_t last;
};

// Metrics do not say which counter they are of, and of which type. So one series of each family and machine also has
// points of OM_DESCRIPTION, whose labels are those of the series, the counter, the family and the type. Its numbers are
// its times, so that the newest and the oldest can be asked for. One such series of each machine has a point for the
// newest sample too.
#define OM_DESCRIPTION "pmon_described_timestamp_seconds"

enum om_describes {
	OM_DESCRIBES_NOTHING,
	OM_DESCRIBES_FAMILY,
	OM_DESCRIBES_MACHINE, // too
};

// A series on its way.
struct om_track {
	const struct pmon_series *series;
	struct pmon_calc calc;
	struct om_plan
		plan;    // machines have clocks of their own, so each series has ticks of its own
	uint32_t family; // OM_NO_FAMILY: not written
	uint32_t next;   // of the family
	enum om_describes describes;
	uint32_t same_before;  // how many series of the same path came before
	uint32_t n_same_after; // of the first of a path: how many came after it
	bool counting;         // n, d and pairs have begun
	bool begun;            // raw is to pair with
	bool seen;
	uint32_t stream; // of the newest sample
	uint64_t ordinal;
	struct pmon_raw raw;
	uint64_t n; // counted so far, through every wrap
	uint64_t d;
	uint64_t pairs;
};

struct om_name {
	const char *text;
	uint32_t family;
};

struct om_registry {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_arena arena; // tracks and names
	struct om_track **tracks;
	size_t n_tracks;
	size_t tracks_cap;
	struct om_family *families;
	size_t n_families;
	size_t families_cap;
	struct om_name *names;
	size_t n_names;
	size_t names_cap;
	struct pmon_map name_map;
	struct pmon_map path_map;  // the first series of each path
	struct pmon_map described; // families and machines
	uint64_t seed;             // of the hashes
};

void pmon_om_registry_open(struct om_registry *registry, const struct pmon_schema *schema,
			   const struct pmon_allocator *allocator);
void pmon_om_registry_close(struct om_registry *registry);

// Take in the series that the schema has got since. false when memory is short.
PMON_NODISCARD bool pmon_om_registry_grow(struct om_registry *registry);

// Count a raw value of a series, and give the numbers of its parts; NAN where one has none. false
// when there is nothing to write.
bool pmon_om_take(struct om_track *track, const struct pmon_sample *sample,
		  const struct pmon_raw *raw, double numbers[OM_PARTS]);

// A raw value that is known already: the series was in this sample, and nothing is counted.
void pmon_om_pass(struct om_track *track, const struct pmon_sample *sample);

// Milliseconds since 1970, rounded down: what Prometheus keeps.
int64_t pmon_om_unix_ms(pmon_time time);
pmon_time pmon_om_from_unix_ms(int64_t ms);

// The millisecond of the next point of a series whose last was *last_ms, -1 for none. Points of one
// time, as in logs without seconds, are a millisecond apart. false for times that went back, or
// before 1970.
bool pmon_om_place(int64_t ms, int64_t *last_ms);

// ---- text.c: the lines -----------------------------------------------------------------------

// Where text goes, and in which of the two dialects.
struct om_out {
	void (*put)(void *ctx, const char *text, size_t len);
	void *ctx;
	bool is_openmetrics; // else the text format 0.0.4 that Prometheus had before
	// "instance" is left to whoever scrapes, who puts the target there; that of a counter is "counter_instance".
	// Otherwise "instance" is that of the counter.
	bool is_target;
	// Say of what has no instance that it has none: a scraping Prometheus would put its target there.
	bool says_no_instance;
};

// TYPE, UNIT and HELP of a part of a family.
void pmon_om_put_head(const struct om_out *out, const struct om_family *family, int part);

// A line. time is PMON_TIME_NONE for none: the time of the scrape.
void pmon_om_put_line(const struct om_out *out, const struct om_family *family, int part,
		      const struct om_track *track, double number, pmon_time time);

// Give the labels of a series one after the other, in the order of their names.
typedef void (*om_label_fn)(void *ctx, const char *name, struct pmon_span text);
void pmon_om_labels(const struct om_track *track, om_label_fn give, void *ctx);

// Those of its description.
void pmon_om_describe(const struct om_family *family, const struct om_track *track,
		      om_label_fn give, void *ctx);

// The head of all descriptions, and a line.
void pmon_om_put_description_head(const struct om_out *out);
void pmon_om_put_description(const struct om_out *out, const struct om_family *family,
			     const struct om_track *track, pmon_time time);

// ---- rules.c: displayed values and averages from the metrics ----------------------------------

// Does a family have rules? processes as below.
bool pmon_om_has_rules(const struct om_family *family, bool processes);

// Recording rules for all families of a metric registry, as YAML. window is that of averages, as
// "5m". is_target of out says which labels they read. Without processes: none for Process and Thread, of which
// there are many, and most are gone soon.
void pmon_om_put_rules(const struct om_out *out, const struct om_registry *registry,
		       const char *window, bool processes);

// What is asked of a family at once.
#define OM_LEAD "1h" // how far before a range the sample before it may be

struct om_asked {
	bool is_average;
	bool is_set; // all that is selected together
	const char *const
		*matchers; // selectors after the name, as "{machine=\"A\"}" or ""; any of them
	size_t n_matchers;
	const char *window; // "5m"
	const char *at;     // the end of the window, as " @ 1577836800", or ""
	const char
		*lead; // of averages: just before the window; NULL: it begins with its first sample
};

// The expression that gives the values or averages, and the one that gives the numbers of points: one number for a set.
void pmon_om_put_asked(const struct om_out *out, const struct om_family *family,
		       const struct om_asked *asked);
void pmon_om_put_counted(const struct om_out *out, const struct om_family *family,
			 const struct om_asked *asked);

// The points of the first selector in the window.
void pmon_om_put_points(const struct om_out *out, const struct om_family *family,
			const struct om_asked *asked);

// ---- spool.c: points on the disk ------------------------------------------------------------

#define OM_BLOCK_POINTS 16

struct om_point {
	pmon_time time;
	double numbers[OM_PARTS];
};

// The points of a series: the newest in memory, the others in blocks that are chained backwards.
struct om_points {
	uint64_t n;
	uint64_t last_block; // place in the spool plus 1; 0: there is no block
	struct om_point buf[OM_BLOCK_POINTS];
};

// A temporary file without a name.
struct om_spool {
	FILE *file;
	uint64_t size;
};

PMON_NODISCARD enum pmon_status pmon_om_spool_open(struct om_spool *spool, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_om_spool_add(struct om_spool *spool, struct om_points *points,
						  const struct om_point *point,
						  struct pmon_err *err);

// Give all points of a series in their order.
typedef void (*om_point_fn)(void *ctx, const struct om_point *point);
PMON_NODISCARD enum pmon_status pmon_om_spool_each(struct om_spool *spool,
						   const struct om_points *points,
						   const struct pmon_allocator *allocator,
						   om_point_fn give, void *ctx,
						   struct pmon_err *err);
void pmon_om_spool_close(struct om_spool *spool);

extern const struct pmon_format pmon_format_openmetrics;

#endif
