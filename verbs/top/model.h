// model.h - the rows of pmon top, their order and history
// SPDX-License-Identifier: MIT
//
// Samples go in, rows in screen order come out; keys call the functions below. Nothing is drawn
// here.
//
//	top_model_init(&model, schema, &options);
//	... for each sample:
//	top_model_add(&model, sample, &err);                 // statistics and past
//	top_model_arrange(&model);                           // what is shown now, in order
//	for (size_t i = 0; i < model.n_shown; i++)
//		draw(model.shown[i], top_model_value(&model, model.shown[i]));
//
// The history is kept in slots, numbered from 0. The model of a machine keeps the newest TOP_SLOTS
// samples, one per slot. The model of a log keeps everything: when all slots are used, pairs are
// merged, with the minimum and maximum of both, so that no extreme is lost.

#ifndef PMON_VERBS_TOP_MODEL_H
#define PMON_VERBS_TOP_MODEL_H

#include <pmon/pmon.h>

#include "shell/input/by_series.h"

#define TOP_SLOTS        600
#define TOP_FEWEST_SLOTS 40
#define TOP_FILTER_SIZE  128

enum top_sort {
	TOP_SORT_LISTED, // in the order of the counters
	TOP_SORT_VALUE,
	TOP_SORT_LAST,
	TOP_SORT_AVERAGE,
	TOP_SORT_MINIMUM,
	TOP_SORT_MAXIMUM,
	TOP_SORT_MEMORY, // for processes
	TOP_SORT_NAME,
	TOP_SORT_COUNT
};

// One slot of one series; all three NaN if it had no value.
struct top_span {
	float low;
	float high;
	float last;
};

struct top_row {
	const struct pmon_series *series;
	uint32_t life;         // of the series
	double divisor;        // of its values; NaN: unknown
	struct top_span *past; // model.capacity slots, slot k at k % capacity; NULL: no value yet
	struct pmon_raw older; // the newest two raw values, for the explanation
	struct pmon_raw newer;
	bool has_older;
	bool has_newer;
	bool hidden;     // by the user
	bool is_process; // one of the processes below the counters
	uint64_t seen;   // number of samples when it was last in one
	size_t place;    // position in the list of counters
	size_t rank;     // of the first pattern of the order that it matches
	uint32_t memory; // for a process: its series, or TOP_NO_SERIES
	uint32_t pid;
	// As displayed; frozen while the view is paused.
	bool present; // in the newest sample
	struct pmon_value last;
	struct pmon_value average;
	struct pmon_value minimum;
	struct pmon_value maximum;
	double key;    // sort key
	double second; // for rows with the same key: the memory of a process, which orders idle ones
	struct pmon_span name; // sort key by name
	char *about; // of a process of this machine: user, unit and command line, from malloc(); NULL: not looked up
};
#define TOP_NO_SERIES UINT32_MAX

struct top_options {
	const struct pmon_calc_options *calc; // NULL: none. Must outlive the model
	// for a log: keep everything, not just the newest slots
	bool keep_all;
	bool processes; // list processes below the other counters, the busiest first
	// If not 0, at most this many counters are shown above the processes, without idle devices, and the filter does
	// not apply to them.
	size_t most_counters;
	bool with_machine; // paths include the machine
	// Names of processes include the ID, so there is no column for it.
	bool by_process;
	// The displayed path of a series, valid until the model is freed; NULL: use its own.
	struct pmon_span (*path)(const void *ctx, const struct pmon_series *series);
	const void *path_ctx;
	// The divisor of a series' values, 0 if unknown; NULL: none.
	size_t (*divisor)(void *ctx, const struct pmon_series *series);
	void *divisor_ctx;
	// Patterns that define the order of counters; otherwise that of the source. Must outlive
	// the model.
	const struct pmon_select *order;
	size_t memory_bytes; // for the history; 0: 64 MiB
};

struct top_model {
	struct top_options options;
	const struct pmon_schema *schema;
	struct pmon_statistics *statistics;
	bool has_new_rows;     // which have no position yet
	struct by_series rows; // struct top_row *; NULL: dropped, because the process ended
	uint64_t samples;
	uint64_t samples_shown;
	// how many slots back a series may be, since samples of other machines are in between
	uint64_t reach;
	// the slots: the times of their last samples, and which ones exist
	pmon_time time[TOP_SLOTS];
	size_t capacity;
	uint64_t first_slot;
	uint64_t end_slot;
	uint64_t samples_per_slot;
	uint64_t samples_in_last;
	size_t n_pasts;
	// the view
	struct top_row **shown;
	size_t n_shown;
	size_t n_counters; // of the shown rows; processes follow them
	size_t selected;
	enum top_sort sort;
	bool reversed;
	char filter[TOP_FILTER_SIZE];
	bool paused;
	uint64_t view_end; // the slot after the newest one shown
	bool at_newest;    // the time cursor follows the newest slot
	uint64_t cursor;   // otherwise it is here
};

enum pmon_status top_model_init(struct top_model *model, const struct pmon_schema *schema,
				const struct top_options *options, struct pmon_err *err);
void top_model_free(struct top_model *model);

// Add a sample. PMON_E_NOMEM if out of memory.
enum pmon_status top_model_add(struct top_model *model, const struct pmon_sample *sample,
			       struct pmon_err *err);

// The row of a series; NULL if it has none, or no longer has one.
struct top_row *top_model_row(const struct top_model *model, size_t series);

// Reset the statistics; the history stays.
void top_model_restart(struct top_model *model);

// Update what is shown, unless paused, and sort it.
enum pmon_status top_model_arrange(struct top_model *model, struct pmon_err *err);

// ---- What is shown --------------------------------------------------------------------------

// The value of a row at the time cursor; NaN if there is none.
double top_model_value(const struct top_model *model, const struct top_row *row);

// Memory and ID of a row's process; NaN if unknown.
double top_model_memory(const struct top_model *model, const struct top_row *row);
double top_model_pid(const struct top_model *model, const struct top_row *row);

// Slots first..end of a row combined; false if they have no value.
bool top_model_span(const struct top_model *model, const struct top_row *row, uint64_t first,
		    uint64_t end, struct top_span *out);

// The slot and the time at the cursor; PMON_TIME_NONE before the first sample.
uint64_t top_model_slot(const struct top_model *model);
pmon_time top_model_time(const struct top_model *model);

// The displayed path: without the machine; for a process its name.
struct pmon_span top_model_name(const struct top_model *model, const struct top_row *row);

struct top_row *top_model_selected(const struct top_model *model); // NULL if nothing is shown

// ---- What keys do ---------------------------------------------------------------------------

void top_model_move(struct top_model *model, long rows);  // move the selection
void top_model_step(struct top_model *model, long slots); // move the time cursor
void top_model_jump(struct top_model *model,
		    pmon_time time); // to the nearest slot, the earlier of two
void top_model_oldest(struct top_model *model);
void top_model_newest(struct top_model *model);
void top_model_pause(struct top_model *model, bool paused);
void top_model_hide(struct top_model *model);   // hide the selected row
void top_model_unhide(struct top_model *model); // show all again

// Sort by the column before (-1) or after (1) the current one.
void top_model_sort_next(struct top_model *model, int direction);
const char *top_sort_name(enum top_sort sort);

// ---- Between model.c and shown.c ------------------------------------------------------------

// Add a row for each new series. False if out of memory.
bool top_model_add_rows(struct top_model *model);

// Is the row missing from the newest samples, and not new? Its name and number may belong to
// another process now.
bool top_model_is_gone(const struct top_model *model, const struct top_row *row);

void top_model_drop_ended(struct top_model *model);

#endif
