// memory.c - memory limits of verbs, and handling of memory exhaustion
// SPDX-License-Identifier: MIT

#include "shell/process/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/output/say.h"
#include "shell/process/signals.h"
#include "os/library.h"

#if defined(PMON_WITH_JSON) || defined(PMON_PUSH_PROMETHEUS)
static _Noreturn void
end_short(void)
{
	signals_remove_temporary();
	_exit(say(EXIT_FAILED, "not enough memory"));
}
#endif

#ifdef PMON_WITH_JSON
// jansson's header declares functions with the same names as shell/output/json.h.
void json_set_alloc_funcs(void *(*alloc)(size_t size), void (*release)(void *ptr));

static void *
alloc_or_end(size_t size)
{
	void *ptr = malloc(size);

	if (ptr == NULL && size != 0)
		end_short();
	return ptr;
}
#endif

void
memory_begin(void)
{
#ifdef PMON_WITH_JSON
	json_set_alloc_funcs(alloc_or_end, free);
#endif
}

void
memory_guard_cxx(void)
{
#ifdef PMON_PUSH_PROMETHEUS
	// std::set_new_handler(): the C++ library calls the handler when it is out of memory,
	// instead of throwing through C. It is loaded with snappy.
	static const char *const names[] = {"_ZSt15set_new_handlerPFvvE", NULL};
	void *(*set_new_handler)(void (*handler)(void));
	struct pmon_err err;

	if (pmon_os_library_load(PMON_LIBRARY_SNAPPY, names, &set_new_handler, &err) == PMON_OK)
		(void)set_new_handler(end_short);
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
	return say(EXIT_FAILED, "not enough memory: the output is incomplete");
}

void
memory_hint(const struct pmon_err *err)
{
	if (err->status == PMON_E_NOMEM)
		memory_was_short();
	if (err->status == PMON_E_LIMIT && strstr(err->msg, "counters: too many") != NULL)
		say(0, "  use -c to choose fewer");
}
