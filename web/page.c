// page.c - look up the page's files by path
// SPDX-License-Identifier: MIT

#include "web/page.h"

#include <string.h>

#include "web/call.h"

const struct page_file *
page_find(const char *path)
{
	if (strcmp(path, "/") == 0)
		path = "/index.html";
	for (size_t i = 0; page_files[i].path != NULL; i++)
		if (strcmp(page_files[i].path, path) == 0)
			return &page_files[i];
	return NULL;
}

void
page_answer(struct call *call, const struct page_file *file)
{
	call->type = file->type;
	call->body = (const char *)file->bytes;
	call->body_len = file->len;
}
