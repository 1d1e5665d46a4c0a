// moment.h - the samples nearest to one time: --at
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_MOMENT_H
#define PMON_SHELL_INPUT_MOMENT_H

#include <pmon/pmon.h>

#include "model/streams.h"

struct moment {
	pmon_time at;
	struct pmon_streams streams;
	pmon_time *nearest; // by the index of the stream
	size_t n;
	size_t cap;
	pmon_time first; // of all samples
	pmon_time last;
};

struct moment moment_of(pmon_time at);
bool moment_add(struct moment *moment, const struct pmon_sample *sample); // false: no memory
void moment_free(struct moment *moment);

// The window that holds for each stream the sample nearest to the time. Before the first and after
// the last sample it is the time alone, and so it is empty.
void moment_window(const struct moment *moment, pmon_time *from, pmon_time *to);

#endif
