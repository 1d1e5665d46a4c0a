// keep.c - make a source rewindable by keeping its samples
// SPDX-License-Identifier: MIT

#include "shell/input/keep.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/source.h"

struct keep {
	struct pmon_source source; // must be first
	struct pmon_sample *samples;
	size_t n;
	size_t cap;
	size_t next;
	bool whole; // the source was read to its end
};

static void *
copy_of(const void *bytes, size_t len)
{
	void *copy = malloc(len > 0 ? len : 1);

	if (copy != NULL && len > 0)
		memcpy(copy, bytes, len);
	return copy;
}

static void
forget(const struct pmon_sample *sample)
{
	free((void *)sample->series);
	free((void *)sample->raw);
}

static bool
add(struct keep *k, const struct pmon_sample *sample)
{
	struct pmon_sample kept = *sample;

	if (k->n == k->cap) {
		size_t cap = k->cap == 0 ? 64 : k->cap * 2;
		struct pmon_sample *grown = realloc(k->samples, cap * sizeof(*grown));

		if (grown == NULL)
			return false;
		k->samples = grown;
		k->cap = cap;
	}
	kept.series = copy_of(sample->series, sample->n * sizeof(*sample->series));
	kept.raw = copy_of(sample->raw, sample->n * sizeof(*sample->raw));
	if (kept.series == NULL || kept.raw == NULL) {
		forget(&kept);
		return false;
	}
	k->samples[k->n++] = kept;
	return true;
}

static enum pmon_status
keep_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct keep *k = (struct keep *)source;
	enum pmon_status status = PMON_OK;

	if (k->next == k->n) {
		status = k->whole ? PMON_END : pmon_source_next(k->source.inner, sample, err);
		k->whole |= status == PMON_END;
		if (status == PMON_OK && !add(k, *sample))
			status = pmon_err_nomem(err);
	}
	if (status == PMON_OK)
		*sample = &k->samples[k->next++];
	return status;
}

static enum pmon_status
keep_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)err;
	((struct keep *)source)->next = 0;
	return PMON_OK;
}

static void
keep_close(struct pmon_source *source)
{
	struct keep *k = (struct keep *)source;

	pmon_source_close(k->source.inner);
	for (size_t i = 0; i < k->n; i++)
		forget(&k->samples[i]);
	free(k->samples);
	free(k);
}

static const struct pmon_source_ops keep_ops = {keep_next, keep_rewind, keep_close};

struct pmon_source *
keep_open(struct pmon_source *source)
{
	struct keep *k = calloc(1, sizeof(*k));

	if (k == NULL) {
		pmon_source_close(source);
		return NULL;
	}
	k->source.ops = &keep_ops;
	k->source.inner = source;
	return &k->source;
}
