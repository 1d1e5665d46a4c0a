// page.h - the page's files, embedded by the build
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

// Ends with a NULL path.
extern const struct page_file page_files[];

// "/" is index.html. NULL if there is no such file.
const struct page_file *page_find(const char *path);

void page_answer(struct call *call, const struct page_file *file);

#endif
