// create.c - create logs in writable formats
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/text.h"
#include "format/format.h"
#include "format/verify.h"

#define CHECK_BYTES ((uint64_t)1 << 20) // how much to write before checking that it arrives

const char *
pmon_log_writable(size_t i)
{
	const struct pmon_writer *writer = pmon_writer_at(i);

	return writer != NULL ? writer->name : NULL;
}

enum pmon_status
pmon_format_check(struct pmon_outfile *file, uint64_t *checked, struct pmon_err *err)
{
	if (pmon_outfile_size(file) - *checked < CHECK_BYTES)
		return PMON_OK;
	*checked = pmon_outfile_size(file);
	return pmon_outfile_flush(file, false, err);
}

void
pmon_format_tell_late(const struct pmon_create_options *options, size_t n)
{
	char buf[128];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));
	struct pmon_notice notice = {.text = buf};

	if (options->notice == NULL)
		return;
	pmon_text_u64(&text, n);
	pmon_text_str(&text, pmon_text_word(n, " counter", " counters"));
	pmon_text_str(&text, " appeared after this file was started and cannot be added to it");
	options->notice(options->notice_ctx, &notice);
}

static enum pmon_status
create(const struct pmon_writer *writer, const char *path,
       const struct pmon_create_options *options, struct pmon_sink **sink, struct pmon_err *err)
{
	struct pmon_sink *made;
	enum pmon_status status;

	if (options->ring_bytes > 0 && !(writer->ring && options->live))
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "circular logs are not supported by the format %s",
				    writer->name);
	if (options->append && !(writer->append && options->live))
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "appending is not supported by the format %s", writer->name);
	made = pmon_mem_alloc0(pmon_mem_allocator(options->allocator), writer->sink_bytes);
	if (made == NULL)
		return pmon_err_nomem(err);
	made->ops = writer->ops;
	status = writer->open(made, writer, path, options, err);
	if (status != PMON_OK)
		pmon_sink_close(made);
	else if (options->verify && writer->reads_as != NULL && made->ops->file != NULL &&
		 !options->live)
		status = pmon_verify_open(made, writer, options, sink, err);
	else
		*sink = made;
	return status;
}

enum pmon_status
pmon_log_create(const char *path, const char *format, const struct pmon_create_options *options,
		struct pmon_sink **sink, struct pmon_err *err)
{
	struct pmon_create_options own;
	const struct pmon_writer *writer;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);

	*sink = NULL;
	if (status != PMON_OK)
		return status;
	for (size_t i = 0; (writer = pmon_writer_at(i)) != NULL; i++)
		if (strcmp(writer->name, format) == 0)
			return create(writer, path, &own, sink, err);
	return pmon_err_set(err, PMON_E_ARG, 0, "there is no output format \"%s\"", format);
}
