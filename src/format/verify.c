// verify.c - a sink whose output is read back before it gets its name
// SPDX-License-Identifier: MIT

#include "format/verify.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "query/digest.h"

#define MOST_PATH 120 // bytes of a path in messages

struct verifier {
	struct pmon_sink sink; // must be first
	struct pmon_sink_ops ops;
	const struct pmon_allocator *allocator;
	struct pmon_sink *inner;
	const struct pmon_writer *writer;
	unsigned threads;
	int digits;
	struct pmon_digest given;
};

// ---- Reading back ---------------------------------------------------------------------------

// Differences in the output: the first one, and their number.
struct findings {
	char text[200];
	size_t n;
};

static void
note_damage(void *ctx, const struct pmon_notice *notice)
{
	struct findings *found = ctx;

	if (notice->is_loss && found->n++ == 0)
		(void)snprintf(found->text, sizeof(found->text), "%s", notice->text);
}

static void
note_difference(void *ctx, const struct pmon_difference *d)
{
	struct findings *found = ctx;
	int len = d->path.len < MOST_PATH ? (int)d->path.len : MOST_PATH;

	if (found->n++ > 0)
		return;
	if (d->path.ptr == NULL && d->n[0] == d->n[1])
		(void)snprintf(found->text, sizeof(found->text), "samples of other times");
	else if (d->path.ptr == NULL)
		(void)snprintf(found->text, sizeof(found->text), "%llu %s in place of %llu",
			       (unsigned long long)d->n[1],
			       pmon_text_word(d->n[1], "sample", "samples"),
			       (unsigned long long)d->n[0]);
	else if (d->n[0] == d->n[1])
		(void)snprintf(found->text, sizeof(found->text), "different values for %.*s", len,
			       d->path.ptr);
	else
		(void)snprintf(found->text, sizeof(found->text), "%llu %s in place of %llu of %.*s",
			       (unsigned long long)d->n[1],
			       pmon_text_word(d->n[1], "value", "values"),
			       (unsigned long long)d->n[0], len, d->path.ptr);
}

static enum pmon_status
refuse(const struct findings *found, struct pmon_err *err)
{
	if (found->n > 1)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "the output differs when read back: %s; %zu more", found->text,
				    found->n - 1);
	return pmon_err_set(err, PMON_E_FORMAT, 0, "the output differs when read back: %s",
			    found->text);
}

static enum pmon_status
compare(const struct verifier *v, struct pmon_source *source, struct findings *found,
	struct pmon_err *err)
{
	struct pmon_digest read;
	enum pmon_status status;

	pmon_digest_init(&read, v->given.kind, pmon_source_schema(source), v->allocator);
	status = pmon_digest_read(&read, source, v->threads, err);
	if (status == PMON_OK && found->n == 0)
		status = pmon_digest_compare(&v->given, &read, note_difference, found, err);
	pmon_digest_free(&read);
	return status == PMON_OK && found->n > 0 ? refuse(found, err) : status;
}

// Takes ownership of the file.
static enum pmon_status
read_back(void *ctx, struct pmon_file *file, struct pmon_err *err)
{
	const struct verifier *v = ctx;
	struct findings found = {.n = 0};
	struct pmon_log_options options = {.size = sizeof(options),
					   .allocator = v->allocator,
					   .notice = note_damage,
					   .notice_ctx = &found,
					   .threads = v->threads,
					   // accept any cell, whatever values the counter can have
					   .ignore_changes = true};
	struct pmon_err why = {.status = PMON_OK};
	struct pmon_source *source;
	enum pmon_status status = pmon_log_open_file(file, &options, &source, &why);

	if (status == PMON_OK && strcmp(pmon_source_info(source)->format, v->writer->reads_as) != 0)
		status = pmon_err_set(&why, PMON_E_FORMAT, 0, "it is recognized as a %s log",
				      pmon_source_info(source)->format);
	if (status == PMON_OK)
		status = compare(v, source, &found, err);
	else if (status != PMON_E_NOMEM)
		status = pmon_err_set(err, PMON_E_FORMAT, 0, "the output cannot be read back: %s",
				      why.msg);
	else
		status = pmon_err_nomem(err);
	pmon_source_close(source);
	return status;
}

// ---- The sink -------------------------------------------------------------------------------

static enum pmon_status
verifier_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	       const struct pmon_source_info *info, struct pmon_err *err)
{
	struct verifier *v = (struct verifier *)sink;

	pmon_digest_init(&v->given, v->writer->raw ? PMON_DIGEST_RAW : PMON_DIGEST_SHOWN, schema,
			 v->allocator);
	v->given.digits = v->digits;
	return pmon_sink_begin(v->inner, schema, info, err);
}

static enum pmon_status
verifier_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	     const struct pmon_value *values, struct pmon_err *err)
{
	struct verifier *v = (struct verifier *)sink;

	if (!sample->starts && !pmon_digest_add(&v->given, sample, values))
		return pmon_err_nomem(err);
	return pmon_sink_add(v->inner, sample, values, err);
}

static enum pmon_status
verifier_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	return pmon_sink_finish(((struct verifier *)sink)->inner, err);
}

static enum pmon_status
verifier_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	return pmon_sink_flush(((struct verifier *)sink)->inner, sync, err);
}

static uint64_t
verifier_size(const struct pmon_sink *sink)
{
	return pmon_sink_size(((const struct verifier *)sink)->inner);
}

static void
verifier_close(struct pmon_sink *sink)
{
	struct verifier *v = (struct verifier *)sink;

	pmon_sink_close(v->inner);
	pmon_digest_free(&v->given);
	pmon_mem_free(v->allocator, v, sizeof(*v));
}

enum pmon_status
pmon_verify_open(struct pmon_sink *inner, const struct pmon_writer *writer,
		 const struct pmon_create_options *options, struct pmon_sink **out,
		 struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct verifier *v = pmon_mem_alloc0(allocator, sizeof(*v));

	*out = NULL;
	if (v == NULL) {
		pmon_sink_close(inner);
		return pmon_err_nomem(err);
	}
	v->ops = (struct pmon_sink_ops){.needs = inner->ops->needs,
					.begin = verifier_begin,
					.add = verifier_add,
					.finish = verifier_finish,
					.close = verifier_close,
					.flush = verifier_flush,
					.size = verifier_size,
					.values_suffice = inner->ops->values_suffice};
	v->sink.ops = &v->ops;
	v->allocator = v->given.allocator = allocator;
	v->inner = inner;
	v->writer = writer;
	v->threads = options->threads;
	v->digits = options->digits;
	pmon_outfile_on_complete(inner->ops->file(inner), read_back, v);
	*out = &v->sink;
	return PMON_OK;
}
