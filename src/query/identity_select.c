// identity_select.c - the patterns that identities of processes need beside those that were asked for
// SPDX-License-Identifier: MIT

#include "query/identity.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/english.h"

static bool
begins_with(struct pmon_span text, struct pmon_span start)
{
	return text.len >= start.len &&
	       pmon_text_same((struct pmon_span){text.ptr, start.len}, start);
}

// Could the pattern match a counter of a process, but not those that identify it?
static bool
needs_tellers(const struct pmon_path *pattern)
{
	struct pmon_span object = pattern->object;
	bool any_object = memchr(object.ptr, '*', object.len) != NULL ||
			  memchr(object.ptr, '?', object.len) != NULL;

	if (pattern->instance.ptr == NULL || pmon_text_same(pattern->counter, PMON_SPAN("*")))
		return false;
	return any_object || pmon_object_is_process(object) ||
	       begins_with(object, PMON_SPAN(".NET"));
}

#define TELLER_SIZE 64 // of an English object and counter

static enum pmon_status
add_tellers(struct pmon_select *select, const struct pmon_path *pattern, size_t size,
	    struct pmon_err *err)
{
	struct pmon_path path = *pattern;
	enum pmon_status status = PMON_OK;
	const char *counter;

	path.object =
		pmon_english_object(path.object); // what tells processes apart has English names
	for (size_t i = 0; status == PMON_OK && (counter = pmon_role_counter(i)) != NULL; i++) {
		char *text = pmon_mem_alloc(pmon_mem_allocator(NULL), size);
		size_t len;

		if (text == NULL)
			return pmon_err_nomem(err);
		path.counter = (struct pmon_span){counter, strlen(counter)};
		len = pmon_path_format(&path, text, size);
		status = pmon_select_add(select, (struct pmon_span){text, len}, err);
		pmon_mem_free(pmon_mem_allocator(NULL), text, size);
	}
	return status;
}

// Add a pattern, and what it needs. *widened is set when it needs any.
static enum pmon_status
add_pattern(struct pmon_select *select, const char *text, bool *widened, struct pmon_err *err)
{
	struct pmon_span pattern = {text, strlen(text)};
	struct pmon_path path;
	enum pmon_status status = pmon_select_add(select, pattern, err);

	if (status != PMON_OK || !pmon_pattern_parse(pattern, &path, NULL) || !needs_tellers(&path))
		return status;
	*widened = true;
	return add_tellers(select, &path, pattern.len + TELLER_SIZE, err);
}

enum pmon_status
pmon_identity_select(const struct pmon_select *select, const struct pmon_allocator *allocator,
		     struct pmon_select **out, struct pmon_err *err)
{
	enum pmon_status status = pmon_select_new(allocator, out, err);
	bool widened = false;

	for (size_t i = 0; status == PMON_OK && i < pmon_select_count(select); i++)
		status = add_pattern(*out, pmon_select_pattern(select, i), &widened, err);
	if (status != PMON_OK || !widened) {
		pmon_select_free(*out);
		*out = NULL;
	}
	return status;
}
