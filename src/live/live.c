// live.c - a running system as a source of samples
// SPDX-License-Identifier: MIT

#include "live/live.h"

#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/text.h"
#include "base/utf.h"

static const struct live_system *const systems[] = {
#if defined(PMON_LIVE_LINUX)
	&pmon_live_linux,
#elif defined(PMON_LIVE_WINDOWS)
	&pmon_live_windows,
#endif
	NULL,
};

static struct pmon_span
span(const char *text)
{
	return text == NULL ? (struct pmon_span){NULL, 0} : (struct pmon_span){text, strlen(text)};
}

// ---- The table of counters ------------------------------------------------------------------

bool
pmon_live_counter_at(size_t i, struct pmon_live_counter *out)
{
	const struct live_system *system = systems[0];

	*out = (struct pmon_live_counter){.object = NULL};
	for (size_t o = 0; system != NULL && o < system->n_objects; o++) {
		const struct live_object *object = system->objects[o];
		const struct live_counter *counter = &object->counters[i];

		if (i >= object->n_counters) {
			i -= object->n_counters;
			continue;
		}
		*out = (struct pmon_live_counter){
			.object = object->name,
			.object_help = object->help,
			.counter = counter->name,
			.type = counter->type,
			.default_scale = counter->scale,
			.instances = object->instances,
			.on_request = object->on_request,
			.unit = pmon_type_by_word(counter->type)->unit,
			.help = counter->help,
			.from = counter->from,
			.windows = counter->windows,
		};
		return true;
	}
	return false;
}

// ---- What is asked for ----------------------------------------------------------------------

static bool
is_asked(const struct live *live, const struct live_object *object,
	 const struct live_counter *counter)
{
	const struct pmon_select *select = live->options.select;

	if (select == NULL || pmon_select_count(select) == 0)
		return !object->on_request || live->options.everything;
	return (!object->on_request || pmon_select_names(select, span(object->name))) &&
	       pmon_select_could(select, span(object->name), span(counter->name));
}

static uint64_t
bit(unsigned field)
{
	return field < LIVE_FIELDS ? UINT64_C(1) << field : 0;
}

static enum pmon_status
ask(struct live *live, const struct live_object *object, struct live_asked *asked,
    struct pmon_err *err)
{
	asked->object = object;
	asked->columns =
		pmon_arena_alloc(&live->arena, object->n_counters * sizeof(*asked->columns));
	if (asked->columns == NULL)
		return pmon_err_nomem(err);
	for (size_t c = 0; c < object->n_counters; c++) {
		const struct live_counter *counter = &object->counters[c];

		if (!is_asked(live, object, counter))
			continue;
		asked->columns[asked->n++] = (struct live_column){
			.needs = bit(counter->field) | bit(counter->base),
			.second = pmon_type_by_word(counter->type)->second,
			.field = counter->field,
			.base = counter->base,
			.column = (uint8_t)c,
		};
		asked->fields |= bit(counter->field) | bit(counter->base);
	}
	return PMON_OK;
}

// The codes of two types say 32 bits although their counters hold 64: those of averages, on Windows too,
// and doubles, which need them.
static struct pmon_counter
counter_of(const struct live_counter *counter)
{
	bool is_wide =
		counter->type == PMON_PERF_AVERAGE_TIMER || counter->type == PMON_PERF_DOUBLE_RAW;
	struct pmon_type_fields fields;

	pmon_type_decode(counter->type, &fields);
	return (struct pmon_counter){.type = counter->type,
				     .size_bytes = fields.size == 0 && !is_wide ? 4 : 8,
				     .default_scale = counter->scale,
				     .time_base = LIVE_FREQ};
}

// The table of an object, with a column for each counter, requested or not.
static enum pmon_status
make_table(struct live *live, struct live_asked *asked, struct pmon_err *err)
{
	const struct live_object *object = asked->object;
	enum pmon_status status = pmon_tables_find(&live->tables, live->machine, span(object->name),
						   &asked->table, err);
	uint32_t column;

	if (status != PMON_OK)
		return status;
	pmon_table_begin(&live->tables, asked->table);
	for (size_t c = 0; status == PMON_OK && c < object->n_counters; c++) {
		struct pmon_counter counter = counter_of(&object->counters[c]);

		status = pmon_table_column(&live->tables, asked->table, (int64_t)c,
					   span(object->counters[c].name), &counter, &column, err);
	}
	return status;
}

static enum pmon_status
ask_all(struct live *live, struct pmon_err *err)
{
	const struct live_system *system = live->system;
	enum pmon_status status = PMON_OK;

	if (system->collect != NULL)
		return PMON_OK;
	live->asked = pmon_arena_alloc(&live->arena, system->n_objects * sizeof(*live->asked));
	if (live->asked == NULL)
		return pmon_err_nomem(err);
	pmon_tables_begin(&live->tables);
	for (size_t o = 0; status == PMON_OK && o < system->n_objects; o++) {
		status = ask(live, system->objects[o], &live->asked[o], err);
		if (status == PMON_OK && live->asked[o].n > 0)
			status = make_table(live, &live->asked[o], err);
	}
	return status;
}

// ---- Rows -----------------------------------------------------------------------------------

static void
clean(char *name, const char *from, const char *to)
{
	bool is_utf8 = pmon_utf8_valid(span(name));

	for (; *name != '\0'; name++) {
		const char *found = strchr(from, *name);
		unsigned char c = (unsigned char)*name;

		if (found != NULL)
			*name = to[found - from];
		else if (c < ' ' || c == 0x7F || (c >= 0x80 && !is_utf8))
			*name = '?';
	}
}

void
pmon_live_clean_name(char *name)
{
	clean(name, "()#/\\", "[]___");
}

void
pmon_live_clean_path(char *path)
{
	clean(path, "()#", "[]_");
}

// The second raw value: a clock or a field, depending on the type.
static int64_t
second_of(const struct live_column *column, const struct live_row *row)
{
	switch (column->second) {
	case PMON_SECOND_BASE:
		return row->field[column->base];
	case PMON_SECOND_100NS:
	case PMON_SECOND_TIMESTAMP:
	case PMON_SECOND_OBJECT:
		return row->stamp.time;
	case PMON_SECOND_PERFTIME:
		return row->stamp.perf_100ns;
	case PMON_SECOND_NONE:
		break;
	}
	return 0;
}

enum pmon_status
pmon_live_put_at(struct live *live, const struct live_asked *asked, struct pmon_table_row *place,
		 const struct live_row *row, struct pmon_err *err)
{
	struct pmon_raw raw = {.status = PMON_RAW_VALID, .multi = 1, .time = live->sample.time};
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && place != NULL && i < asked->n; i++) {
		const struct live_column *column = &asked->columns[i];

		if ((column->needs & ~row->present) != 0)
			continue;
		raw.first = row->field[column->field];
		raw.second = second_of(column, row);
		status = pmon_table_put(&live->tables, asked->table, place, column->column, &raw,
					err);
	}
	return status;
}

enum pmon_status
pmon_live_put(struct live *live, const struct live_asked *asked, const char *instance,
	      const struct live_row *row, struct pmon_err *err)
{
	struct pmon_table_row *place;
	enum pmon_status status = pmon_table_row(&live->tables, asked->table, span(NULL),
						 span(instance), &place, err);

	return status == PMON_OK ? pmon_live_put_at(live, asked, place, row, err) : status;
}

enum pmon_status
pmon_live_find(struct live *live, const struct live_asked *asked, struct pmon_span parent,
	       struct pmon_span instance, uint32_t number, struct pmon_table_row **out,
	       struct pmon_err *err)
{
	return pmon_table_row_at(&live->tables, asked->table, parent, instance, number, out, err);
}

uint64_t
pmon_live_fields(const struct live *live, const struct live_asked *asked, struct pmon_span parent,
		 struct pmon_span instance, uint32_t number)
{
	const struct pmon_select *select = live->options.select;
	struct pmon_path path = {live->machine, span(asked->object->name), parent,
				 instance,      (int32_t)number,           span(NULL)};
	uint64_t fields = 0;

	if (select == NULL || pmon_select_count(select) == 0)
		return asked->fields;
	for (size_t i = 0; i < asked->n; i++) {
		path.counter = span(asked->object->counters[asked->columns[i].column].name);
		if (pmon_select_matches(select, &path))
			fields |= asked->columns[i].needs;
	}
	return fields;
}

// ---- Samples --------------------------------------------------------------------------------

// An endless stream of new names, such as name_pid, must not stop the sampling of the others.
static void
tell_left_out(struct live *live)
{
	char text[128];
	struct pmon_text line = pmon_text_init(text, sizeof(text));
	struct pmon_notice notice = {.text = text};

	if (!live->tables.has_left_out || live->is_left_out_told)
		return;
	live->is_left_out_told = true;
	if (live->options.notice == NULL)
		return;
	pmon_text_str(&line, "no more than ");
	pmon_text_u64(&line, live->tables.limit);
	pmon_text_str(&line, " counters are being sampled: new instances are left out from now on");
	live->options.notice(live->options.notice_ctx, &notice);
}

static void
tell_missed(struct live *live)
{
	char text[96];
	struct pmon_text line = pmon_text_init(text, sizeof(text));
	struct pmon_notice notice = {.text = text};
	uint64_t missed = live->ticker.missed - live->missed_told;

	live->missed_told = live->ticker.missed;
	if (missed == 0 || live->options.notice == NULL)
		return;
	pmon_text_u64(&line, missed);
	pmon_text_str(&line, pmon_text_word(missed, " sample was", " samples were"));
	pmon_text_str(&line, " due and could not be taken: a gap");
	live->options.notice(live->options.notice_ctx, &notice);
}

enum pmon_status
pmon_live_wait(struct pmon_source *source, int wake_fd, struct pmon_err *err)
{
	struct live *live = (struct live *)source;
	enum pmon_status status;

	if (live->options.interval_100ns == 0 || live->is_due)
		return PMON_OK;
	status = pmon_ticker_wait(&live->ticker, wake_fd, err);
	if (status == PMON_OK) {
		live->is_due = true;
		tell_missed(live);
	}
	return status;
}

uint64_t
pmon_live_missed(const struct pmon_source *source)
{
	return ((const struct live *)source)->ticker.missed;
}

static enum pmon_status
collect(struct live *live, struct pmon_err *err)
{
	const struct live_system *system = live->system;
	enum pmon_status status = PMON_OK;

	if (system->collect != NULL)
		return system->collect(live, err);
	pmon_tables_begin(&live->tables);
	for (size_t o = 0; status == PMON_OK && o < system->n_objects; o++)
		if (live->asked[o].n > 0)
			status = system->objects[o]->collect(live, &live->asked[o], err);
	return status;
}

static enum pmon_status
take_sample(struct live *live, struct pmon_err *err)
{
	enum pmon_status status;

	live->is_short = false;
	status = live->system->begin(live, err);
	if (status == PMON_OK)
		status = collect(live, err);
	// When memory runs out, a collector skips values in the same way as for missing files.
	if (status == PMON_OK && live->is_short)
		status = pmon_err_nomem(err);
	tell_left_out(live);
	live->sample.perf_100ns = live->now.perf_100ns;
	live->sample.usual_100ns = live->options.interval_100ns;
	live->sample.series = live->tables.series;
	live->sample.raw = live->tables.raw;
	live->sample.n = live->tables.n;
	return status;
}

static enum pmon_status
live_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct live *live = (struct live *)source;
	enum pmon_status status = pmon_live_wait(source, -1, err);

	*sample = NULL;
	if (status == PMON_OK)
		status = take_sample(live, err);
	live->is_due = false;
	if (status != PMON_OK)
		return status;
	live->sample.ordinal = live->taken++;
	*sample = &live->sample;
	return PMON_OK;
}

static enum pmon_status
live_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)source;
	return pmon_err_set(err, PMON_E_STATE, 0, "live samples cannot be read twice");
}

static void
live_close(struct pmon_source *source)
{
	struct live *live = (struct live *)source;
	const struct pmon_allocator *allocator = live->given;

	if (live->system != NULL)
		live->system->close(live);
	pmon_ticker_close(&live->ticker);
	pmon_tables_free(&live->tables);
	pmon_schema_free(&live->source.schema);
	pmon_arena_free(&live->arena);
	pmon_mem_free(allocator, live, sizeof(*live));
}

static const struct pmon_source_ops live_ops = {live_next, live_rewind, live_close};

// ---- Opening --------------------------------------------------------------------------------

static enum pmon_status
open_live(struct live *live, struct pmon_err *err)
{
	enum pmon_status status = live->system->open(live, err);

	if (status != PMON_OK)
		return status;
	status = ask_all(live, err);
	if (status == PMON_OK && live->is_short)
		return pmon_err_nomem(err);
	if (status != PMON_OK || live->options.interval_100ns == 0)
		return status;
	return pmon_ticker_open(&live->ticker, live->options.interval_100ns, err);
}

static void *
note_alloc(void *ctx, size_t size)
{
	struct live *live = ctx;
	void *ptr = pmon_mem_alloc(live->given, size);

	live->is_short |= ptr == NULL;
	return ptr;
}

static void *
note_realloc(void *ctx, void *ptr, size_t old_size, size_t size)
{
	struct live *live = ctx;
	void *grown = live->given->realloc(live->given->ctx, ptr, old_size, size);

	live->is_short |= grown == NULL;
	return grown;
}

static void
pass_free(void *ctx, void *ptr, size_t size)
{
	const struct live *live = ctx;

	pmon_mem_free(live->given, ptr, size);
}

static struct live *
make_live(const struct live_system *system, const struct pmon_live_options *options)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_limits limits = pmon_limits_filled(&options->limits);
	struct live *live = pmon_mem_alloc0(allocator, sizeof(*live));

	if (live == NULL)
		return NULL;
	live->source.ops = &live_ops;
	live->given = allocator;
	live->noting = (struct pmon_allocator){note_alloc, note_realloc, pass_free, live};
	allocator = live->allocator = &live->noting;
	live->options = *options;
	live->system = system;
	pmon_arena_init(&live->arena, allocator);
	pmon_schema_init(&live->source.schema, allocator);
	live->tables = (struct pmon_tables){.allocator = allocator,
					    .schema = &live->source.schema,
					    .limit = limits.series,
					    .max_name = limits.string_bytes,
					    .wildcard = true,
					    .leave_out = true};
	if (options->select != NULL) {
		live->tables.want = pmon_select_want;
		live->tables.want_ctx = options->select;
	}
	pmon_tables_init(&live->tables);
	return live;
}

enum pmon_status
pmon_live_open_system(const struct live_system *system, const struct pmon_live_options *options,
		      struct pmon_source **source, struct pmon_err *err)
{
	struct pmon_live_options own;
	struct live *live;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);

	*source = NULL;
	if (status == PMON_OK)
		status = pmon_limits_check(&own.limits, err);
	if (status != PMON_OK)
		return status;
	if (own.interval_100ns < 0)
		return pmon_err_set(err, PMON_E_ARG, 0, "the interval is negative");
	live = make_live(system, &own);
	if (live == NULL)
		return pmon_err_nomem(err);
	status = open_live(live, err);
	if (status == PMON_OK)
		*source = &live->source;
	else
		live_close(&live->source);
	return status;
}

enum pmon_status
pmon_live_open(const struct pmon_live_options *options, struct pmon_source **source,
	       struct pmon_err *err)
{
	*source = NULL;
	if (systems[0] == NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "this build of pmon cannot sample this operating system");
	return pmon_live_open_system(systems[0], options, source, err);
}
