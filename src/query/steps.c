// steps.c - a source with the newest raw values of each time step, and the samples that precede a window
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/source.h"

struct steps {
	struct pmon_source base;
	const struct pmon_allocator *allocator;
	int64_t step_100ns;
	struct pmon_resampler *resampler;
	bool is_ended; // the input ended, and its last step was returned
	// A preceding sample, due after the step that it ends: the next step is computed from it.
	const struct pmon_sample *lead;
	struct pmon_sample out;
	uint64_t given; // samples returned
};

static enum pmon_status
begin_steps(struct steps *s, struct pmon_err *err)
{
	s->is_ended = false;
	s->lead = NULL;
	s->given = 0;
	pmon_resampler_free(s->resampler);
	return pmon_resampler_new(pmon_source_schema(s->base.inner), s->step_100ns, NULL,
				  s->allocator, &s->resampler, err);
}

// The lead that is due, or NULL.
static const struct pmon_sample *
take_lead(struct steps *s)
{
	const struct pmon_sample *lead = s->lead;

	s->lead = NULL;
	return lead;
}

// The next step, or NULL if the newest sample does not end one.
static enum pmon_status
read_on(struct steps *s, const struct pmon_sample **step, struct pmon_err *err)
{
	const struct pmon_sample *in = NULL;
	const struct pmon_value *values;
	enum pmon_status status = pmon_source_next(s->base.inner, &in, err);

	s->is_ended = status == PMON_END;
	if (status != PMON_OK && !s->is_ended)
		return status;
	if (!s->is_ended && in->preceding && !in->starts)
		s->lead = in;
	return pmon_resampler_add(s->resampler, s->is_ended ? NULL : in, step, &values, err);
}

static enum pmon_status
steps_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct steps *s = (struct steps *)source;
	const struct pmon_sample *next = take_lead(s);
	enum pmon_status status = PMON_OK;

	*sample = NULL;
	while (status == PMON_OK && next == NULL && !s->is_ended) {
		status = read_on(s, &next, err);
		if (status == PMON_OK && next == NULL)
			next = take_lead(s);
	}
	if (status != PMON_OK || next == NULL)
		return status == PMON_OK ? PMON_END : status;
	s->out = *next;
	s->out.stream = 0;
	s->out.ordinal = s->given++;
	*sample = &s->out;
	return PMON_OK;
}

static enum pmon_status
steps_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct steps *s = (struct steps *)source;
	enum pmon_status status = begin_steps(s, err);

	return status == PMON_OK ? pmon_source_rewind(s->base.inner, err) : status;
}

static void
steps_close(struct pmon_source *source)
{
	struct steps *s = (struct steps *)source;

	pmon_resampler_free(s->resampler);
	pmon_source_close(s->base.inner);
	pmon_mem_free(s->allocator, s, sizeof(*s));
}

static const struct pmon_source_ops steps_ops = {steps_next, steps_rewind, steps_close};

enum pmon_status
pmon_steps_open(struct pmon_source *source, int64_t step_100ns,
		const struct pmon_allocator *allocator, struct pmon_source **out,
		struct pmon_err *err)
{
	enum pmon_status status;
	struct steps *s;

	*out = NULL;
	allocator = pmon_mem_allocator(allocator);
	s = pmon_mem_alloc0(allocator, sizeof(*s));
	if (s == NULL) {
		pmon_source_close(source);
		return pmon_err_nomem(err);
	}
	s->base.ops = &steps_ops;
	s->base.inner = source;
	s->allocator = allocator;
	s->step_100ns = step_100ns;
	status = begin_steps(s, err);
	if (status != PMON_OK)
		steps_close(&s->base);
	else
		*out = &s->base;
	return status;
}
