// model.h - what pmon top shows: rows, their order, their past
// SPDX-License-Identifier: MIT
//
// Samples go in, rows in the order of the screen come out; keys call the functions below. Nothing is
// drawn here.
//
//	top_model_init(&model, schema, &options);
//	... for each sample:
//	top_model_add(&model, sample, &err);                 // statistics and past
//	top_model_arrange(&model);                           // what is shown now, in order
//	for (size_t i = 0; i < model.n_shown; i++)
//		draw(model.shown[i], top_model_value(&model, model.shown[i]));
//
// The past is kept in slots, numbered from 0. A model of a machine keeps the newest TOP_SLOTS samples,
// one a slot. A model of a log keeps all of it: when the slots are used up two and two become one, with
// the lowest and the highest value of both, so that no extreme is lost.

#ifndef PMON_APPS_TOP_MODEL_H
#define PMON_APPS_TOP_MODEL_H

#include <pmon/pmon.h>

#include "cli/input/by_series.h"

#define TOP_SLOTS        600
#define TOP_FEWEST_SLOTS 40
#define TOP_FILTER_SIZE  128

enum top_sort {
	TOP_SORT_LISTED, // as the counters are listed
	TOP_SORT_VALUE,
	TOP_SORT_LAST,
	TOP_SORT_AVERAGE,
	TOP_SORT_MINIMUM,
	TOP_SORT_MAXIMUM,
	TOP_SORT_MEMORY, // of processes
	TOP_SORT_NAME,
	TOP_SORT_COUNT
};

// One slot of one series; all three NaN where it had no value.
struct top_span {
	float low;
	float high;
	float last;
};

struct top_row {
	const struct pmon_series *series;
	uint32_t life;         // of the series
	double divisor;        // of its values; NaN: not known
	struct top_span *past; // model.capacity slots, slot k at k % capacity; NULL: no value yet
	struct pmon_raw older; // the newest two raw values, for the explanation
	struct pmon_raw newer;
	bool has_older;
	bool has_newer;
	bool hidden;     // by the user
	bool is_process; // one of the processes below the counters
	uint64_t seen;   // samples, when it was last in one
	size_t place;    // in the order in which counters are listed
	size_t rank;     // of the first pattern of the order that it matches
	uint32_t memory; // of a process: its series, TOP_NO_SERIES when there is none
	uint32_t pid;
	// As shown; stays while the view is paused.
	bool present; // in the newest sample
	struct pmon_value last;
	struct pmon_value average;
	struct pmon_value minimum;
	struct pmon_value maximum;
	double key;            // of the order
	struct pmon_span name; // in which rows are put in order by name
};
#define TOP_NO_SERIES UINT32_MAX

struct top_options {
	struct pmon_calc_options calc;
	bool keep_all;     // of a log: all of it is kept, else the newest slots
	bool processes;    // processes stand below the other counters, the busiest first
	bool with_machine; // paths have the machine
	// Names of processes have the number: there is no column for it.
	bool by_process;
	// The path of a series as it is shown, valid until the model is freed; NULL: its own.
	struct pmon_span (*path)(const void *ctx, const struct pmon_series *series);
	const void *path_ctx;
	// What the values of a series are divided by, 0: not known; NULL: nothing.
	size_t (*divisor)(void *ctx, const struct pmon_series *series);
	void *divisor_ctx;
	// Patterns in whose order counters are listed, else in that of the source; must stay.
	const struct pmon_select *order;
	size_t memory_bytes; // for the past; 0: 64 MiB
};

struct top_model {
	struct top_options options;
	const struct pmon_schema *schema;
	struct pmon_statistics *statistics;
	bool has_new_rows;     // which have no place in the order yet
	struct by_series rows; // struct top_row *; NULL: dropped, a process that has ended
	uint64_t samples;
	uint64_t samples_shown;
	uint64_t reach; // slots back in which a series is looked for: those of other machines
	// the slots: the times of their last samples, and which there are
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
	uint64_t view_end; // the slot after the newest that is shown
	bool at_newest;    // the cursor of time follows the newest slot
	uint64_t cursor;   // else it stands at this one
};

enum pmon_status top_model_init(struct top_model *model, const struct pmon_schema *schema,
				const struct top_options *options, struct pmon_err *err);
void top_model_free(struct top_model *model);

// Take a sample. PMON_E_NOMEM when memory is short.
enum pmon_status top_model_add(struct top_model *model, const struct pmon_sample *sample,
			       struct pmon_err *err);

// The row of a series; NULL when there is none, or none any more.
struct top_row *top_model_row(const struct top_model *model, size_t series);

// Statistics begin anew; the past stays.
void top_model_restart(struct top_model *model);

// Bring what is shown up to date, unless paused, and put it in order.
enum pmon_status top_model_arrange(struct top_model *model, struct pmon_err *err);

// ---- What is shown --------------------------------------------------------------------------

// The value of a row at the cursor of time; NaN when there is none.
double top_model_value(const struct top_model *model, const struct top_row *row);

// Memory and id of the process of a row; NaN when not known.
double top_model_memory(const struct top_model *model, const struct top_row *row);
double top_model_pid(const struct top_model *model, const struct top_row *row);

// Slots first..end of a row put together, false when there is no value in them.
bool top_model_span(const struct top_model *model, const struct top_row *row, uint64_t first,
		    uint64_t end, struct top_span *out);

// The slot and the time at the cursor; PMON_TIME_NONE before the first sample.
uint64_t top_model_slot(const struct top_model *model);
pmon_time top_model_time(const struct top_model *model);

// The path as it is shown: without the machine; of a process its name.
struct pmon_span top_model_name(const struct top_model *model, const struct top_row *row);

struct top_row *top_model_selected(const struct top_model *model); // NULL when nothing is shown

// ---- What keys do ---------------------------------------------------------------------------

void top_model_move(struct top_model *model, long rows);  // the selection
void top_model_step(struct top_model *model, long slots); // the cursor of time
void top_model_oldest(struct top_model *model);
void top_model_newest(struct top_model *model);
void top_model_pause(struct top_model *model, bool paused);
void top_model_hide(struct top_model *model);   // the selected row
void top_model_unhide(struct top_model *model); // all of them

// Sort by the column before (-1) or after (1) the present one.
void top_model_sort_next(struct top_model *model, int direction);
const char *top_sort_name(enum top_sort sort);

// ---- Between model.c and shown.c ------------------------------------------------------------

// A row for each series that has come. False when memory is short.
bool top_model_add_rows(struct top_model *model);

// Is the row in none of the newest samples, and not new? Another process may have its name and number now.
bool top_model_is_gone(const struct top_model *model, const struct top_row *row);

// Forget the rows of processes that ended.
void top_model_drop_ended(struct top_model *model);

#endif
