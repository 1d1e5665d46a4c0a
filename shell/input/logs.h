// logs.h - open, merge, cut and read the logs of a request
// SPDX-License-Identifier: MIT
//
//	status = logs_open(&logs, &request);
//	while (status == EXIT_DONE && logs_next(&logs, &sample, &status))
//		...
//	if (status == EXIT_DONE)
//		status = logs_check_patterns(&logs);
//	return logs_close(&logs, status);
//
// Separate headers declare the parts: files, counters, window, processes and display.

#ifndef PMON_SHELL_INPUT_LOGS_H
#define PMON_SHELL_INPUT_LOGS_H

#include <pmon/pmon.h>

#include "rules/processors.h"
#include "shell/input/by_series.h"
#include "shell/input/files.h"
#include "shell/input/identity.h"
#include "shell/input/live.h"
#include "shell/input/naming.h"
#include "shell/input/patterns.h"
#include "shell/input/request.h"
#include "shell/input/times.h"
#include "shell/input/window.h"
#include "shell/output/out.h"

enum logs_fact {
	LOGS_FAILED = 1, // some log could not be opened or read
	LOGS_UNKNOWN_PROCESSES = 2,
	LOGS_NOTHING_MATCHES = 4,
};

struct logs {
	struct pmon_source *source; // the last of the steps
	struct pmon_source *input;  // its input, before processes are distinguished
	struct request request;
	struct files *files; // NULL: this machine, or another process reads the files
	struct apart *apart; // that process (logs_apart.h), and its bits: enum logs_fact
	uint32_t facts;
	struct patterns patterns;
	struct window window;
	struct identity identity;
	struct naming naming;
	struct clock clock; // the clock on which times are shown
	struct rules_processors processors;
	struct pmon_used used; // in the newest pass
	uint64_t read;         // samples read so far, in all passes
	bool streams;          // read a compressed log while it is decompressed ...
	bool again;            // ... which is impossible for this log
	bool failed;           // reading failed before the end
};

// Open a request. Returns EXIT_DONE, or an exit status after a message. It fails if the time window
// contains no sample of the requested counters. With request->reads_once a compressed log is read
// while it is decompressed. After logs_next() has returned false, logs_again() tells whether that
// was impossible: the log is then open again, and has to be read from the start.
int logs_open(struct logs *logs, const struct request *request);
bool logs_again(struct logs *logs, int *status);

// Open this machine, even if the verb does not normally sample it.
struct live_plan;
int logs_open_machine(struct logs *logs, const struct request *request,
		      const struct live_plan *plan);

// The statuses below are exit statuses.

// The next sample: true; false at the end or after an error, which is printed and stored in
// *status.
bool logs_next(struct logs *logs, const struct pmon_sample **sample, int *status);

// Count a sample of a source that the verb reads itself.
void logs_use(struct logs *logs, const struct pmon_sample *sample);

// Start again from the first sample. Returns an exit status.
int logs_rewind(struct logs *logs);

// Report why the source cannot be read further. Returns EXIT_FAILED.
int logs_say_err(const struct logs *logs, const struct pmon_err *err);

// Note that rates need two samples, if each counter has only one.
void logs_say_one_sample(const struct logs *logs, const struct pmon_statistics *statistics);
void logs_say_need_two(size_t need_two); // the same for this many counters; 0: no note

// Report patterns that matched nothing, with suggestions. Returns EXIT_FAILED if none matched. For
// this machine, opening has already done this with the first sample: with patterns.patience,
// patterns that may match later are reported as such, and again here if they never did. Defined in
// unmatched.c.
int logs_check_patterns(struct logs *logs);

// Could some log not be opened or read?
bool logs_have_failed(const struct logs *logs);

// The exit status of finished work: status, or EXIT_DAMAGED if data was lost.
int logs_close(struct logs *logs, int status);

// Statistics of all samples, keeping PMON_KEEP_*. *out is NULL on failure.
int logs_statistics(struct logs *logs, unsigned keep, struct pmon_statistics **out);

// All series in order. Free the result with free(). NULL if out of memory.
const struct pmon_series **logs_series(const struct logs *logs, size_t *n);

// Convert a command-line time in any of its forms.
int logs_time(struct logs *logs, const char *text, pmon_time *out);

// Are all counters of one machine?
bool logs_of_one_machine(const struct logs *logs);

// Print paths without the machine from now on, if the output is text and there is only one machine.
void logs_hide_machine(struct logs *logs);

// Begin to distinguish processes, if the request asks for it; the second function drops the series
// for which hides() is true.
int logs_identify(struct logs *logs);
int logs_identify_shown(struct logs *logs,
			bool (*hides)(void *ctx, const struct pmon_series *series), void *ctx);

// Report once if processes cannot be distinguished.
void logs_say_unknown_processes(const struct logs *logs);

// per_cpu_divisor() of the request.
size_t logs_divisor(struct logs *logs, const struct pmon_series *series);

// The offset of the displayed clock: "UTC-08:00".
#define ZONE_SIZE 48
void logs_zone(const struct logs *logs, char buf[ZONE_SIZE]);

// One line of text that describes the output: machine, times, samples.
void logs_print_heading(const struct logs *logs);

#endif
