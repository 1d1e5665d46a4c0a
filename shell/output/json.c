// json.c - incremental JSON writer
// SPDX-License-Identifier: MIT

#include "shell/output/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf.h"

#define DEPTHS (sizeof(((struct json *)0)->comma) / sizeof(bool))

static void
before(struct json *json)
{
	size_t depth = (size_t)json->depth % DEPTHS;

	if (json->comma[depth])
		putc(',', json->stream);
	json->comma[depth] = json->depth > 0;
}

void
json_open(struct json *json, char bracket)
{
	before(json);
	putc(bracket, json->stream);
	json->depth++;
	json->comma[(size_t)json->depth % DEPTHS] = false;
}

void
json_close(struct json *json, char bracket)
{
	putc(bracket, json->stream);
	json->depth--;
}

void
json_key(struct json *json, const char *key)
{
	before(json);
	fprintf(json->stream, "\"%s\":", key);
	json->comma[(size_t)json->depth % DEPTHS] = false;
}

// No comma before the value of a key, but before the next key.
static void
after(struct json *json)
{
	json->comma[(size_t)json->depth % DEPTHS] = json->depth > 0;
}

static bool
is_escaped(uint32_t c)
{
	return c == '"' || c == '\\' || ((c < 0x20 || c >= 0x7F) && pmon_utf_is_unsafe(c));
}

static void
escape(FILE *stream, uint32_t c)
{
	if (c == '"' || c == '\\') {
		// the most frequent case: paths are full of backslashes
		putc_unlocked('\\', stream);
		putc_unlocked((char)c, stream);
	} else if (c >= 0xDC80 && c <= 0xDCFF) { // an invalid UTF-8 byte
		fputs("\\ufffd", stream);
	} else {
		fprintf(stream, "\\u%04x", (unsigned)c);
	}
}

// Only one thread writes.
static void
add_escaped(struct json *json, struct pmon_span text)
{
	size_t written = 0;

	for (size_t pos = 0; pos < text.len;) {
		size_t at = pos;
		uint32_t c = pmon_utf_is_ascii(text.ptr[pos]) ? (uint32_t)text.ptr[pos++]
							      : pmon_utf8_next(text, &pos);

		if (!is_escaped(c))
			continue;
		fwrite(text.ptr + written, 1, at - written, json->stream);
		escape(json->stream, c);
		written = pos;
	}
	if (written < text.len)
		fwrite(text.ptr + written, 1, text.len - written, json->stream);
}

void
json_text(struct json *json, struct pmon_span text)
{
	json_joined(json, &text, 1);
}

void
json_joined(struct json *json, const struct pmon_span *texts, size_t n)
{
	before(json);
	putc_unlocked('"', json->stream);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			putc_unlocked(' ', json->stream);
		add_escaped(json, texts[i]);
	}
	putc_unlocked('"', json->stream);
	after(json);
}

void
json_str(struct json *json, const char *text)
{
	if (text == NULL)
		json_none(json);
	else
		json_text(json, (struct pmon_span){text, strlen(text)});
}

static void
plain(struct json *json, const char *text)
{
	before(json);
	fputs(text, json->stream);
	after(json);
}

void
json_english(struct json *json, struct pmon_span text, const struct pmon_series *series)
{
	const struct pmon_path *english = pmon_series_english(series);
	struct pmon_path path;
	char *buf;
	size_t size;

	if (english == &series->path || !pmon_path_parse(text, &path, NULL))
		return;
	path.object = english->object;
	path.counter = english->counter;
	size = pmon_path_format(&path, NULL, 0) + 1;
	buf = malloc(size);
	if (buf == NULL)
		return;
	pmon_path_format(&path, buf, size);
	json_key(json, "path_en"), json_text(json, (struct pmon_span){buf, size - 1});
	free(buf);
}

void
json_path(struct json *json, struct pmon_span path, const struct pmon_series *series)
{
	json_key(json, "path"), json_text(json, path);
	json_english(json, path, series);
}

void
json_none(struct json *json)
{
	plain(json, "null");
}

const char *
json_type_name(uint32_t word, char hex[16])
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);
	struct pmon_text t = pmon_text_init(hex, 16);

	if (type != NULL)
		return type->name;
	pmon_text_hex32(&t, word);
	return hex;
}

void
json_type(struct json *json, uint32_t word)
{
	char hex[16];

	json_str(json, json_type_name(word, hex));
}

void
json_series_type(struct json *json, const struct pmon_series *series)
{
	if (series->formatted && !series->type_known)
		json_none(json);
	else
		json_type(json, series->formatted ? series->known_type : series->counter.type);
}

void
json_raw(struct json *json, struct pmon_span text)
{
	before(json);
	fwrite(text.ptr, 1, text.len, json->stream);
	after(json);
}

void
json_bool(struct json *json, bool value)
{
	plain(json, value ? "true" : "false");
}

void
json_double(struct json *json, double value)
{
	char buf[PMON_NUM_SIZE];

	pmon_num_shortest(value, buf);
	plain(json, buf);
}

void
json_rounded(struct json *json, double value, int digits)
{
	char buf[PMON_NUM_SIZE];

	pmon_num_digits(value, digits, buf);
	plain(json, buf);
}

void
json_value(struct json *json, const struct pmon_value *value)
{
	if (pmon_vstat_has_value(value->status))
		json_double(json, value->value);
	else
		json_none(json);
}

// Integers that a double cannot represent become strings.
static void
integer(struct json *json, const struct pmon_text *digits, bool large)
{
	if (large)
		json_str(json, pmon_text_get(digits));
	else
		plain(json, pmon_text_get(digits));
}

void
json_i64(struct json *json, int64_t value)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_i64(&t, value);
	integer(json, &t, value > INT64_C(9007199254740992) || value < -INT64_C(9007199254740992));
}

void
json_u64(struct json *json, uint64_t value)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_u64(&t, value);
	integer(json, &t, value > UINT64_C(9007199254740992));
}

void
json_time(struct json *json, pmon_time t)
{
	char buf[PMON_TIME_SIZE];

	if (t == PMON_TIME_NONE) {
		json_none(json);
		return;
	}
	pmon_time_iso(t, buf);
	json_str(json, buf);
}

void
json_used(struct json *json, const struct pmon_used *used)
{
	json_key(json, "samples_used"), json_u64(json, used->samples);
	json_key(json, "samples_empty"), json_u64(json, used->empty);
}
