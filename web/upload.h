// upload.h - receive a log from the page into an unnamed file
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_UPLOAD_H
#define PMON_WEB_UPLOAD_H

#include <pmon/base.h>

#include "os/threads.h"

#define UPLOAD_PATH  "/api/compare"
#define UPLOAD_PIECE ((uint64_t)1024 * 1024)

struct call;
struct pmon_file;

// One at a time.
struct upload {
	struct pmon_lock lock; // protects `busy`
	bool busy;
	struct pmon_file *file; // this and the fields below belong to the request that set `busy`
	uint64_t got;
	struct pmon_err err; // the first failure; later data is discarded
	char name[256];
};

void upload_init(struct upload *upload);
void upload_free(struct upload *upload);

// Is a log of this length accepted? Otherwise fail the call.
bool upload_check(struct call *call, const char *length);

// Begin, for the name of the call. False while another upload is running.
bool upload_begin(struct upload *upload, const struct call *call);

// Add bytes. If there is no space for them, upload_end() fails. True if they complete a piece of UPLOAD_PIECE
// bytes.
bool upload_add(struct upload *upload, const void *bytes, size_t n);

// All bytes have arrived: open the log and answer.
void upload_end(struct upload *upload, struct call *call);

// The sender disconnected before the end.
void upload_drop(struct upload *upload);

#endif
