// names.c - read the user's files with tables of names
// SPDX-License-Identifier: MIT

#include "query/names.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "os/file.h"

#define MAX_BYTES ((size_t)64 << 20) // Windows has some 100 KiB

enum pmon_status
pmon_names_read(const char *path, const struct pmon_allocator *allocator,
		struct pmon_names_bytes *out, struct pmon_err *err)
{
	struct pmon_file *file;
	enum pmon_status status = pmon_file_open(path, allocator, &file, err);
	uint64_t size;

	*out = (struct pmon_names_bytes){.allocator = allocator};
	if (status != PMON_OK)
		return status;
	size = pmon_file_size(file);
	if (size <= MAX_BYTES)
		out->bytes = pmon_mem_alloc(allocator, (size_t)size + 1);
	out->size = (size_t)size + 1;
	if (size > MAX_BYTES)
		status = pmon_err_set(err, PMON_E_LIMIT, 0, "larger than %zu bytes", MAX_BYTES);
	else if (out->bytes == NULL)
		status = pmon_err_nomem(err);
	else
		status = pmon_file_read(file, 0, out->bytes, (size_t)size, &out->len, err);
	pmon_file_close(file);
	if (status != PMON_OK)
		pmon_names_bytes_free(out);
	return status;
}

void
pmon_names_bytes_free(struct pmon_names_bytes *bytes)
{
	if (bytes->bytes != NULL)
		pmon_mem_free(bytes->allocator, bytes->bytes, bytes->size);
	bytes->bytes = NULL;
}

bool
pmon_names_is_text(const struct pmon_names_bytes *bytes)
{
	return bytes->len > 0 && memchr(bytes->bytes, '\0', bytes->len) == NULL;
}

enum pmon_status
pmon_names_open(const char *path, const struct pmon_allocator *allocator, struct pmon_names **names,
		struct pmon_err *err)
{
	struct pmon_err why = {.status = PMON_OK};
	struct pmon_names_bytes bytes;
	enum pmon_status status = pmon_names_read(path, allocator, &bytes, &why);

	if (status == PMON_OK && pmon_names_is_text(&bytes))
		status = pmon_names_parse((struct pmon_span){(const char *)bytes.bytes, bytes.len},
					  allocator, names, &why);
	pmon_names_bytes_free(&bytes);
	if (status == PMON_OK)
		return PMON_OK;
	return pmon_err_set(err, status, why.offset, "%s: %s", path, why.msg);
}
