// readline.c - one line of JSON as a value
// SPDX-License-Identifier: MIT
//
// The JSON itself is read by jansson. Integers may be numbers, or text where a number cannot hold
// them. Unknown keys are skipped.

#include "format/jsonl/jsonl.h"

#include <jansson.h>
#include <string.h>

#include "base/num.h"
#include "base/time.h"
#include "core/calc.h"

static enum pmon_status
bad(struct pmon_err *err, const char *key)
{
	return pmon_err_set(err, PMON_E_FORMAT, 0, "a line without a valid \"%s\"", key);
}

// ---- Members --------------------------------------------------------------------------------

static struct pmon_span
span_of(const json_t *text)
{
	return (struct pmon_span){json_string_value(text), json_string_length(text)};
}

// The text of a key; absent when there is none.
static struct pmon_span
text_of(const json_t *object, const char *key)
{
	return span_of(json_object_get(object, key));
}

// The bits of an integer of 64 bits, signed or not.
static bool
integer_of(const json_t *object, const char *key, int64_t *out)
{
	const json_t *member = json_object_get(object, key);
	uint64_t bits;

	*out = 0;
	if (json_is_integer(member)) {
		*out = json_integer_value(member);
		return true;
	}
	if (json_is_real(member) && json_real_value(member) >= -0x1p63 &&
	    json_real_value(member) < 0x1p63) {
		*out = (int64_t)json_real_value(member);
		return true;
	}
	if (!json_is_string(member))
		return false;
	if (pmon_num_parse_i64(span_of(member), out))
		return true;
	if (!pmon_num_parse_u64(span_of(member), &bits))
		return false;
	*out = (int64_t)bits;
	return true;
}

static int64_t
integer_or_0(const json_t *object, const char *key)
{
	int64_t n;

	return integer_of(object, key, &n) ? n : 0;
}

// An integer within bounds, else 0.
static int32_t
small_of(const json_t *object, const char *key, int32_t bound)
{
	int64_t n = integer_or_0(object, key);

	return n >= -bound && n <= bound ? (int32_t)n : 0;
}

static bool
flag_of(const json_t *object, const char *key)
{
	const json_t *member = json_object_get(object, key);

	return json_is_true(member) || integer_or_0(object, key) != 0;
}

// A time; null and a missing key give PMON_TIME_NONE. False for anything else, and for a time that
// no log can hold.
static bool
time_of(const json_t *object, const char *key, pmon_time *out)
{
	const json_t *member = json_object_get(object, key);

	*out = PMON_TIME_NONE;
	if (member == NULL || json_is_null(member))
		return true;
	if (!json_is_string(member) || !pmon_time_parse(span_of(member), 0, out))
		return false;
	if (pmon_time_is_sane(*out))
		return true;
	*out = PMON_TIME_NONE;
	return false;
}

// A type by its name or, where it has none, its word.
static bool
type_of(const json_t *object, const char *key, uint32_t *out)
{
	struct pmon_span text = text_of(object, key);

	*out = 0;
	return text.ptr != NULL && pmon_type_parse(text, out) != PMON_TYPE_FORM_NONE;
}

// ---- Values ---------------------------------------------------------------------------------

// A raw status by its name, or as a number, which may be in hexadecimal.
static uint32_t
raw_status_of(const json_t *object)
{
	struct pmon_span text = text_of(object, "status");
	uint32_t status;
	uint64_t number;

	if (text.ptr == NULL)
		return (uint32_t)integer_or_0(object, "status");
	if (pmon_num_parse_u64(text, &number) && number <= UINT32_MAX)
		return (uint32_t)number;
	(void)pmon_raw_status_by_name(text, &status);
	return status;
}

static enum pmon_status
take_raw(struct jsonl_line *line, const json_t *object, struct pmon_err *err)
{
	struct pmon_counter *counter = &line->counter;
	int64_t size = integer_or_0(object, "size");
	int64_t word;

	if (!type_of(object, "type", &counter->type))
		return bad(err, "type");
	if (integer_of(object, "type_word", &word))
		counter->type = (uint32_t)word;
	// The text of PERF_COUNTER_TEXT, which has no number.
	if (!integer_of(object, "first", &line->raw.first) &&
	    counter->type != PMON_PERF_COUNTER_TEXT)
		return bad(err, "first");
	line->raw.second = integer_or_0(object, "second");
	line->raw.multi = (uint32_t)integer_or_0(object, "multi");
	line->raw.status = raw_status_of(object);
	counter->time_base = integer_or_0(object, "time_base");
	counter->size_bytes = size == 4 || size == 8 ? (uint8_t)size : 0;
	counter->default_scale = small_of(object, "scale", INT32_MAX);
	line->formatted = flag_of(object, "formatted");
	line->type_known = type_of(object, "known_type", &line->known_type);
	return PMON_OK;
}

static bool
span_is(struct pmon_span text, const char *name)
{
	return text.len == strlen(name) && memcmp(text.ptr, name, text.len) == 0;
}

// A displayed value is kept as a number of its own type; one without a number is not usable.
static enum pmon_status
take_value(struct jsonl_line *line, const json_t *object, struct pmon_err *err)
{
	const json_t *member = json_object_get(object, "value");
	double number = json_number_value(member);
	// The text of PERF_COUNTER_TEXT, which has no number.
	bool is_text = json_is_string(member) &&
		       span_is(text_of(object, "status"), pmon_vstat_name(PMON_V_NOT_DISPLAYED));

	line->is_value = true;
	line->formatted = true;
	line->counter.type = PMON_PERF_DOUBLE_RAW;
	line->type_known = type_of(object, "known_type", &line->known_type);
	if (json_is_string(member) && !pmon_num_parse_double(span_of(member), &number) && !is_text)
		return bad(err, "value");
	if (member == NULL || json_is_null(member) || is_text)
		line->raw.status = PMON_RAW_INVALID;
	else if (!json_is_number(member) && !json_is_string(member))
		return bad(err, "value");
	memcpy(&line->raw.first, &number, sizeof(line->raw.first));
	return PMON_OK;
}

static void
take_parts(struct jsonl_line *line, const json_t *object)
{
	line->parts = (struct pmon_path){
		.machine = text_of(object, "machine"),
		.object = text_of(object, "object"),
		.parent = text_of(object, "parent"),
		.instance = text_of(object, "instance"),
		.index = small_of(object, "index", INT32_MAX),
		.counter = text_of(object, "counter"),
	};
	line->has_parts = line->parts.object.ptr != NULL && line->parts.counter.ptr != NULL &&
			  line->parts.index >= 0;
}

static void
take_info(struct jsonl_line *line, const json_t *object)
{
	line->writer = json_string_value(json_object_get(object, "log_writer"));
	line->converter = json_string_value(json_object_get(object, "log_converter"));
	line->sampled_by_pmon = flag_of(object, "log_sampled_by_pmon");
	line->machine = json_string_value(json_object_get(object, "log_machine"));
	line->machine_ids = json_object_get(object, "log_machine_ids");
	line->zone = json_string_value(json_object_get(object, "log_zone"));
	(void)time_of(object, "log_start", &line->log_start);
	(void)time_of(object, "log_end", &line->log_end);
}

static enum pmon_status
take_sample(struct jsonl_line *line, const json_t *object, struct pmon_err *err)
{
	int64_t n;

	if (!time_of(object, "time", &line->raw.time))
		return bad(err, "time");
	if (!time_of(object, "sample_time", &line->sample_time))
		return bad(err, "sample_time");
	if (line->sample_time == PMON_TIME_NONE)
		line->sample_time = line->raw.time;
	if (line->sample_time == PMON_TIME_NONE)
		return bad(err, "time");
	line->has_ordinal = integer_of(object, "sample", &n);
	line->ordinal = (uint64_t)n;
	line->stream = (uint32_t)integer_or_0(object, "stream");
	line->utc_offset_min = small_of(object, "utc_offset_min", 1440);
	line->lead_in = flag_of(object, "lead_in");
	line->place = integer_of(object, "line", &n) ? (uint64_t)n : 0;
	line->is_last = flag_of(object, "last");
	line->tells_last = flag_of(object, "log_last");
	return PMON_OK;
}

static enum pmon_status
take(struct jsonl_line *line, const json_t *object, struct pmon_err *err)
{
	enum pmon_status status;
	int64_t n;

	line->path = text_of(object, "path");
	if (line->path.ptr == NULL)
		return bad(err, "path");
	line->number = integer_of(object, "series", &n) ? (uint64_t)n : JSONL_NUMBER_NONE;
	line->has_order = integer_of(object, "order", &n);
	line->order = (uint64_t)n;
	line->wildcard = flag_of(object, "wildcard");
	take_parts(line, object);
	take_info(line, object);
	status = take_sample(line, object, err);
	if (status != PMON_OK)
		return status;
	if (json_object_get(object, "first") == NULL)
		return take_value(line, object, err);
	return take_raw(line, object, err);
}

// ---- The line -------------------------------------------------------------------------------

// Numbers that no integer holds are read as floating-point numbers, in a second try.
static json_t *
load(const char *text, size_t len, json_error_t *why)
{
	json_t *object = json_loadb(text, len, JSON_REJECT_DUPLICATES, why);

	if (object == NULL && json_error_code(why) == json_error_numeric_overflow)
		object = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
				    why);
	return object;
}

// jansson names whatever is wrong with a text, and mostly nothing when memory is short.
static bool
is_short_of_memory(const json_error_t *why)
{
	return json_error_code(why) == json_error_unknown ||
	       json_error_code(why) == json_error_out_of_memory;
}

enum pmon_status
pmon_jsonl_line_read(struct jsonl_line *line, const char *text, size_t len, struct pmon_err *err)
{
	json_error_t why = {.line = 0};
	json_t *object = load(text, len, &why);
	enum pmon_status status;

	*line = (struct jsonl_line){.document = object};
	if (object == NULL && is_short_of_memory(&why))
		return pmon_err_nomem(err);
	if (object == NULL)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a line is not JSON: %s", why.text);
	status = json_is_object(object) ? take(line, object, err) : bad(err, "path");
	if (status != PMON_OK)
		pmon_jsonl_line_free(line);
	return status;
}

bool
pmon_jsonl_line_machines(const struct jsonl_line *line, struct pmon_machines *machines)
{
	json_t *ids = (json_t *)line->machine_ids;
	const char *name;
	json_t *id;

	json_object_foreach(ids, name,
			    id) if (!pmon_machines_add(machines,
						       (struct pmon_span){name, strlen(name)},
						       span_of(id))) return false;
	return true;
}

void
pmon_jsonl_line_free(struct jsonl_line *line)
{
	json_decref(line->document);
	line->document = NULL;
}
