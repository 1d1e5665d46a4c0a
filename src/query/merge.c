// merge.c - merge several sources by time
// SPDX-License-Identifier: MIT
//
// Merged logs are open only while their samples are due: each is opened to read its counters and
// the time of its first sample, closed, and opened again when that time is reached.

#include "query/merge.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "core/calc.h"
#include "query/pool.h"

static size_t
number_of(const struct merge *m, const struct merge_input *input)
{
	return (size_t)(input - m->inputs);
}

static enum pmon_status
map_all(struct merge *m, struct merge_input *input, struct pmon_err *err)
{
	return pmon_join_add(&m->join, &input->map, pmon_source_schema(input->source),
			     (uint32_t)number_of(m, input), err);
}

void
pmon_merge_sum_info(struct merge *m)
{
	struct pmon_source_info *info = &m->base.info;

	info->records_unknown = info->losses = info->bytes_lost = 0;
	info->bytes_used = info->bytes_unused = info->bytes_damaged = 0;
	info->bytes_read = info->size_bytes = 0;
	info->sampled_by_pmon = true;
	for (size_t i = 0; i < m->n; i++) {
		const struct merge_input *input = &m->inputs[i];
		const struct pmon_source_info *in =
			input->is_read ? pmon_source_info(input->source) : &input->info;

		info->records_unknown += in->records_unknown;
		info->losses += in->losses;
		info->bytes_lost += in->bytes_lost;
		info->bytes_used += in->bytes_used;
		info->bytes_unused += in->bytes_unused;
		info->bytes_damaged += in->bytes_damaged;
		info->size_bytes += in->size_bytes;
		info->bytes_read += in->bytes_read;
		info->sampled_by_pmon = info->sampled_by_pmon && in->sampled_by_pmon;
	}
	info->losses += m->clash_told;
}

// ---- Logs that are opened and closed --------------------------------------------------------

// Close a log that is not needed at the moment. Its information is kept, except for texts that it
// owns.
static void
close_log(struct merge *m, struct merge_input *input)
{
	input->sample = NULL;
	if (m->logs.open == NULL || input->source == NULL)
		return;
	input->info = *pmon_source_info(input->source);
	input->is_read = false;
	if (number_of(m, input) == m->facts)
		return;
	pmon_source_close(input->source);
	input->source = NULL;
	pmon_join_map_free(&m->join, &input->map);
}

// An input with a read error ends there; the error goes to the report callback if there is one.
static enum pmon_status
give_up(struct merge *m, struct merge_input *input, enum pmon_status status, struct pmon_err *err)
{
	if (m->logs.failed == NULL || status == PMON_E_NOMEM)
		return status;
	m->logs.failed(m->logs.ctx, number_of(m, input), err);
	close_log(m, input);
	return PMON_OK;
}

static enum pmon_status
advance(struct merge *m, struct merge_input *input, struct pmon_err *err)
{
	enum pmon_status status = pmon_source_next(input->source, &input->sample, err);

	if (status == PMON_OK)
		return map_all(m, input, err);
	if (status != PMON_END)
		return give_up(m, input, status, err);
	close_log(m, input);
	return PMON_OK;
}

// Open a log when the time of its first sample is reached.
static enum pmon_status
wake(struct merge *m, struct merge_input *input, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	input->waits = false;
	if (input->source != NULL)
		status = pmon_source_rewind(input->source, err);
	else
		status = m->logs.open(m->logs.ctx, number_of(m, input), &input->source, err);
	if (status != PMON_OK)
		return give_up(m, input, status, err);
	input->is_read = true;
	status = map_all(m, input, err);
	return status == PMON_OK ? advance(m, input, err) : status;
}

// ---- Samples --------------------------------------------------------------------------------

static bool
next_time(const struct merge_input *input, pmon_time *time)
{
	*time = input->sample != NULL ? input->sample->time : input->first;
	return input->sample != NULL || input->waits;
}

static bool
begins(const struct merge_input *input)
{
	return input->waits || input->sample->ordinal == 0;
}

// At equal times, a continuing log comes before a beginning one, which may repeat its sample.
static bool
comes_before(const struct merge_input *a, pmon_time a_time, const struct merge_input *b,
	     pmon_time b_time)
{
	return b == NULL || a_time < b_time || (a_time == b_time && begins(b) && !begins(a));
}

static struct merge_input *
earliest(struct merge *m)
{
	struct merge_input *best = NULL;
	pmon_time best_time = 0;
	pmon_time time;

	for (size_t i = 0; i < m->n; i++) {
		if (!next_time(&m->inputs[i], &time) ||
		    !comes_before(&m->inputs[i], time, best, best_time))
			continue;
		best = &m->inputs[i];
		best_time = time;
	}
	return best;
}

static bool
grow_newest(struct merge *m)
{
	size_t n = pmon_schema_count(&m->base.schema);

	if (!pmon_mem_grow(m->allocator, &m->newest, &m->newest_cap, n, sizeof(*m->newest)))
		return false;
	for (; m->newest_n < n; m->newest_n++)
		m->newest[m->newest_n] = (struct merge_newest){.input = 0};
	return true;
}

// The stream and ordinal of the current input's sample.
static void
number_sample(struct merge *m)
{
	const struct pmon_sample *in = m->current->sample;
	const struct merge_link *link = &m->current->link;

	m->sample.stream = (uint32_t)number_of(m, m->current) << 16 | (in->stream & 0xFFFF);
	if (link->is_made && link->from == in->stream) {
		m->sample.stream = link->to;
		m->sample.ordinal += link->ahead;
	}
}

// Two logs have different values for the same time.
static void
count_clash(struct merge *m, uint32_t id, const struct merge_newest *newest, pmon_time time)
{
	const struct pmon_series *series = pmon_schema_at(&m->base.schema, id);
	struct pmon_clash *clash = &m->clash;
	size_t len = series->name.len;

	if (clash->n++ > 0)
		return;
	clash->log = newest->input - 1;
	clash->other = number_of(m, m->current);
	clash->time = time;
	if (len >= sizeof(clash->path))
		len = sizeof(clash->path) - 1;
	if (len > 0)
		memcpy(clash->path, series->name.ptr, len);
	clash->path[len] = '\0';
}

void
pmon_merge_tell_clash(struct merge *m)
{
	if (m->clash.n == 0 || m->clash_told)
		return;
	m->clash_told = true;
	pmon_merge_sum_info(m);
	if (m->logs.clash != NULL)
		m->logs.clash(m->logs.ctx, &m->clash);
}

// Overlapping logs contain the same sample twice: drop the second.
static bool
is_repeated(struct merge *m, uint32_t id, const struct pmon_raw *raw)
{
	struct merge_newest *newest = &m->newest[id];
	size_t input = number_of(m, m->current) + 1;
	bool is_usable = pmon_raw_usable(raw);

	if (newest->input != 0 && newest->input != input && newest->time == raw->time) {
		if (newest->first == raw->first && newest->second == raw->second)
			return true;
		if (newest->is_usable && is_usable)
			count_clash(m, id, newest, raw->time);
	}
	*newest = (struct merge_newest){raw->time, raw->first,       raw->second,      input,
					is_usable, m->sample.stream, m->sample.ordinal};
	return false;
}

// The whole sample is a duplicate.
static void
link_to_repeated(struct merge *m)
{
	const struct pmon_sample *in = m->current->sample;
	const struct merge_newest *newest = &m->newest[m->current->map.to[in->series[0]]];

	m->current->link = (struct merge_link){true, in->stream, newest->stream,
					       newest->ordinal - in->ordinal};
}

static enum pmon_status
give(struct merge *m, const struct pmon_sample **sample, struct pmon_err *err)
{
	const struct pmon_sample *in = m->current->sample;
	size_t n = 0;

	if (!pmon_mem_grow(m->allocator, &m->series, &m->series_cap, in->n, sizeof(*m->series)) ||
	    !pmon_mem_grow(m->allocator, &m->raw, &m->raw_cap, in->n, sizeof(*m->raw)) ||
	    !grow_newest(m))
		return pmon_err_nomem(err);
	m->sample = *in;
	number_sample(m);
	for (size_t i = 0; i < in->n; i++) {
		uint32_t id = m->current->map.to[in->series[i]];

		if (is_repeated(m, id, &in->raw[i]))
			continue;
		m->series[n] = id;
		m->raw[n++] = in->raw[i];
	}
	if (n == 0 && in->n > 0)
		link_to_repeated(m);
	m->sample.n = n;
	m->sample.series = m->series;
	m->sample.raw = m->raw;
	*sample = &m->sample;
	return PMON_OK;
}

// Read the next sample of every input, and choose the earliest.
static enum pmon_status
choose(struct merge *m, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && !m->primed && i < m->n; i++)
		if (m->inputs[i].is_read)
			status = advance(m, &m->inputs[i], err);
	if (status == PMON_OK && m->current != NULL && m->current->sample != NULL)
		status = advance(m, m->current, err);
	m->primed = true;
	m->current = earliest(m);
	while (status == PMON_OK && m->current != NULL && m->current->waits) {
		status = wake(m, m->current, err);
		m->current = earliest(m);
	}
	pmon_merge_sum_info(m);
	if (status != PMON_OK)
		return status;
	return m->current != NULL ? PMON_OK : PMON_END;
}

static enum pmon_status
merge_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct merge *m = (struct merge *)source;
	enum pmon_status status;

	do {
		status = choose(m, err);
		if (status == PMON_OK)
			status = give(m, sample, err);
	} while (status == PMON_OK && m->sample.n == 0 && m->current->sample->n > 0);
	if (status == PMON_END)
		pmon_merge_tell_clash(m);
	return status;
}

// Make a log wait for its first sample again, if it has one.
static void
park(struct merge *m, struct merge_input *input)
{
	struct pmon_source_info info;

	close_log(m, input);
	input->waits = input->first != PMON_TIME_NONE;
	info = input->info;
	if (input->waits)
		input->info = (struct pmon_source_info){.size_bytes = info.size_bytes,
							.sampled_by_pmon = info.sampled_by_pmon};
}

static enum pmon_status
merge_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct merge *m = (struct merge *)source;
	enum pmon_status status = PMON_OK;

	m->primed = false;
	m->current = NULL;
	m->newest_n = 0;
	m->clash.n = 0;
	for (size_t i = 0; status == PMON_OK && i < m->n; i++) {
		m->inputs[i].sample = NULL;
		m->inputs[i].link.is_made = false;
		if (m->logs.open != NULL)
			park(m, &m->inputs[i]);
		else
			status = pmon_source_rewind(m->inputs[i].source, err);
	}
	return status;
}

static void
merge_close(struct pmon_source *source)
{
	struct merge *m = (struct merge *)source;
	const struct pmon_allocator *allocator = m->allocator;

	for (size_t i = 0; i < m->n; i++) {
		pmon_source_close(m->inputs[i].source);
		pmon_join_map_free(&m->join, &m->inputs[i].map);
	}
	pmon_mem_free(allocator, m->inputs, m->n * sizeof(*m->inputs));
	pmon_mem_free(allocator, m->series, m->series_cap * sizeof(*m->series));
	pmon_mem_free(allocator, m->raw, m->raw_cap * sizeof(*m->raw));
	pmon_mem_free(allocator, m->newest, m->newest_cap * sizeof(*m->newest));
	pmon_join_free(&m->join);
	pmon_arena_free(&m->texts);
	pmon_schema_free(&m->base.schema);
	pmon_mem_free(allocator, m, sizeof(*m));
}

static const struct pmon_source_ops merge_ops = {merge_next, merge_rewind, merge_close};

struct merge *
pmon_merge_of_logs(struct pmon_source *source)
{
	struct merge *m = (struct merge *)source;

	return source->ops == &merge_ops && m->logs.open != NULL ? m : NULL;
}

// ---- Opening --------------------------------------------------------------------------------

static struct merge *
new_merge(size_t n, const struct pmon_allocator *allocator)
{
	struct merge *m = pmon_mem_alloc0(allocator, sizeof(*m));

	if (m == NULL)
		return NULL;
	m->inputs = pmon_mem_alloc0(allocator, n * sizeof(*m->inputs));
	if (m->inputs == NULL) {
		pmon_mem_free(allocator, m, sizeof(*m));
		return NULL;
	}
	m->base.ops = &merge_ops;
	m->allocator = allocator;
	m->n = m->facts = n;
	pmon_schema_init(&m->base.schema, allocator);
	pmon_arena_init(&m->texts, allocator);
	m->machines.arena = &m->texts;
	pmon_join_init(&m->join, &m->base.schema, allocator);
	return m;
}

static bool
is_too_many(size_t n, struct pmon_err *err)
{
	if (n > 0 && n <= UINT16_MAX)
		return false;
	(void)pmon_err_set(err, PMON_E_ARG, 0, "%zu sources cannot be merged", n);
	return true;
}

static void
close_all(struct pmon_source *const *sources, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pmon_source_close(sources[i]);
}

// Use the info of an input for the merge.
static void
take_facts(struct merge *m, size_t i)
{
	m->facts = i;
	m->base.info = *pmon_source_info(m->inputs[i].source);
}

// Add the machine IDs of an input. If a name has several, the first one counts.
static enum pmon_status
take_machines(struct merge *m, const struct merge_input *input, struct pmon_err *err)
{
	const struct pmon_source_info *info = pmon_source_info(input->source);

	for (size_t i = 0; i < info->n_machines; i++) {
		const struct pmon_machine *machine = &info->machines[i];

		if (!pmon_machines_add(&m->machines,
				       (struct pmon_span){machine->name, strlen(machine->name)},
				       (struct pmon_span){machine->id, strlen(machine->id)}))
			return pmon_err_nomem(err);
	}
	return PMON_OK;
}

enum pmon_status
pmon_merge_open(struct pmon_source *const *sources, size_t n,
		const struct pmon_allocator *allocator, struct pmon_source **out,
		struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct merge *m = NULL;

	*out = NULL;
	allocator = pmon_mem_allocator(allocator);
	if (is_too_many(n, err))
		status = PMON_E_ARG;
	else if ((m = new_merge(n, allocator)) == NULL)
		status = pmon_err_nomem(err);
	if (status != PMON_OK) {
		close_all(sources, n);
		return status;
	}
	for (size_t i = 0; i < n; i++)
		m->inputs[i] = (struct merge_input){.source = sources[i], .is_read = true};
	take_facts(m, 0);
	// The counters that inputs know before their first sample.
	for (size_t i = 0; status == PMON_OK && i < n; i++)
		status = map_all(m, &m->inputs[i], err);
	for (size_t i = 0; status == PMON_OK && i < n; i++)
		status = take_machines(m, &m->inputs[i], err);
	pmon_machines_give(&m->machines, &m->base.info);
	pmon_merge_sum_info(m);
	if (status != PMON_OK) {
		merge_close(&m->base);
		return status;
	}
	*out = &m->base;
	return PMON_OK;
}

void
pmon_merge_on_clash(struct pmon_source *merge, pmon_clash_fn clash, void *ctx)
{
	struct merge *m = (struct merge *)merge;

	m->logs.clash = clash;
	m->logs.ctx = ctx;
}

// ---- Opening logs ---------------------------------------------------------------------------

// The result of opening a log for the first time.
struct look {
	enum pmon_status status;
	struct pmon_err err;
};

struct survey {
	struct merge *merge;
	struct look *looks;
	struct pmon_err *err;
};

// Open a log and read its first sample.
static void
look_at(void *ctx, size_t i, size_t thread)
{
	struct survey *survey = ctx;
	struct merge *m = survey->merge;
	struct merge_input *input = &m->inputs[i];
	struct look *look = &survey->looks[i];

	(void)thread;
	input->first = PMON_TIME_NONE;
	look->status = m->logs.open(m->logs.ctx, i, &input->source, &look->err);
	if (look->status == PMON_OK)
		look->status = pmon_source_next(input->source, &input->sample, &look->err);
	if (look->status == PMON_OK)
		input->first = input->sample->time;
	else if (look->status == PMON_END)
		look->status = PMON_OK;
}

// Add the counters it knows by then.
static enum pmon_status
take_look(void *ctx, size_t i)
{
	struct survey *survey = ctx;
	struct merge *m = survey->merge;
	struct merge_input *input = &m->inputs[i];
	struct look *look = &survey->looks[i];
	enum pmon_status status;

	if (look->status != PMON_OK && (m->logs.failed == NULL || look->status == PMON_E_NOMEM)) {
		if (survey->err != NULL)
			*survey->err = look->err;
		return look->status;
	}
	if (input->source == NULL)
		return give_up(m, input, look->status, &look->err);
	if (m->facts == m->n)
		take_facts(m, i);
	status = map_all(m, input, survey->err);
	if (status == PMON_OK)
		status = take_machines(m, input, survey->err);
	if (status == PMON_OK && look->status != PMON_OK)
		status = give_up(m, input, look->status, &look->err);
	park(m, input);
	return status;
}

static enum pmon_status
survey_logs(struct merge *m, struct pmon_err *err)
{
	size_t size = m->n * sizeof(struct look);
	struct survey survey = {m, pmon_mem_alloc0(m->allocator, size), err};
	struct pmon_pool pool = {m->n, m->logs.threads, look_at, take_look, &survey};
	enum pmon_status status;

	if (survey.looks == NULL)
		return pmon_err_nomem(err);
	status = pmon_pool_run(&pool, m->allocator, err);
	pmon_mem_free(m->allocator, survey.looks, size);
	if (status == PMON_OK && m->facts == m->n)
		status = pmon_err_set(err, PMON_E_NOTFOUND, 0, "none of the logs can be read");
	return status;
}

enum pmon_status
pmon_merge_logs(const struct pmon_logs *logs, const struct pmon_allocator *allocator,
		struct pmon_source **out, struct pmon_err *err)
{
	struct pmon_logs own;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), logs, err);
	struct merge *m;

	*out = NULL;
	if (status != PMON_OK)
		return status;
	if (is_too_many(own.n, err))
		return PMON_E_ARG;
	allocator = pmon_mem_allocator(allocator);
	m = new_merge(own.n, allocator);
	if (m == NULL)
		return pmon_err_nomem(err);
	m->logs = own;
	status = survey_logs(m, err);
	pmon_machines_give(&m->machines, &m->base.info);
	pmon_merge_sum_info(m);
	if (status != PMON_OK) {
		merge_close(&m->base);
		return status;
	}
	*out = &m->base;
	return PMON_OK;
}
