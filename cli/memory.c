// memory.c - what the command does when memory is short
// SPDX-License-Identifier: MIT

#include "memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "signals.h"

#ifdef PMON_WITH_JSON
// Its header declares functions with names that text/json.h has too.
void json_set_alloc_funcs(void *(*alloc)(size_t size), void (*release)(void *ptr));

static void *
alloc_or_end(size_t size)
{
	void *ptr = malloc(size);

	if (ptr != NULL || size == 0)
		return ptr;
	signals_remove_temporary();
	_exit(say(EXIT_FAILED, "not enough memory"));
}
#endif

void
memory_begin(void)
{
#ifdef PMON_WITH_JSON
	json_set_alloc_funcs(alloc_or_end, free);
#endif
}

static atomic_bool was_short;

void
memory_was_short(void)
{
	atomic_store(&was_short, true);
}

int
memory_check(int status)
{
	if (!atomic_load(&was_short) || status == EXIT_FAILED)
		return status;
	return say(EXIT_FAILED, "not enough memory: the output is not complete");
}
