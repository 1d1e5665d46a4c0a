// series.c - a series as JSON
// SPDX-License-Identifier: MIT

#include "web/series.h"

#include <stdlib.h>
#include <string.h>

#include "draw/unit.h"
#include "shell/output/explain_json.h"

const struct pmon_series **
series_all(struct call *call, struct set *set, size_t *n)
{
	const struct pmon_schema *schema = store_schema(set->store);
	const struct pmon_series **list;

	store_lock(set->store);
	*n = pmon_schema_count(schema);
	list = calloc(*n + 1, sizeof(const struct pmon_series *));
	if (list != NULL)
		pmon_schema_in_order(schema, list);
	store_unlock(set->store);
	if (list == NULL)
		call_no_memory(call);
	return list;
}

static void
put_part(struct json *json, struct pmon_span part)
{
	if (part.ptr == NULL)
		json_none(json);
	else
		json_text(json, part);
}

// perfmon multiplies by the power of ten that the provider suggests.
static double
scale_of(const struct pmon_series *series)
{
	static const double powers[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1,
					1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7};
	int32_t n = series->counter.default_scale;

	return n >= -7 && n <= 7 ? powers[n + 7] : 1;
}

static void
put_keys(struct json *json, const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);
	struct draw_unit unit = draw_unit_of(series);

	json_key(json, "id"), json_u64(json, series->id);
	json_path(json, series->name, series);
	json_key(json, "machine"), put_part(json, series->path.machine);
	json_key(json, "object"), put_part(json, series->path.object);
	json_key(json, "parent"), put_part(json, series->path.parent);
	json_key(json, "instance"), put_part(json, series->path.instance);
	json_key(json, "index"), json_i64(json, series->path.index);
	json_key(json, "counter"), put_part(json, series->path.counter);
	json_key(json, "type"), json_series_type(json, series);
	json_key(json, "unit"), json_str(json, pmon_series_unit(series));
	json_key(json, "hex"), json_bool(json, pmon_type_is_hex(type));
	json_key(json, "scale"), json_double(json, scale_of(series));
	json_key(json, "average_kind"),
		json_str(json, pmon_average_kind_name(pmon_series_average_kind(series)));
	json_key(json, "displayed"), json_bool(json, pmon_type_is_displayed(series->counter.type));
	json_key(json, "quantity"), json_str(json, draw_quantity_name(unit.quantity));
	json_key(json, "factor"), json_double(json, unit.factor);
}

void
series_put(struct json *json, const struct pmon_series *series)
{
	json_open(json, '{');
	put_keys(json, series);
	json_close(json, '}');
}

// ---- Explanations ---------------------------------------------------------------------------

static bool
is(const char *name, struct pmon_span text)
{
	return pmon_text_same((struct pmon_span){name, strlen(name)}, text);
}

// The counter as this build samples it. counter NULL: any counter of the object.
static bool
find_known(struct pmon_span object, struct pmon_span counter, struct pmon_live_counter *out)
{
	for (size_t i = 0; pmon_live_counter_at(i, out); i++)
		if (is(out->object, object) && (counter.ptr == NULL || is(out->counter, counter)))
			return true;
	return false;
}

static const char *
text_or_null(const char *text)
{
	return text[0] != '\0' ? text : NULL;
}

const char *
series_object_help(struct pmon_span object)
{
	struct pmon_live_counter known;

	if (!find_known(object, (struct pmon_span){NULL, 0}, &known))
		return NULL;
	return text_or_null(known.object_help);
}

const char *
series_counter_help(struct pmon_span object, struct pmon_span counter)
{
	const struct pmon_path path = {.object = object, .counter = counter};
	struct pmon_live_counter known;
	struct pmon_counter_help help;

	if (find_known(object, counter, &known))
		return text_or_null(known.help);
	return explain_help(&path, &help) ? help.text : NULL;
}

const struct pmon_live_counter *
series_origin(struct set *set, const struct pmon_series *series, struct pmon_live_counter *buf)
{
	bool known = set_facts(set).info.live &&
		     find_known(series->path.object, series->path.counter, buf);

	return known ? buf : NULL;
}

void
series_put_details(struct json *json, const struct pmon_series *series, bool live)
{
	const struct pmon_counter_type *type = pmon_series_type(series);
	struct pmon_counter_help help;
	struct pmon_live_counter known;
	bool is_known = find_known(series->path.object, series->path.counter, &known);
	bool has_help = !(live && is_known) && explain_help(pmon_series_english(series), &help);

	json_open(json, '{');
	put_keys(json, series);
	json_key(json, "help"), json_str(json, has_help   ? help.text
					       : is_known ? text_or_null(known.help)
							  : NULL);
	json_key(json, "from"), json_str(json, live && is_known ? text_or_null(known.from) : NULL);
	json_key(json, "windows"),
		json_str(json, live && is_known ? text_or_null(known.windows) : NULL);
	json_key(json, "type_meaning"), json_str(json, type != NULL ? type->meaning : NULL);
	json_key(json, "formula"), json_str(json, type != NULL ? type->formula_text : NULL);
	json_key(json, "average_formula"), json_str(json, type != NULL ? type->average_text : NULL);
	json_close(json, '}');
}
