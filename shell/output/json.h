// json.h - incremental JSON writer
// SPDX-License-Identifier: MIT
//
// Used by the command and the web server. The rules are in docs/reference/cli.md: numbers in the
// shortest form that reads back as the same, integers above 2^53 as strings, null for missing
// values.
//
//	struct json json = {.stream = stdout};
//
//	json_open(&json, '{');
//	json_key(&json, "value"), json_double(&json, 0.15);
//	json_close(&json, '}');

#ifndef PMON_SHELL_OUTPUT_JSON_H
#define PMON_SHELL_OUTPUT_JSON_H

#include <stdio.h>

#include <pmon/pmon.h>

#include "query/statistics.h"

struct json {
	FILE *stream;
	int depth;
	bool comma[16];
};

void json_open(struct json *json, char bracket); // '{' or '['
void json_close(struct json *json, char bracket);
void json_key(struct json *json, const char *key);
void json_text(struct json *json, struct pmon_span text);
void json_joined(struct json *json, const struct pmon_span *texts, size_t n); // separated by blanks

// Write the keys "path", and "path_en" if the series has different English names. path is that of
// the series, or of its group.
void json_path(struct json *json, struct pmon_span path, const struct pmon_series *series);
void json_english(struct json *json, struct pmon_span path,
		  const struct pmon_series *series); // for the second
void json_str(struct json *json, const char *text);  // NULL: null
void json_double(struct json *json, double value);
void json_rounded(struct json *json, double value, int digits); // significant digits
void json_value(struct json *json, const struct pmon_value *value);
void json_i64(struct json *json, int64_t value);
void json_u64(struct json *json, uint64_t value);
void json_time(struct json *json, pmon_time t);
void json_type(struct json *json, uint32_t word); // the type's name, or the word in hexadecimal
void json_none(struct json *json);                // null; the name json_null() belongs to jansson
void json_bool(struct json *json, bool value);
void json_raw(struct json *json, struct pmon_span text); // a value that is JSON already

// The keys "samples_used" and "samples_empty".
void json_used(struct json *json, const struct pmon_used *used);

// The name of a type word, or the word in hexadecimal in hex.
const char *json_type_name(uint32_t word, char hex[16]);

// The type of a series; null if unknown.
void json_series_type(struct json *json, const struct pmon_series *series);

#endif
