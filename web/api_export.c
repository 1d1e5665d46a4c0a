// api_export.c - some series in a window, as a file to download
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "os/fd.h"
#include "web/api.h"
#include "web/extract.h"
#include "web/view_private.h"

// The file is written in a new folder of its own, whose name does not depend on the request.
#define FOLDER "/var/tmp"

// ---- CSV, by the writer of pmon values ------------------------------------------------------

static enum pmon_status
write_csv(struct call *call, struct pmon_source *source, const char *path, struct pmon_err *err)
{
	struct pmon_create_options create = {.size = sizeof(create), .unix_lines = true};
	struct pmon_copy_options copy = {.size = sizeof(copy), .calc = &call->view->calc};
	struct pmon_sink *sink;
	enum pmon_status status = pmon_log_create(path, "csv", &create, &sink, err);

	if (status == PMON_OK)
		status = pmon_copy(source, sink, &copy, err);
	pmon_sink_close(sink);
	return status;
}

// ---- JSON, the lines of pmon values ---------------------------------------------------------

static void
put_line(FILE *stream, const struct pmon_series *series, pmon_time time,
	 const struct pmon_value *value)
{
	struct json json = {.stream = stream};

	json_open(&json, '{');
	json_path(&json, series->name, series);
	json_key(&json, "time"), json_time(&json, time);
	json_key(&json, "value"), json_value(&json, value);
	json_key(&json, "status"), json_str(&json, pmon_vstat_name(value->status));
	json_key(&json, "unit"), json_str(&json, pmon_series_unit(series));
	json_close(&json, '}');
	putc('\n', stream);
}

static enum pmon_status
put_lines(FILE *stream, struct pmon_source *source, struct pmon_statistics *statistics,
	  struct pmon_err *err)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &sample, err)) == PMON_OK) {
		status = pmon_statistics_add(statistics, sample, &values, err);
		if (status != PMON_OK)
			return status;
		for (size_t i = 0; !sample->preceding && i < sample->n; i++)
			put_line(stream, pmon_schema_at(schema, sample->series[i]),
				 sample->raw[i].time, &values[i]);
	}
	return status == PMON_END ? PMON_OK : status;
}

static enum pmon_status
write_json(struct call *call, struct pmon_source *source, const char *path, struct pmon_err *err)
{
	struct pmon_statistics *statistics;
	FILE *stream = fopen(path, "wx");
	enum pmon_status status;
	bool failed;

	if (stream == NULL)
		return PMON_E_IO;
	status = pmon_statistics_new(pmon_source_schema(source), &call->view->calc, NULL,
				     &statistics, err);
	if (status == PMON_OK)
		status = put_lines(stream, source, statistics, err);
	pmon_statistics_free(statistics);
	failed = ferror(stream) != 0;
	if (fclose(stream) != 0 || failed)
		status = PMON_E_IO;
	return status;
}

// ---- The answer -----------------------------------------------------------------------------

static bool
read_format(struct call *call, bool *csv)
{
	struct pmon_span format = call_param(call, "format");

	*csv = pmon_text_same(format, PMON_SPAN("csv"));
	if (*csv || pmon_text_same(format, PMON_SPAN("json")))
		return true;
	call_fail(call, 400, "format", "format must be csv or json");
	return false;
}

// Write the file, open it, and unlink it, so that nothing stays behind.
static void
write_file(struct call *call, struct pmon_source *source, bool csv)
{
	char path[PMON_PRIVATE_SIZE];
	struct pmon_err err;
	enum pmon_status status;

	if (!pmon_private_make(FOLDER, "export", path)) {
		call_fail(call, 500, NULL, "cannot write a temporary file");
		return;
	}
	status = (csv ? write_csv : write_json)(call, source, path, &err);
	if (status == PMON_OK)
		call->fd = pmon_fd_open(path);
	pmon_private_remove(path);
	if (call->fd < 0)
		call_fail(call, 500, NULL, "cannot write the file: %s", pmon_status_text(status));
}

void
api_export(struct call *call)
{
	struct pmon_source *source;
	struct store_window window;
	struct call_ids ids;
	struct set *set;
	bool csv;

	if (!call_set(call, "set", &set) || !call_ids(call, set, true, &ids) ||
	    !call_window(call, &window) || !read_format(call, &csv))
		return;
	if (extract_open(set, ids.list, ids.n, &window, &source, NULL) != PMON_OK) {
		call_no_memory(call);
		return;
	}
	call->type = csv ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8";
	call->file_name = csv ? "pmon.csv" : "pmon.jsonl";
	write_file(call, source, csv);
	pmon_source_close(source);
}
