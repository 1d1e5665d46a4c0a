// answer.c - requests to the HTTP API of Prometheus, which VictoriaMetrics also has, and their
// answers
// SPDX-License-Identifier: MIT

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "push/prometheus/asking.h"

#define ANSWER_MAX ((size_t)256 << 20)

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// ---- Requests -------------------------------------------------------------------------------

static bool
put_bytes(struct prom_engine *e, struct pmon_push_bytes *form, const char *text)
{
	size_t len = strlen(text);

	if (!pmon_mem_grow(e->push.allocator, &form->list, &form->cap, form->n + len + 1, 1))
		return false;
	memcpy(form->list + form->n, text, len + 1);
	form->n += len;
	return true;
}

bool
pmon_prom_put_field(struct prom_engine *e, struct pmon_push_bytes *form, const char *name,
		    const char *text)
{
	char *escaped = pmon_http_escape(e->http, span_of(text));
	bool good = escaped != NULL && (form->n == 0 || put_bytes(e, form, "&")) &&
		    put_bytes(e, form, name) && put_bytes(e, form, "=") &&
		    put_bytes(e, form, escaped);

	if (escaped != NULL)
		pmon_http_escape_free(e->http, escaped);
	return good;
}

enum pmon_status
pmon_prom_ask(struct prom_engine *e, const char *what, const char *form, json_t **root,
	      json_t **out, struct pmon_err *err)
{
	static const char *const headers[] = {"Content-Type: application/x-www-form-urlencoded",
					      NULL};
	char target[PROM_TARGET_SIZE + 32];
	struct pmon_http_request request = {.target = target,
					    .headers = form != NULL ? headers : NULL,
					    .body = form,
					    .body_len = form != NULL ? strlen(form) : 0,
					    .answer_max = ANSWER_MAX};
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	(void)snprintf(target, sizeof(target), "%s/%s", e->asking->target, what);
	status = pmon_http_ask(e->http, &request, &answer, err);
	*root = *out = NULL;
	if (status == PMON_E_LIMIT)
		return pmon_err_set(err, status, 0,
				    "the response is larger than 256 MiB; choose fewer counters "
				    "with -c, or a shorter time with --from and --to");
	if (status != PMON_OK)
		return status;
	*root = json_loadb(answer.ptr, answer.len, 0, NULL);
	*out = json_object_get(*root, "data");
	if (*out != NULL)
		return PMON_OK;
	json_decref(*root);
	*root = NULL;
	return pmon_err_set(err, PMON_E_FORMAT, 0, "%s%s is not a valid Prometheus response",
			    e->url.host, target);
}

// ---- Answers --------------------------------------------------------------------------------

static struct pmon_span
label(const json_t *metric, const char *name)
{
	const json_t *text = json_object_get(metric, name);

	if (!json_is_string(text) || json_string_length(text) == 0)
		return (struct pmon_span){NULL, 0};
	return (struct pmon_span){json_string_value(text), json_string_length(text)};
}

static uint64_t
label_number(const json_t *metric, const char *name)
{
	uint64_t n = 0;

	return pmon_num_parse_u64(label(metric, name), &n) ? n : 0;
}

// Not those that a path has, or that only descriptions have.
static bool
is_other(const char *name)
{
	static const char *const known[] = {"__name__", "counter", "duplicate", "family", "index",
					    "instance", "machine", "object",    "parent", "type"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i]) == 0)
			return false;
	return true;
}

// In whatever order they are.
static struct pmon_hash128
hash_others(const json_t *metric)
{
	struct pmon_hash128 all = {0, 0};
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)metric, name, value)
	{
		struct pmon_span text = label(metric, name);
		struct pmon_hash128 parts[2];
		struct pmon_hash128 one;

		if (text.len == 0 || !is_other(name))
			continue;
		parts[0] = pmon_hash128(name, strlen(name));
		parts[1] = pmon_hash128(text.ptr, text.len);
		one = pmon_hash128(parts, sizeof(parts));
		all.high ^= one.high;
		all.low ^= one.low;
	}
	return all;
}

void
pmon_prom_read_labels(const json_t *metric, struct prom_named *out)
{
	uint64_t index = label_number(metric, "index");

	*out = (struct prom_named){
		.path = {.machine = label(metric, "machine"),
			 .object = label(metric, "object"),
			 .parent = label(metric, "parent"),
			 .instance = label(metric, "instance"),
			 .index = index <= INT32_MAX ? (int32_t)index : 0},
		.duplicate = (uint32_t)label_number(metric, "duplicate"),
		.others = hash_others(metric),
	};
}

#define KEY_TEXTS 5

void
pmon_prom_key(const char *family, const struct prom_named *named, char key[PMON_HASH128_SIZE])
{
	const struct pmon_path *path = &named->path;
	const struct pmon_span texts[KEY_TEXTS] = {span_of(family), path->machine, path->object,
						   path->parent, path->instance};
	struct pmon_hash128 parts[KEY_TEXTS + 2] = {
		[KEY_TEXTS] = {(uint32_t)path->index, named->duplicate},
		[KEY_TEXTS + 1] = named->others};

	for (size_t i = 0; i < KEY_TEXTS; i++)
		parts[i] = pmon_hash128(texts[i].ptr, texts[i].len);
	pmon_hash128_print(pmon_hash128(parts, sizeof(parts)), key);
}

bool
pmon_prom_read_point(const json_t *pair, int64_t *ms, double *number)
{
	const json_t *time = json_array_get(pair, 0);
	const json_t *text = json_array_get(pair, 1);

	if (!json_is_number(time) || !json_is_string(text) ||
	    fabs(json_number_value(time)) > 1e12 ||
	    !pmon_num_parse_double(span_of(json_string_value(text)), number))
		return false;
	*ms = llround(json_number_value(time) * 1000);
	return isfinite(*number);
}
