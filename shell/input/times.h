// times.h - times on the command line, and their clock
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_TIMES_H
#define PMON_SHELL_INPUT_TIMES_H

#include <pmon/pmon.h>

#include "shell/args/args.h"
#include "shell/output/out.h"

// Parse --tz; NULL and "log" leave the clock unchanged. Returns an exit status.
int times_read_clock(const char *tz, struct clock *clock);

// Parse an absolute time; false if it is not one. Then, parse a time relative to the first and last
// sample; returns an exit status.
bool times_read_alone(const char *text, const struct clock *clock, pmon_time *out);
int times_read_within(const char *text, const struct clock *clock, pmon_time first, pmon_time last,
		      pmon_time *out);

// The same, of all these forms, without a message: false if the text is not a time. Without samples, first is
// PMON_TIME_NONE, and only an absolute time is one.
bool times_find(const char *text, const struct clock *clock, pmon_time first, pmon_time last,
		pmon_time *out);

// Parse "now", "today", "yesterday 14:00"; false if it is none of them.
bool times_read_day(const char *text, const struct clock *clock, pmon_time now, pmon_time *out);

// Parse --every; without it *step_100ns is unchanged. Returns an exit status.
int times_read_step(const struct args *args, int64_t *step_100ns);

#endif
