// logs.h - the logs of a command line, opened, selected, merged and cut
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_LOGS_H
#define PMON_CLI_INPUT_LOGS_H

#include <pmon/pmon.h>

#include "cli/args/args.h"
#include "cli/input/by_series.h"
#include "cli/output/out.h"
#include "rules/processors.h"

// The logs of a command line, opened, selected, merged and cut to the window.
struct logs {
	struct pmon_source *source;
	struct pmon_source *input; // what `source` reads, before processes are distinguished
	struct pmon_select *select;
	struct pmon_select *reading; // what is read to tell processes apart, with `select`; or NULL
	const struct args *args;
	struct clock clock; // how times are shown
	unsigned keep;      // PMON_KEEP_*, in logs_statistics()
	bool failed;        // some file could not be opened
	bool hide_machine;  // paths are shown without it
	struct files *files;
	struct pmon_source *merge;  // several files as one, below the window; else NULL
	struct pmon_source *window; // the step that cuts to the window; NULL: all is read
	pmon_time from;             // of the window
	pmon_time to;
	bool is_empty; // opening failed because the window holds nothing, which was said
	struct by_series in_window; // bool: it has a sample in the window. Kept where it may matter
	bool outside_said;
	bool checked;     // patterns without a match were reported
	int patience;     // enum live_patience
	bool waiting;     // at the start some patterns matched nothing that may come
	size_t own_first; // patterns that the verb added by itself, about which nothing is said
	size_t own_end;
	struct pmon_source *identity; // the step that tells processes apart, or NULL
	// Options of that step, set before logs_identify().
	bool (*hides)(void *ctx, const struct pmon_series *series);
	void *hides_ctx;
	bool shows_tellers; // ... and also delivers the counters that it uses for that
	bool unknown_processes; // of several logs that were read by threads: they cannot be distinguished
	size_t n_counted;       // series that hits were counted of
	struct by_series *labels; // how series of processes are shown; NULL: there are none
	struct rules_processors processors; // of machines, for --per-cpu
	bool streams;                       // a compressed log is read while it is unpacked ...
	bool again;                         // ... which this one cannot be
	uint64_t read;                      // samples so far, in all passes
	struct apart *apart;                // the process that parses them; NULL: this one does
};

// Open what args names. Returns EXIT_DONE, or an exit status after saying why not. A window of time that
// holds no sample of what was asked for is a failure.
int logs_open(struct logs *logs, const struct args *args);

// This machine, though the verb says nothing of it.
struct live_plan;
int logs_open_machine(struct logs *logs, const struct args *args, const struct live_plan *plan);

// Only understand the patterns, for verbs that open their source themselves.
int logs_select(struct logs *logs, const struct args *args);

// The same for logs->args, where the source is opened next. Returns an exit status.
int logs_make_select(struct logs *logs);

// The same without selection and window, for looking at everything.
int logs_open_plain(struct logs *logs, const struct args *args);

// The same as either for verbs that read everything once before they show anything: a compressed log
// is then read while it is unpacked. After logs_next() has returned false, logs_again() says whether
// that could not be done: then the log has been opened anew, and all is to be read again.
int logs_open_once(struct logs *logs, const struct args *args, bool plain);
bool logs_again(struct logs *logs, int *status);

// The name of machine i that the files have counters of, chosen or not; NULL after the last one. Only the first ones
// are known, and none of sources that are read whole or by another process. Valid until logs_close().
#define LOGS_MACHINES 1025
const char *logs_machine(const struct logs *logs, size_t i);

// As logs_open(), for programs that have a network: logs are parsed by a process that has none, and no byte of
// them is read by this one. With --no-sandbox, and of this machine, by this one. Before the first thread is
// started. logs_apart.c
struct apart_options {
	pmon_notice_fn notice; // as in notices_tell(); NULL: not told
	// The process ended before the log did, it sent invalid data, or memory is short here. Whoever reads the
	// source calls this. NULL: not called.
	void (*died)(void *ctx, const struct pmon_err *err);
	void *ctx;            // of both
	bool checks_patterns; // after the last sample, for logs_apart_patterns()
};
int logs_open_apart(struct logs *logs, const struct args *args,
		    const struct apart_options *options);

// A log that comes while threads run, as a file at its beginning. Another process parses it, which the starter
// starts, which calls logs_read_sent() with args that name "-". In case of failure, *err says why as a message of
// the command would. logs_close() in any case. logs_apart.c
struct starter;
struct logs_sent {
	struct starter *starter;
	int fd; // to read the log from; stays the caller's
	const char *name;
	pmon_notice_fn notice; // NULL: not told
	void *ctx;
};
int logs_read_sent(const struct args *args, int output);
PMON_NODISCARD enum pmon_status logs_open_sent(struct logs *logs, const struct args *args,
					       const struct logs_sent *sent, struct pmon_err *err);

// The process ends now, wherever it is: reading the source fails. For any thread, after logs_open_sent().
void logs_end_sent(struct logs *logs);

// What logs_check_patterns() returned to the process, or returns to this one.
int logs_apart_patterns(struct logs *logs);

// Take over what the process has found out, for logs_close().
void logs_note_apart(struct logs *logs);

// The files of the operands (logs_files.c). One is a source, several are merged. Those that cannot be opened are
// reported and left out. Returns an exit status.
int logs_open_files(struct logs *logs);
void logs_free_files(struct logs *logs);

// While several threads read, notices and failures are held; then they are printed file by file.
void logs_hold(struct logs *logs);
void logs_tell_held(struct logs *logs);

// "3 of 4 logs", for a heading.
void logs_print_count(const struct logs *logs);

// Does the verb print CSV with a column for each counter?
bool logs_has_columns(const struct args *args);

// The next sample: true, or false at the end or after an error, which is said and kept in *status.
bool logs_next(struct logs *logs, const struct pmon_sample **sample, int *status);

// From the beginning. Returns an exit status.
int logs_rewind(struct logs *logs);

// Say that the source cannot be read on, and why. Returns EXIT_FAILED.
int logs_say_err(const struct logs *logs, const struct pmon_err *err);

// Cut the source to the window of args. Fails when nothing is in it, unless look_later: then the verb
// that finds nothing calls logs_say_empty_window(), which returns EXIT_FAILED. logs_window.c
int logs_set_window(struct logs *logs, bool look_later);
int logs_say_empty_window(struct logs *logs);

// Note which series have samples in the window. The latter returns whether any has. Then say which
// patterns match counters of the logs, but none in the window. logs_window.c
void logs_note_sample(struct logs *logs, const struct pmon_sample *sample);
bool logs_note_statistics(struct logs *logs, const struct pmon_statistics *statistics);
void logs_say_outside(struct logs *logs);

// Say that rates need two samples, where there is but one of each counter. logs_window.c
void logs_say_one_sample(const struct logs *logs, const struct pmon_statistics *statistics);
void logs_say_need_two(size_t need_two); // the same of so many counters; 0: nothing is said

// What the bounds of the window are called in this verb: "--from", "--to".
const char *logs_begin_option(const struct args *args);
const char *logs_end_option(const struct args *args);

// Report which patterns matched nothing, with suggestions. Returns EXIT_FAILED when none matched. For
// this machine, opening has done it already, from the first sample: with logs->patience, patterns that
// may match later are reported as such, and once more here if they never did. logs_near.c
int logs_check_patterns(struct logs *logs);

// How many patterns were asked for: all but the last, which the verb added (args->n_own).
size_t logs_asked(const struct logs *logs);

// The exit status of work that went to its end: status, or EXIT_DAMAGED where something was lost.
int logs_close(struct logs *logs, int status);

// Statistics of all samples. *out is NULL on failure.
int logs_statistics(struct logs *logs, struct pmon_statistics **out);

// All series in order. Freed by free(). NULL when memory is short.
const struct pmon_series **logs_series(const struct logs *logs, size_t *n);

// For args->beside: what the average latency of a disk is computed from in a log of displayed values
// (rules/disks.h), where a pattern may choose one; else NULL.
const char *const *logs_latency_needs(const struct args *args);

// May a series be ranked: is it not a sum or the idle process, or does a pattern name its very instance?
// logs_patterns.c
bool logs_ranks(const struct logs *logs, const struct pmon_series *series);

// A time of the command line in any of its forms, as a moment. logs_time.c
int logs_time(struct logs *logs, const char *text, pmon_time *out);

// The same without logs: a moment that is given in full, or false; and one that is relative to the first and the last
// of some samples, as an exit status.
bool logs_time_alone(const char *text, const struct clock *clock, pmon_time *out);
int logs_time_within(const char *text, const struct clock *clock, pmon_time first, pmon_time last,
		     pmon_time *out);

// Set the clock that times are shown on, as --tz says. An exit status. logs_time.c
int logs_set_clock(struct logs *logs);
int logs_parse_clock(const char *tz, struct clock *clock); // "log" leaves it as it is

// Are all counters of one machine?
bool logs_of_one_machine(const struct logs *logs);

// Show paths without the machine from now on, if the output is text and there is only one.
void logs_hide_machine(struct logs *logs);

// ---- Processes (logs_identity.c) ------------------------------------------------------------

// Does the verb tell processes apart (query.h, Identity)? With a series for each of them?
bool logs_tells_processes(const struct args *args);
bool logs_by_process(const struct args *args);

// --per-cpu: may it be used with these options? An exit status. Then what a displayed value of the series is
// divided by: for time of processes and threads the number of processors of the machine, by its counters, which is
// said once of each machine; for all others 1. 0 when it is not known, after a message.
int logs_check_per_cpu(const struct args *args);
size_t logs_divisor(struct logs *logs, const struct pmon_series *series);

// Find out from the patterns what has to be read for it. An exit status.
int logs_widen(struct logs *logs);

struct pmon_identity_options logs_identity_options(const struct logs *logs);

// Tell processes apart from here on. An exit status.
int logs_identify(struct logs *logs);

// Count what the patterns match, where it was counted together with what else is read.
void logs_count_hits(struct logs *logs);

// Say once that processes cannot be distinguished, if that is so.
void logs_say_unknown_processes(struct logs *logs);
void logs_free_identity(struct logs *logs);

// A series of a process as text shows it: \Process(rundll32 (3320))\Handle Count. Kept until
// logs_close().
struct pmon_span logs_process_path(const struct logs *logs, const struct pmon_series *series);

// The path as it is shown.
struct pmon_span logs_path(const struct logs *logs, const struct pmon_series *series);

// The offset of the clock that times are shown on: "UTC-08:00".
#define ZONE_SIZE 48
void logs_zone(const struct logs *logs, char buf[ZONE_SIZE]);

// One line on what is shown: machine, times, samples. For text.
void logs_print_heading(const struct logs *logs);

#endif
