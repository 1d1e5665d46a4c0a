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
#include "model/labels.h"
#include "model/schema.h"

#define OM_NAME_SIZE 256

// ---- plan.c: the metrics of a counter -------------------------------------------------------

// The source of a family's numbers. Counters: what has been counted so far of N, of D, and of
// pairs. Gauges: the fields of the raw value, the displayed value, and a displayed percentage as a
// ratio.
enum om_from {
	OM_NOTHING, // the family does not exist
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
	int64_t times;      // factor, such as 1024 for kilobytes; 0: none
	int64_t ticks;      // divisor in ticks per second; 0: none
	const char *unit;   // "" or "seconds", "bytes", "ratio"
	const char *suffix; // after the name: "", "_base_seconds", "_units", "_intervals"
	const char *what;   // in words
};

// The numerator or the value; its divisor; and the number of units, or of intervals if there is a
// base, or a fraction as a ratio.
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
	// the metric's value per 1 of the displayed value: 1024 if it displays kilobytes
	double scale;
	struct om_part parts[OM_PARTS];
};

static inline bool
pmon_om_is_counter(const struct om_part *part)
{
	return part->from >= OM_N && part->from <= OM_PAIRS;
}

// False if the counter is not written: bases, texts, unknown types.
bool pmon_om_plan_make(const struct pmon_series *series, struct om_plan *plan);

// The name of the family: object, counter and unit, in the characters allowed in names.
void pmon_om_plan_name(const struct pmon_series *series, const struct om_plan *plan,
		       char name[OM_NAME_SIZE]);

// The length of the object's part of a family's name, without the "_" that follows; that of "pmon"
// if the name does not continue after the object.
size_t pmon_om_object_len(const struct pmon_series *series, const char *name);

// ---- registry.c: families and series, and what was counted ---------------------------------------

#define OM_NO_FAMILY UINT32_MAX

// A counter of an object, with the series of all its instances. The endings of counters ("_total") are
// not in the names.
struct om_family {
	const char *names[OM_PARTS];      // NULL for a missing part
	const struct pmon_series *series; // the first
	struct om_plan plan;
	uint32_t first; // series; each refers to the next
	uint32_t last;
};

// Metrics do not contain their counter and its type. So one series of each family and machine also
// has points of OM_DESCRIPTION, whose labels are those of the series, plus the counter, the family
// and the type. Its values are its times, so that the newest and the oldest can be queried. One
// such series of each machine also has a point for the newest sample.
#define OM_DESCRIPTION "pmon_described_timestamp_seconds"

enum om_describes {
	OM_DESCRIBES_NOTHING,
	OM_DESCRIBES_FAMILY,
	OM_DESCRIBES_MACHINE, // too
};

// The state of a series.
struct om_track {
	const struct pmon_series *series;
	const struct pmon_labels *labels; // of its machine; NULL: none
	struct pmon_calc calc;
	struct om_plan plan; // each series has its own ticks, since machines have different clocks
	uint32_t family;     // OM_NO_FAMILY: not written
	uint32_t next;       // of the family
	enum om_describes describes;
	uint32_t same_before;  // how many series with the same path precede it
	uint32_t n_same_after; // for the first with a path: how many follow
	bool counting;         // counting of n, d and pairs has begun
	bool begun;            // raw can be paired
	bool seen;
	uint32_t stream; // of the newest sample
	uint64_t ordinal;
	struct pmon_raw raw;
	uint64_t n; // counted so far, including wraps
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
	const struct pmon_labels
		*labels;         // of all machines; NULL: none. Set it before the first series
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
	struct pmon_map described; // families and machines that were described
	uint64_t seed;             // of the hashes
};

void pmon_om_registry_open(struct om_registry *registry, const struct pmon_schema *schema,
			   const struct pmon_allocator *allocator);
void pmon_om_registry_close(struct om_registry *registry);

// Add new series of the schema. False if out of memory.
PMON_NODISCARD bool pmon_om_registry_grow(struct om_registry *registry);

// Count a raw value of a series, and compute the numbers of its parts; NAN for a part without one.
// False if there is nothing to write.
bool pmon_om_take(struct om_track *track, const struct pmon_sample *sample,
		  const struct pmon_raw *raw, double numbers[OM_PARTS]);

// A count or a value, in the unit of the part.
double pmon_om_in_unit(double number, const struct om_part *part);

// Is a part always an integer, and that integer. False if it is not, or does not fit in 63 bits.
bool pmon_om_is_integer(const struct om_part *part);
bool pmon_om_integer(const struct om_track *track, const struct om_part *part,
		     const struct pmon_raw *raw, int64_t *number);

// A raw value that was already known: the series was in this sample, but nothing is counted.
void pmon_om_pass(struct om_track *track, const struct pmon_sample *sample);

// Milliseconds since 1970, rounded down, as stored by Prometheus.
int64_t pmon_om_unix_ms(pmon_time time);
pmon_time pmon_om_from_unix_ms(int64_t ms);

// Choose the millisecond of the next point of a series whose last was *last_ms, or -1 if none.
// Points with equal times, as in logs without seconds, are a millisecond apart. False for times
// that went back, or before 1970.
bool pmon_om_place(int64_t ms, int64_t *last_ms);

// The time of the next point of a series: that of its raw value, adjusted as in pmon_om_place().
// PMON_TIME_NONE: the point cannot be stored.
pmon_time pmon_om_point_time(const struct pmon_sample *sample, const struct pmon_raw *raw,
			     int64_t *last_ms);

// ---- text.c: the lines -----------------------------------------------------------------------

// The output, and which of the two dialects it uses.
struct om_out {
	void (*put)(void *ctx, const char *text, size_t len);
	void *ctx;
	bool is_openmetrics; // otherwise Prometheus' older text format 0.0.4
	// "instance" is left to the scraper, which sets it to the target; the counter's instance is
	// then "counter_instance". Otherwise "instance" is that of the counter.
	bool is_target;
	// Write an empty instance label for series without an instance: otherwise a scraping
	// Prometheus would use its target.
	bool says_no_instance;
};

// TYPE, UNIT and HELP of a part of a family.
void pmon_om_put_head(const struct om_out *out, const struct om_family *family, int part);

// A line. time is PMON_TIME_NONE to omit it: the time of the scrape is used.
void pmon_om_put_line(const struct om_out *out, const struct om_family *family, int part,
		      const struct om_track *track, double number, pmon_time time);

// Called with the labels of a series, in alphabetical order.
typedef void (*om_label_fn)(void *ctx, const char *name, struct pmon_span text);
void pmon_om_labels(const struct om_track *track, om_label_fn give, void *ctx);

// Those of its description.
void pmon_om_describe(const struct om_family *family, const struct om_track *track,
		      om_label_fn give, void *ctx);

// The header of all descriptions, and one line.
void pmon_om_put_description_head(const struct om_out *out);
void pmon_om_put_description(const struct om_out *out, const struct om_family *family,
			     const struct om_track *track, pmon_time time);

// ---- rules.c: displayed values and averages from the metrics ----------------------------------

// Does a family have rules? processes is explained below.
bool pmon_om_has_rules(const struct om_family *family, bool processes);

// Recording rules for all families of a registry, as YAML. window is that of averages, such as
// "5m". is_target of out determines which labels they use. Without processes: none for Process and
// Thread, which have many short-lived instances.
void pmon_om_put_rules(const struct om_out *out, const struct om_registry *registry,
		       const char *window, bool processes);

// A query for a family.
#define OM_LEAD "1h" // how long before a range its preceding sample may be

struct om_asked {
	bool is_average;
	bool is_set; // treat everything selected as one set
	const char *const
		// selectors after the name, such as "{machine=\"A\"}" or ""; any of them may match
		*matchers;
	size_t n_matchers;
	const char *window; // "5m"
	const char *at;     // the end of the window, such as " @ 1577836800", or ""
	const char
		// for averages: just before the window; NULL: the window begins with its first
		// sample
		*lead;
};

// The expression for the values or averages, and the one for the numbers of points: one number for
// a set.
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

// The points of a series: the newest in memory, the others in blocks that are linked backwards.
struct om_points {
	uint64_t n;
	uint64_t last_block; // offset in the spool plus 1; 0: there is no block
	struct om_point buf[OM_BLOCK_POINTS];
};

// An unnamed temporary file.
struct om_spool {
	FILE *file;
	uint64_t size;
};

PMON_NODISCARD enum pmon_status pmon_om_spool_open(struct om_spool *spool,
						   const struct pmon_door *door,
						   struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_om_spool_add(struct om_spool *spool, struct om_points *points,
						  const struct om_point *point,
						  struct pmon_err *err);

// Called with all points of a series, in order.
typedef void (*om_point_fn)(void *ctx, const struct om_point *point);
PMON_NODISCARD enum pmon_status pmon_om_spool_each(struct om_spool *spool,
						   const struct om_points *points,
						   const struct pmon_allocator *allocator,
						   om_point_fn give, void *ctx,
						   struct pmon_err *err);
void pmon_om_spool_close(struct om_spool *spool);

extern const struct pmon_format pmon_format_openmetrics;
extern const struct pmon_format
	pmon_format_influx; // influx.c: the same families as Influx line protocol

#endif
