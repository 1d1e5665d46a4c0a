// text.c - names of instances, objects and counters
// SPDX-License-Identifier: MIT

#include "format/perfblock/perfblock.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf.h"
#include "model/codepage.h"
#include "os/dir.h"
#include "path/wellknown.h"

void
pmon_perfblock_text_free(struct perfblock_text *text, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, text->utf8, text->utf8_cap);
	pmon_mem_free(allocator, text->swapped, text->swapped_cap);
}

// ---- Instances ------------------------------------------------------------------------------

static bool
swap_units(struct perfblock *pb, struct perfblock_text *text, const struct pmon_perf_name *name)
{
	if (!pmon_mem_grow(pb->allocator, &text->swapped, &text->swapped_cap, name->len + 1, 1))
		return false;
	for (size_t i = 0; i + 1 < name->len; i += 2) {
		text->swapped[i] = name->ptr[i + 1];
		text->swapped[i + 1] = name->ptr[i];
	}
	return true;
}

static size_t
from_code_page(struct perfblock *pb, struct perfblock_text *text, const struct pmon_perf_name *name,
	       int32_t code_page)
{
	bool guessed;
	size_t len = pmon_codepage_to_utf8(code_page, name->ptr, name->len, text->utf8, &guessed);

	if (guessed && !pb->is_guess_told) {
		pb->is_guess_told = true;
		pmon_report_remark(&pb->report, 0,
				   "instance names in code page %d: characters beyond ASCII may "
				   "come out wrong",
				   (int)code_page);
	}
	return len;
}

bool
pmon_perfblock_utf8(struct perfblock *pb, struct perfblock_text *text,
		    const struct pmon_perf_name *name, struct perfblock_script script,
		    struct pmon_span *out)
{
	size_t bound = pmon_codepage_bound(name->len);
	const uint8_t *units = name->ptr;

	*out = (struct pmon_span){NULL, 0};
	if (name->ptr == NULL)
		return true;
	if (!pmon_mem_grow(pb->allocator, &text->utf8, &text->utf8_cap, bound + 1, 1))
		return false;
	out->ptr = text->utf8;
	if (name->unit == 1) {
		out->len = from_code_page(pb, text, name, script.code_page);
		return true;
	}
	if (script.big_endian) {
		if (!swap_units(pb, text, name))
			return false;
		units = text->swapped;
	}
	out->len = pmon_utf16_to_utf8(units, name->len, text->utf8);
	return true;
}

// ---- Objects and counters -------------------------------------------------------------------

struct pmon_span
pmon_perfblock_title(struct perfblock *pb, uint32_t index, bool foreign, char buf[PMON_TITLE_SIZE])
{
	struct pmon_span name = {NULL, 0};

	// A machine's own table is complete: elsewhere, the same index may mean something else.
	if (pb->titles.n > 0)
		name = pmon_titles_find(&pb->titles, 0, index);
	if (name.len == 0 && !foreign && (pb->titles.n == 0 || pb->is_of_here))
		name = pmon_wellknown_title(index);
	if (name.len > 0)
		return name;
	if (!pb->is_nameless_told) {
		pb->is_nameless_told = true;
		pmon_report_remark(&pb->report, 0,
				   "some counters have no names here and are shown as #<index>: "
				   "give the machine's table of names (\"Counter 009\")");
	}
	return pmon_title_number(index, buf);
}

// ---- The table of names ---------------------------------------------------------------------

static const char *
join(struct perfblock *pb, const char *path, const char *name)
{
	size_t folder_len = (size_t)(pmon_os_name(path) - path);
	size_t name_len = strlen(name);
	char *joined = pmon_arena_alloc(&pb->tables->arena, folder_len + name_len + 1);

	if (joined != NULL) {
		memcpy(joined, path, folder_len);
		memcpy(joined + folder_len, name, name_len + 1);
	}
	return joined;
}

// Usual file names for the table, saved next to the blocks.
static const char *const table_names[] = {
	"Counter 009",
	"Counter_009",
	"Counter 009.bin",
	"Counter_009.bin",
};

static enum pmon_status
load_beside(struct perfblock *pb, const char *path, struct pmon_err *err)
{
	for (size_t i = 0; i < sizeof(table_names) / sizeof(table_names[0]); i++) {
		const char *beside = join(pb, path, table_names[i]);
		struct pmon_err why = {.status = PMON_OK};
		enum pmon_status status;

		if (beside == NULL)
			return pmon_err_nomem(err);
		status = pmon_file_group_load_titles(&pb->titles, beside, &why);
		if (status == PMON_E_NOMEM)
			return pmon_err_nomem(err);
		if (status != PMON_OK && status != PMON_E_NOTFOUND)
			pmon_report_loss(&pb->report, 0, 0, "%s", why.msg);
		if (status != PMON_E_NOTFOUND)
			break;
	}
	return PMON_OK;
}

enum pmon_status
pmon_perfblock_load_names(struct perfblock *pb, const char *names, const char *path,
			  struct pmon_err *err)
{
	if (names != NULL)
		return pmon_file_group_load_titles(&pb->titles, names, err);
	return path != NULL ? load_beside(pb, path, err) : PMON_OK;
}
