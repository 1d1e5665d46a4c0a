// upload.h - a log that the page sends, on its way into a file without a name
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_UPLOAD_H
#define PMON_WEB_UPLOAD_H

#include <pmon/base.h>

#include "os/threads.h"

#define UPLOAD_PATH "/api/compare"

struct call;
struct pmon_file;

// One at a time.
struct upload {
	struct pmon_lock lock; // of busy
	bool busy;
	struct pmon_file *file; // of whoever made it busy, as what follows
	uint64_t got;
	struct pmon_err err; // of the first failure; the rest is not kept
	char name[256];
};

void upload_init(struct upload *upload);
void upload_free(struct upload *upload);

// Is a log of this length taken? If it is not, the call fails.
bool upload_check(struct call *call, const char *length);

// Begin, for the name of the call. False when another one is under way.
bool upload_begin(struct upload *upload, const struct call *call);

// The next bytes. Without room for them, upload_end() fails.
void upload_add(struct upload *upload, const void *bytes, size_t n);

// All bytes have come: open the log and answer.
void upload_end(struct upload *upload, struct call *call);

// The sender has gone before the end.
void upload_drop(struct upload *upload);

#endif
