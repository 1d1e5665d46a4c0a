// page.h - the files of the page, which the build puts into the program
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_PAGE_H
#define PMON_WEB_PAGE_H

#include <stddef.h>

struct call;

struct page_file {
	const char *path; // "/main.js"
	const char *type; // "text/javascript; charset=utf-8"
	const unsigned char *bytes;
	size_t len;
};

// Ends with a path that is NULL.
extern const struct page_file page_files[];

// The file of a path, "/" is that of index.html; NULL: there is none.
const struct page_file *page_find(const char *path);

void page_answer(struct call *call, const struct page_file *file);

#endif
