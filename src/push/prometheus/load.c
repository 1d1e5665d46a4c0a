// load.c - which counters a Prometheus has, and for what time
// SPDX-License-Identifier: MIT

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/scan.h"
#include "base/time.h"
#include "os/clock.h"
#include "push/prometheus/asking.h"

#define FAMILIES_AT_ONCE 50       // per request
#define CLOCK_UNKNOWN    10000000 // ticks per second: metrics are in seconds, so any clock will do

// ---- Is it there? ---------------------------------------------------------------------------

// It accepts samples at "/api/v1/write", and queries below "/api/v1".
static enum pmon_status
find_target(struct prom_engine *e, struct pmon_err *err)
{
	static const char write[] = "/api/v1/write";
	size_t len = strlen(e->target);
	size_t end = sizeof(write) - 1;

	if (len < end || strcmp(e->target + len - end, write) != 0)
		return pmon_err_set(
			err, PMON_E_ARG, 0,
			"this is a remote-write URL; to query, use prometheus+http://HOST:PORT");
	(void)snprintf(e->asking->target, sizeof(e->asking->target), "%.*s",
		       (int)(len - strlen("/write")), e->target);
	return PMON_OK;
}

// An instant query.
static enum pmon_status
ask_promql(struct prom_engine *e, const char *promql, json_t **root, json_t **result,
	   struct pmon_err *err)
{
	struct pmon_push_bytes form = {.n = 0};
	enum pmon_status status = PMON_OK;
	json_t *data = NULL;

	*root = *result = NULL;
	if (!pmon_prom_put_field(e, &form, "query", promql) ||
	    !pmon_prom_put_field(e, &form, "nocache",
				 "1")) // VictoriaMetrics omits the newest data
		status = pmon_err_nomem(err);
	if (status == PMON_OK)
		status = pmon_prom_ask(e, "query", (const char *)form.list, root, &data, err);
	pmon_push_free(&e->push, &form);
	*result = json_object_get(data, "result");
	return status;
}

// Before Prometheus 3, windows include both ends. Test what the server does, because others have
// different version numbers.
static enum pmon_status
learn_windows(struct prom_engine *e, struct pmon_err *err)
{
	json_t *root;
	json_t *result;
	enum pmon_status status =
		ask_promql(e, "count_over_time(vector(1)[10s:10s] @ 100000)", &root, &result, err);
	int64_t ms;
	double n;

	if (status == PMON_OK &&
	    pmon_prom_read_point(json_object_get(json_array_get(result, 0), "value"), &ms, &n))
		e->asking->is_half_open = n < 2;
	else if (status == PMON_OK)
		status = pmon_err_set(err, PMON_E_FORMAT, 0,
				      "%s did not return a valid Prometheus query result",
				      e->url.host);
	json_decref(root);
	return status;
}

enum pmon_status
pmon_prom_check(struct pmon_query *q, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)q->push;
	enum pmon_status status;

	e->asking = pmon_mem_alloc0(e->push.allocator, sizeof(*e->asking));
	if (e->asking == NULL)
		return pmon_err_nomem(err);
	pmon_arena_init(&e->asking->arena, e->push.allocator);
	e->asking->end_ms = (pmon_om_unix_ms(pmon_os_clocks().wall) + PROM_AHEAD_MS) / 1000 * 1000;
	status = find_target(e, err);
	return status == PMON_OK ? learn_windows(e, err) : status;
}

void
pmon_prom_asking_free(struct prom_engine *e)
{
	struct prom_asking *asking = e->asking;

	if (asking == NULL)
		return;
	pmon_arena_free(&asking->arena);
	pmon_mem_free(e->push.allocator, asking->families,
		      asking->families_cap * sizeof(*asking->families));
	pmon_mem_free(e->push.allocator, asking->series,
		      asking->series_cap * sizeof(*asking->series));
	pmon_mem_free(e->push.allocator, asking, sizeof(*asking));
}

// ---- Families -------------------------------------------------------------------------------

// All descriptions, as "function(DESCRIPTION[...] @ ...)".
static void
put_described(const struct prom_asking *asking, const char *function, char *buf, size_t size)
{
	(void)snprintf(buf, size, "%s(" OM_DESCRIPTION "[%llds] @ %lld)", function,
		       (long long)((asking->end_ms - PROM_BEGIN_MS) / 1000),
		       (long long)(asking->end_ms / 1000));
}

static struct om_family *
find_family(const struct prom_asking *asking, const char *name)
{
	for (size_t i = 0; i < asking->n_families; i++)
		if (strcmp(asking->families[i].names[OM_MAIN], name) == 0)
			return &asking->families[i];
	return NULL;
}

static bool
name_parts(struct prom_asking *asking, struct om_family *family, const char *name)
{
	for (int i = 0; i < OM_PARTS; i++) {
		char full[2 * OM_NAME_SIZE];
		struct pmon_span copy;

		if (family->plan.parts[i].from == OM_NOTHING)
			continue;
		(void)snprintf(full, sizeof(full), "%s%s", name, family->plan.parts[i].suffix);
		if (!pmon_arena_copy(&asking->arena, (struct pmon_span){full, strlen(full)}, &copy))
			return false;
		family->names[i] = copy.ptr;
	}
	return true;
}

// A text log displays percentages that are stored as ratios; what its counters count is unknown.
static void
plan_displayed(struct om_plan *plan, const char *name)
{
	static const char ratio[] = "_ratio";
	size_t len = strlen(name);

	if (plan->type->formula == PMON_FORMULA_DOUBLE && len >= sizeof(ratio) &&
	    strcmp(name + len - (sizeof(ratio) - 1), ratio) == 0)
		plan->parts[OM_MAIN].from = OM_RATIO;
}

// What pmon_om_plan_make() and the schema need for a counter.
struct described {
	const char *family;
	struct pmon_span object;
	struct pmon_span counter;
	const struct pmon_counter_type *type;
};

// Is this the name of a metric that pmon writes? It becomes part of a query, so anything else is
// rejected.
static bool
is_name(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

	return n > 0 && n < OM_NAME_SIZE && text[n] == '\0' && !pmon_is_digit(text[0]);
}

static bool
read_description(const json_t *metric, struct described *out)
{
	const char *object = json_string_value(json_object_get(metric, "object"));
	const char *counter = json_string_value(json_object_get(metric, "counter"));
	const char *type = json_string_value(json_object_get(metric, "type"));

	out->family = json_string_value(json_object_get(metric, "family"));
	if (object == NULL || counter == NULL || type == NULL || out->family == NULL ||
	    !is_name(out->family))
		return false;
	out->object = (struct pmon_span){object, strlen(object)};
	out->counter = (struct pmon_span){counter, strlen(counter)};
	out->type = pmon_type_by_name((struct pmon_span){type, strlen(type)});
	return out->type != NULL;
}

// The texts of the series are in the arena.
static enum pmon_status
add_family(struct prom_asking *asking, const struct pmon_allocator *allocator,
	   const struct described *described, struct pmon_err *err)
{
	struct pmon_series *series = pmon_arena_alloc(&asking->arena, sizeof(*series));
	struct om_family family = {.series = series};

	if (series == NULL ||
	    !pmon_arena_copy(&asking->arena, described->object, &series->path.object) ||
	    !pmon_arena_copy(&asking->arena, described->counter, &series->path.counter))
		return pmon_err_nomem(err);
	series->counter =
		(struct pmon_counter){.type = described->type->word, .time_base = CLOCK_UNKNOWN};
	if (!pmon_om_plan_make(series, &family.plan))
		return PMON_OK;
	plan_displayed(&family.plan, described->family);
	if (!name_parts(asking, &family, described->family) ||
	    !pmon_mem_grow(allocator, &asking->families, &asking->families_cap,
			   asking->n_families + 1, sizeof(family)))
		return pmon_err_nomem(err);
	asking->families[asking->n_families++] = family;
	return PMON_OK;
}

// Report a metric whose counter has different names in different logs.
static void
tell_two(const struct prom_engine *e, const struct described *described,
	 const struct om_family *known)
{
	char text[1024];

	(void)snprintf(text, sizeof(text),
		       "%s is %.*s in some logs and %.*s in others; showing it as the first",
		       described->family, (int)known->series->path.counter.len,
		       known->series->path.counter.ptr, (int)described->counter.len,
		       described->counter.ptr);
	pmon_push_tell(&e->push.options, false, text);
}

static enum pmon_status
take_family(struct prom_engine *e, const json_t *metric, pmon_query_want_fn want, void *ctx,
	    struct pmon_err *err)
{
	const struct om_family *known;
	struct described described;

	if (!read_description(metric, &described) ||
	    (want != NULL && !want(ctx, described.object, described.counter)))
		return PMON_OK;
	known = find_family(e->asking, described.family);
	if (known == NULL)
		return add_family(e->asking, e->push.allocator, &described, err);
	if (pmon_text_same(known->series->path.counter, described.counter))
		return PMON_OK;
	tell_two(e, &described, known);
	return PMON_OK;
}

static enum pmon_status
load_families(struct prom_engine *e, pmon_query_want_fn want, void *ctx, struct pmon_err *err)
{
	char described[256];
	char promql[384];
	json_t *root;
	json_t *result;
	enum pmon_status status;

	put_described(e->asking, "last_over_time", described, sizeof(described));
	(void)snprintf(promql, sizeof(promql), "group by (counter, family, object, type) (%s)",
		       described);
	status = ask_promql(e, promql, &root, &result, err);
	for (size_t i = 0; status == PMON_OK && i < json_array_size(result); i++)
		status = take_family(e, json_object_get(json_array_get(result, i), "metric"), want,
				     ctx, err);
	if (status == PMON_OK && json_array_size(result) == 0)
		pmon_push_tell(
			&e->push.options, false,
			"the server has no descriptions of counters; pmon push and pmon relog "
			"write them");
	json_decref(root);
	return status;
}

// ---- Series ---------------------------------------------------------------------------------

static enum pmon_status
ask_series(struct prom_engine *e, size_t begin, size_t end, json_t **root, json_t **list,
	   struct pmon_err *err)
{
	struct prom_asking *asking = e->asking;
	struct pmon_push_bytes form = {.n = 0};
	enum pmon_status status = PMON_OK;
	char text[OM_NAME_SIZE + 16];
	bool good;

	(void)snprintf(text, sizeof(text), "%lld", (long long)(PROM_BEGIN_MS / 1000));
	good = pmon_prom_put_field(e, &form, "start", text);
	(void)snprintf(text, sizeof(text), "%lld", (long long)(asking->end_ms / 1000));
	good = good && pmon_prom_put_field(e, &form, "end", text);
	for (size_t i = begin; good && i < end; i++) {
		const struct om_family *family = &asking->families[i];
		bool counts = pmon_om_is_counter(&family->plan.parts[OM_MAIN]);

		(void)snprintf(text, sizeof(text), "%s%s", family->names[OM_MAIN],
			       counts ? "_total" : "");
		good = pmon_prom_put_field(e, &form, "match[]", text);
	}
	*root = *list = NULL;
	if (!good)
		status = pmon_err_nomem(err);
	if (status == PMON_OK)
		status = pmon_prom_ask(e, "series", (const char *)form.list, root, list, err);
	pmon_push_free(&e->push, &form);
	return status;
}

// The family of a metric, whose name may end with "_total".
static struct om_family *
family_of(const struct prom_asking *asking, const json_t *metric)
{
	const char *name = json_string_value(json_object_get(metric, "__name__"));
	static const char total[] = "_total";
	char stem[2 * OM_NAME_SIZE];
	struct om_family *family;
	size_t len;

	if (name == NULL)
		return NULL;
	family = find_family(asking, name);
	len = strlen(name);
	if (family != NULL || len < sizeof(total) || len >= sizeof(stem))
		return family;
	memcpy(stem, name, len + 1);
	stem[len - (sizeof(total) - 1)] = '\0';
	return find_family(asking, stem);
}

// A series that is being added to the schema.
struct found {
	const struct om_family *family;
	struct prom_named named; // texts in the arena
};

static bool
copy_path(struct pmon_arena *arena, struct pmon_path *path)
{
	return pmon_arena_copy(arena, path->machine, &path->machine) &&
	       pmon_arena_copy(arena, path->object, &path->object) &&
	       pmon_arena_copy(arena, path->parent, &path->parent) &&
	       pmon_arena_copy(arena, path->instance, &path->instance);
}

// About the same order as in the other engines.
static int
by_path(const void *a, const void *b)
{
	const struct found *x = a;
	const struct found *y = b;
	int order = pmon_text_order(x->named.path.machine, y->named.path.machine);

	if (order == 0)
		order = pmon_text_order(x->named.path.object, y->named.path.object);
	if (order == 0)
		order = pmon_text_order(x->named.path.parent, y->named.path.parent);
	if (order == 0)
		order = pmon_text_order(x->named.path.instance, y->named.path.instance);
	if (order == 0)
		order = (x->named.path.index > y->named.path.index) -
			(x->named.path.index < y->named.path.index);
	if (order == 0)
		order = pmon_text_order(x->named.path.counter, y->named.path.counter);
	if (order == 0)
		order = (x->named.duplicate > y->named.duplicate) -
			(x->named.duplicate < y->named.duplicate);
	return order != 0 ? order : pmon_hash128_compare(x->named.others, y->named.others);
}

static enum pmon_status
add_found(struct pmon_query *q, const struct found *found, size_t most, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)q->push;
	struct prom_asking *asking = e->asking;
	uint32_t n = (uint32_t)pmon_schema_count(&q->schema);
	char key[PMON_HASH128_SIZE];
	enum pmon_status status;

	pmon_prom_key(found->family->names[OM_MAIN], &found->named, key);
	if (!pmon_mem_grow(e->push.allocator, &asking->series, &asking->series_cap, (size_t)n + 1,
			   sizeof(*asking->series)))
		return pmon_err_nomem(err);
	status = pmon_query_add(q, (struct pmon_span){key, strlen(key)}, &found->named.path,
				&found->family->series->counter, most, err);
	if (status == PMON_OK && pmon_schema_count(&q->schema) > n)
		asking->series[n] = (struct prom_chosen){
			(uint32_t)(found->family - asking->families), found->named.duplicate};
	return status;
}

struct founds {
	struct found *list;
	size_t n;
	size_t cap;
};

static enum pmon_status
take_series(struct prom_engine *e, const json_t *list, struct founds *founds, size_t most,
	    struct pmon_err *err)
{
	size_t n = json_array_size(list);

	if (founds->n + n > most)
		return pmon_schema_refuse(PMON_E_LIMIT, most, err);
	if (!pmon_mem_grow(e->push.allocator, &founds->list, &founds->cap, founds->n + n,
			   sizeof(*founds->list)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const json_t *metric = json_array_get(list, i);
		struct found found = {.family = family_of(e->asking, metric)};

		if (found.family == NULL)
			continue;
		pmon_prom_read_labels(metric, &found.named);
		found.named.path.counter = found.family->series->path.counter;
		if (!copy_path(&e->asking->arena, &found.named.path))
			return pmon_err_nomem(err);
		founds->list[founds->n++] = found;
	}
	return PMON_OK;
}

enum pmon_status
pmon_prom_load(struct pmon_query *q, pmon_query_want_fn want, void *ctx, size_t most,
	       struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)q->push;
	size_t begin = e->asking->n_families;
	struct founds founds = {.n = 0};
	enum pmon_status status = load_families(e, want, ctx, err);
	size_t end;

	for (; status == PMON_OK && begin < e->asking->n_families; begin = end) {
		json_t *root;
		json_t *list;

		end = e->asking->n_families - begin > FAMILIES_AT_ONCE ? begin + FAMILIES_AT_ONCE
								       : e->asking->n_families;
		status = ask_series(e, begin, end, &root, &list, err);
		if (status == PMON_OK)
			status = take_series(e, list, &founds, most, err);
		json_decref(root);
	}
	if (founds.n > 0)
		qsort(founds.list, founds.n, sizeof(*founds.list), by_path);
	for (size_t i = 0; status == PMON_OK && i < founds.n; i++)
		status = add_found(q, &founds.list[i], most, err);
	pmon_mem_free(e->push.allocator, founds.list, founds.cap * sizeof(*founds.list));
	return status;
}

// ---- Times ----------------------------------------------------------------------------------

// PMON_TIME_NONE if there is no data.
static enum pmon_status
ask_time(struct prom_engine *e, const char *aggregate, const char *function, pmon_time *out,
	 struct pmon_err *err)
{
	char described[256];
	char promql[384];
	json_t *root;
	json_t *result;
	enum pmon_status status;
	double seconds;
	int64_t ms;

	*out = PMON_TIME_NONE;
	put_described(e->asking, function, described, sizeof(described));
	(void)snprintf(promql, sizeof(promql), "%s(%s)", aggregate, described);
	status = ask_promql(e, promql, &root, &result, err);
	if (status == PMON_OK &&
	    pmon_prom_read_point(json_object_get(json_array_get(result, 0), "value"), &ms,
				 &seconds))
		*out = pmon_om_from_unix_ms((int64_t)(seconds * 1000 + 0.5));
	json_decref(root);
	return status;
}

enum pmon_status
pmon_prom_range(struct pmon_query *q, pmon_time *first, pmon_time *last, struct pmon_err *err)
{
	struct prom_engine *e = (struct prom_engine *)q->push;
	enum pmon_status status = ask_time(e, "min", "min_over_time", first, err);

	return status == PMON_OK ? ask_time(e, "max", "max_over_time", last, err) : status;
}
