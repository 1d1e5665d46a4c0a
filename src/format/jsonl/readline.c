// readline.c - parse one line of JSON
// SPDX-License-Identifier: MIT
//
// Lines in pmon's own form are scanned; jansson parses all others. Integers may be numbers, or text
// if a number cannot represent them. Unknown keys are skipped.

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

// The text of a key; absent if it is missing.
static struct pmon_span
text_of(const struct jsonl_members *members, enum jsonl_key key)
{
	const struct jsonl_member *member = &members->list[key];

	return member->kind == JSONL_STRING ? member->text : (struct pmon_span){NULL, 0};
}

// The bits of a 64-bit integer, signed or unsigned.
static bool
integer_of(const struct jsonl_members *members, enum jsonl_key key, int64_t *out)
{
	const struct jsonl_member *member = &members->list[key];
	uint64_t bits;

	*out = 0;
	if (member->kind == JSONL_INTEGER) {
		*out = member->integer;
		return true;
	}
	if (member->kind == JSONL_REAL && member->real >= -0x1p63 && member->real < 0x1p63) {
		*out = (int64_t)member->real;
		return true;
	}
	if (member->kind != JSONL_STRING)
		return false;
	if (pmon_num_parse_i64(member->text, out))
		return true;
	if (!pmon_num_parse_u64(member->text, &bits))
		return false;
	*out = (int64_t)bits;
	return true;
}

static int64_t
integer_or_0(const struct jsonl_members *members, enum jsonl_key key)
{
	int64_t n;

	return integer_of(members, key, &n) ? n : 0;
}

// An integer within bounds, otherwise 0.
static int32_t
small_of(const struct jsonl_members *members, enum jsonl_key key, int32_t bound)
{
	int64_t n = integer_or_0(members, key);

	return n >= -bound && n <= bound ? (int32_t)n : 0;
}

static bool
flag_of(const struct jsonl_members *members, enum jsonl_key key)
{
	return members->list[key].kind == JSONL_TRUE || integer_or_0(members, key) != 0;
}

// A time; null and a missing key become PMON_TIME_NONE. False for anything else, and for a time
// outside the range of logs.
static bool
time_of(const struct jsonl_members *members, enum jsonl_key key, pmon_time *out)
{
	const struct jsonl_member *member = &members->list[key];

	*out = PMON_TIME_NONE;
	if (member->kind == JSONL_ABSENT || member->kind == JSONL_NULL)
		return true;
	if (member->kind != JSONL_STRING || !pmon_time_parse(member->text, 0, out))
		return false;
	if (pmon_time_is_sane(*out))
		return true;
	*out = PMON_TIME_NONE;
	return false;
}

// A type by name or, if it has none, by its word.
static bool
type_of(const struct jsonl_members *members, enum jsonl_key key, uint32_t *out)
{
	struct pmon_span text = text_of(members, key);

	*out = 0;
	return text.ptr != NULL && pmon_type_parse(text, out) != PMON_TYPE_FORM_NONE;
}

// ---- Values ---------------------------------------------------------------------------------

// A raw status by name or as a number, which may be hexadecimal.
static uint32_t
raw_status_of(const struct jsonl_members *members)
{
	struct pmon_span text = text_of(members, JSONL_STATUS);
	uint32_t status;
	uint64_t number;

	if (text.ptr == NULL)
		return (uint32_t)integer_or_0(members, JSONL_STATUS);
	if (pmon_num_parse_u64(text, &number) && number <= UINT32_MAX)
		return (uint32_t)number;
	(void)pmon_raw_status_by_name(text, &status);
	return status;
}

static enum pmon_status
take_raw(struct jsonl_line *line, const struct jsonl_members *members, struct pmon_err *err)
{
	struct pmon_counter *counter = &line->counter;
	int64_t size = integer_or_0(members, JSONL_SIZE);
	int64_t word;

	if (!type_of(members, JSONL_TYPE, &counter->type))
		return bad(err, "type");
	if (integer_of(members, JSONL_TYPE_WORD, &word))
		counter->type = (uint32_t)word;
	// PERF_COUNTER_TEXT has a text instead of a number.
	if (!integer_of(members, JSONL_FIRST, &line->raw.first) && !line->is_unused &&
	    counter->type != PMON_PERF_COUNTER_TEXT)
		return bad(err, "first");
	line->raw.second = integer_or_0(members, JSONL_SECOND);
	line->raw.multi = (uint32_t)integer_or_0(members, JSONL_MULTI);
	line->raw.status = raw_status_of(members);
	counter->time_base = integer_or_0(members, JSONL_TIME_BASE);
	counter->size_bytes = size == 4 || size == 8 ? (uint8_t)size : 0;
	counter->default_scale = small_of(members, JSONL_SCALE, INT32_MAX);
	line->formatted = flag_of(members, JSONL_FORMATTED);
	line->type_known = type_of(members, JSONL_KNOWN_TYPE, &line->known_type);
	return PMON_OK;
}

static bool
span_is(struct pmon_span text, const char *name)
{
	return text.len == strlen(name) && memcmp(text.ptr, name, text.len) == 0;
}

static double
number_of(const struct jsonl_member *member)
{
	if (member->kind == JSONL_INTEGER)
		return (double)member->integer;
	return member->kind == JSONL_REAL ? member->real : 0;
}

// Store a displayed value under the type for displayed values. Without a number it is unusable.
static enum pmon_status
take_value(struct jsonl_line *line, const struct jsonl_members *members, struct pmon_err *err)
{
	const struct jsonl_member *member = &members->list[JSONL_VALUE];
	double number = number_of(member);
	bool is_string = member->kind == JSONL_STRING;
	// PERF_COUNTER_TEXT has a text instead of a number.
	bool is_text = is_string && span_is(text_of(members, JSONL_STATUS),
					    pmon_vstat_name(PMON_V_NOT_DISPLAYED));

	line->is_value = true;
	line->formatted = true;
	line->counter.type = PMON_PERF_DOUBLE_RAW;
	line->type_known = type_of(members, JSONL_KNOWN_TYPE, &line->known_type);
	if (is_string && !pmon_num_parse_double(member->text, &number) && !is_text)
		return bad(err, "value");
	if (member->kind == JSONL_ABSENT || member->kind == JSONL_NULL || is_text)
		line->raw.status = PMON_RAW_INVALID;
	else if (member->kind == JSONL_TRUE || member->kind == JSONL_OTHER)
		return bad(err, "value");
	memcpy(&line->raw.first, &number, sizeof(line->raw.first));
	return PMON_OK;
}

static void
take_parts(struct jsonl_line *line, const struct jsonl_members *members)
{
	line->parts = (struct pmon_path){
		.machine = text_of(members, JSONL_MACHINE),
		.object = text_of(members, JSONL_OBJECT),
		.parent = text_of(members, JSONL_PARENT),
		.instance = text_of(members, JSONL_INSTANCE),
		.index = small_of(members, JSONL_INDEX, INT32_MAX),
		.counter = text_of(members, JSONL_COUNTER),
	};
	line->has_parts = line->parts.object.ptr != NULL && line->parts.counter.ptr != NULL &&
			  line->parts.index >= 0;
}

static void
take_info(struct jsonl_line *line, const struct jsonl_members *members)
{
	line->writer = text_of(members, JSONL_LOG_WRITER);
	line->converter = text_of(members, JSONL_LOG_CONVERTER);
	line->sampled_by_pmon = flag_of(members, JSONL_LOG_SAMPLED_BY_PMON);
	line->machine = text_of(members, JSONL_LOG_MACHINE);
	line->machine_ids = json_object_get(line->document, "log_machine_ids");
	line->zone = text_of(members, JSONL_LOG_ZONE);
	(void)time_of(members, JSONL_LOG_START, &line->log_start);
	(void)time_of(members, JSONL_LOG_END, &line->log_end);
}

static enum pmon_status
take_sample(struct jsonl_line *line, const struct jsonl_members *members, struct pmon_err *err)
{
	int64_t n;

	if (!time_of(members, JSONL_TIME, &line->raw.time))
		return bad(err, "time");
	if (!time_of(members, JSONL_SAMPLE_TIME, &line->sample_time))
		return bad(err, "sample_time");
	if (line->sample_time == PMON_TIME_NONE)
		line->sample_time = line->raw.time;
	if (line->sample_time == PMON_TIME_NONE)
		return bad(err, "time");
	line->has_ordinal = integer_of(members, JSONL_SAMPLE, &n);
	line->ordinal = (uint64_t)n;
	line->stream = (uint32_t)integer_or_0(members, JSONL_STREAM);
	line->utc_offset_min = small_of(members, JSONL_UTC_OFFSET_MIN, 1440);
	line->preceding = flag_of(members, JSONL_PRECEDING);
	return PMON_OK;
}

static void
take_place(struct jsonl_line *line, const struct jsonl_members *members)
{
	int64_t n;

	line->place = integer_of(members, JSONL_LINE, &n) ? (uint64_t)n : 0;
	line->is_last = flag_of(members, JSONL_LAST);
	line->tells_last = flag_of(members, JSONL_LOG_LAST);
}

static bool
has_no_value(const struct jsonl_members *members)
{
	return members->list[JSONL_FIRST].kind == JSONL_ABSENT &&
	       members->list[JSONL_VALUE].kind == JSONL_ABSENT;
}

static bool
has_no_sample(const struct jsonl_members *members)
{
	return members->list[JSONL_TIME].kind == JSONL_ABSENT &&
	       members->list[JSONL_SAMPLE].kind == JSONL_ABSENT &&
	       members->list[JSONL_SAMPLE_TIME].kind == JSONL_ABSENT;
}

static enum pmon_status
take_members(struct jsonl_line *line, const struct jsonl_members *members, struct pmon_err *err)
{
	enum pmon_status status;
	int64_t n;

	line->path = text_of(members, JSONL_PATH);
	if (line->path.ptr == NULL)
		return bad(err, "path");
	line->number = integer_of(members, JSONL_SERIES, &n) ? (uint64_t)n : JSONL_NUMBER_NONE;
	line->has_order = integer_of(members, JSONL_ORDER, &n);
	line->order = (uint64_t)n;
	line->wildcard = flag_of(members, JSONL_WILDCARD);
	take_parts(line, members);
	take_info(line, members);
	line->is_empty = line->path.len == 0 && has_no_value(members);
	line->is_unused = line->path.len > 0 && has_no_value(members) && has_no_sample(members);
	take_place(line, members);
	status = line->is_unused ? PMON_OK : take_sample(line, members, err);
	if (status != PMON_OK || line->is_empty)
		return status;
	if (members->list[line->is_unused ? JSONL_TYPE : JSONL_FIRST].kind == JSONL_ABSENT)
		return take_value(line, members, err);
	return take_raw(line, members, err);
}

// ---- The line -------------------------------------------------------------------------------

static struct pmon_span
span_of(const json_t *text)
{
	return (struct pmon_span){json_string_value(text), json_string_length(text)};
}

// Numbers that do not fit in an integer are parsed as floating-point numbers, in a second try.
static json_t *
load(const char *text, size_t len, json_error_t *why)
{
	json_t *object = json_loadb(text, len, JSON_REJECT_DUPLICATES, why);

	if (object == NULL && json_error_code(why) == json_error_numeric_overflow)
		object = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
				    why);
	return object;
}

// jansson explains every syntax error, but usually not that it ran out of memory.
static bool
is_short_of_memory(const json_error_t *why)
{
	return json_error_code(why) == json_error_unknown ||
	       json_error_code(why) == json_error_out_of_memory;
}

static struct jsonl_member
member_of(const json_t *json)
{
	struct jsonl_member member = {.kind = json != NULL ? JSONL_OTHER : JSONL_ABSENT};

	if (json_is_string(json)) {
		member.kind = JSONL_STRING;
		member.text = span_of(json);
	} else if (json_is_integer(json)) {
		member.kind = JSONL_INTEGER;
		member.integer = json_integer_value(json);
	} else if (json_is_real(json)) {
		member.kind = JSONL_REAL;
		member.real = json_real_value(json);
	} else if (json_is_null(json)) {
		member.kind = JSONL_NULL;
	} else if (json_is_true(json)) {
		member.kind = JSONL_TRUE;
	}
	return member;
}

static enum pmon_status
take_object(struct jsonl_line *line, const json_t *object, struct pmon_err *err)
{
	struct jsonl_members members;

	for (size_t i = 0; i < JSONL_KEYS; i++)
		members.list[i] = member_of(json_object_get(object, pmon_jsonl_keys[i].ptr));
	return take_members(line, &members, err);
}

enum pmon_status
pmon_jsonl_line_load(struct jsonl_line *line, const char *text, size_t len, struct pmon_err *err)
{
	json_error_t why = {.line = 0};
	json_t *object = load(text, len, &why);
	enum pmon_status status;

	*line = (struct jsonl_line){.document = object};
	if (object == NULL && is_short_of_memory(&why))
		return pmon_err_nomem(err);
	if (object == NULL)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a line is not JSON: %s", why.text);
	status = json_is_object(object) ? take_object(line, object, err) : bad(err, "path");
	if (status != PMON_OK)
		pmon_jsonl_line_free(line);
	return status;
}

enum pmon_status
pmon_jsonl_line_read(struct jsonl_line *line, char *text, size_t len, struct pmon_err *err)
{
	struct jsonl_members members;

	if (!pmon_jsonl_scan(&members, text, len))
		return pmon_jsonl_line_load(line, text, len, err);
	*line = (struct jsonl_line){.document = NULL};
	return take_members(line, &members, err);
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
