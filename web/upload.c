// upload.c - receive a log from the page into an unnamed file
// SPDX-License-Identifier: MIT
//
// This process does not look at its contents: the file goes to the process that parses it
// (set_opener.open).

#include "web/upload.h"

#include <string.h>

#include "base/num.h"
#include "os/file.h"
#include "web/api.h"
#include "web/view_private.h"

#define TOO_LARGE     413
#define LENGTH_NEEDED 411
#define NO_LOG        422

void
upload_init(struct upload *upload)
{
	*upload = (struct upload){.busy = false};
	(void)pmon_lock_init(&upload->lock);
}

void
upload_free(struct upload *upload)
{
	pmon_file_close(upload->file);
	pmon_lock_destroy(&upload->lock);
}

bool
upload_check(struct call *call, const char *length)
{
	const uint64_t most = call->view->opener.most_bytes;
	struct pmon_span name = call_param(call, "name");
	uint64_t bytes = 0;

	if (most == 0)
		call_fail(call, 403, NULL,
			  "this server accepts no uploaded logs: it is reachable from other "
			  "machines, or it cannot start the process that reads logs; start pmon "
			  "view with --compare");
	else if (name.len == 0 || name.len >= sizeof(((struct upload *)0)->name))
		call_fail(call, 400, "name", "the name of the log is missing or too long");
	else if (length == NULL ||
		 !pmon_num_parse_u64((struct pmon_span){length, strlen(length)}, &bytes))
		call_fail(call, LENGTH_NEEDED, NULL, "Content-Length is missing");
	else if (bytes > most)
		call_fail(call, TOO_LARGE, NULL,
			  "the log has %llu bytes; the page can upload at most %llu: start pmon "
			  "view with --compare",
			  (unsigned long long)bytes, (unsigned long long)most);
	return call->status == 200;
}

static bool
enter(struct upload *upload)
{
	bool entered;

	pmon_lock_take(&upload->lock);
	entered = !upload->busy;
	upload->busy = true;
	pmon_lock_give(&upload->lock);
	return entered;
}

bool
upload_begin(struct upload *upload, const struct call *call)
{
	struct pmon_span name = call_param(call, "name");

	if (!enter(upload))
		return false;
	memcpy(upload->name, name.ptr, name.len);
	upload->name[name.len] = '\0';
	upload->got = 0;
	upload->err.status = pmon_file_temporary(NULL, NULL, &upload->file, &upload->err);
	return true;
}

bool
upload_add(struct upload *upload, const void *bytes, size_t n)
{
	uint64_t before = upload->got / UPLOAD_PIECE;

	upload->got += n;
	if (upload->err.status == PMON_OK)
		upload->err.status = pmon_file_append(upload->file, bytes, n, &upload->err);
	return upload->got / UPLOAD_PIECE != before;
}

void
upload_end(struct upload *upload, struct call *call)
{
	struct pmon_err *err = &upload->err;

	if (err->status != PMON_OK)
		call_fail(call, 500, NULL, "cannot receive the log: %s", err->msg);
	else if (view_take_log(call->view, pmon_file_begin(upload->file), upload->name, err) !=
		 PMON_OK)
		call_fail(call, err->status == PMON_E_NOMEM ? 500 : NO_LOG, NULL, "%s", err->msg);
	else if (!api_put_log(&call->json, call->view))
		call_no_memory(call);
	upload_drop(upload);
}

void
upload_drop(struct upload *upload)
{
	pmon_file_close(upload->file);
	upload->file = NULL;
	pmon_lock_take(&upload->lock);
	upload->busy = false;
	pmon_lock_give(&upload->lock);
}
