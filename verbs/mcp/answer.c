// answer.c - what the server writes
// SPDX-License-Identifier: MIT

#include "verbs/mcp/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "os/dir.h"
#include "shell/output/clean.h"
#include "shell/output/stream.h"

#define WORD       (4 * 4096 + 3) // bytes of a quoted word
#define NOTES_MOST 20
#define TYPES_MOST 32

void
answer_begin(struct json *json, const char *id)
{
	*json = (struct json){.stream = stdout};
	json_open(json, '{');
	json_key(json, "jsonrpc"), json_str(json, "2.0");
	json_key(json, "id"), json_raw(json, (struct pmon_span){id, strlen(id)});
	json_key(json, "result");
}

void
answer_end(struct json *json)
{
	json_close(json, '}');
	putc('\n', json->stream);
	(void)fflush(json->stream);
}

void
answer_error(const char *id, int code, const char *why)
{
	struct json json = {.stream = stdout};
	const char *known = id != NULL ? id : "null";

	json_open(&json, '{');
	json_key(&json, "jsonrpc"), json_str(&json, "2.0");
	json_key(&json, "id"), json_raw(&json, (struct pmon_span){known, strlen(known)});
	json_key(&json, "error"), json_open(&json, '{');
	json_key(&json, "code"), json_i64(&json, code);
	json_key(&json, "message"), json_str(&json, why);
	json_close(&json, '}');
	answer_end(&json);
}

void
answer_nothing(const char *id)
{
	struct json json;

	answer_begin(&json, id);
	json_open(&json, '{');
	json_close(&json, '}');
	answer_end(&json);
}

// ---- Contents -----------------------------------------------------------------------------------

static void
put_text(struct json *json, struct pmon_span text)
{
	json_open(json, '{');
	json_key(json, "type"), json_str(json, "text");
	json_key(json, "text"), json_text(json, text);
	json_close(json, '}');
}

static void
open_content(struct json *json)
{
	json_open(json, '{');
	json_key(json, "content"), json_open(json, '[');
}

static void
close_content(struct json *json, bool is_failure)
{
	json_close(json, ']');
	json_key(json, "isError"), json_bool(json, is_failure);
	json_close(json, '}');
}

void
answer_failure(const char *id, const char *why)
{
	struct json json;

	answer_begin(&json, id);
	open_content(&json);
	put_text(&json, (struct pmon_span){why, strlen(why)});
	close_content(&json, true);
	answer_end(&json);
}

// The answer as structured content, and as a text for clients that read only texts.
static void
put_structured(const char *id, struct pmon_span text)
{
	struct json json;

	answer_begin(&json, id);
	open_content(&json);
	put_text(&json, text);
	json_close(&json, ']');
	json_key(&json, "structuredContent"), json_raw(&json, text);
	json_key(&json, "isError"), json_bool(&json, false);
	json_close(&json, '}');
	answer_end(&json);
}

// ---- Where an answer comes from -----------------------------------------------------------------

// The command that gives the same answer.
static void
put_command(struct json *json, const struct tool_call *call)
{
	char *text = NULL;
	size_t len = 0;
	FILE *stream = text_stream_open(&text, &len);

	if (stream != NULL) {
		fputs("pmon", stream);
		for (size_t i = 0; i < call->n; i++) {
			char word[WORD];
			struct pmon_text t = pmon_text_init(word, sizeof(word));

			out_put_word(&t, call->shown[i]);
			fprintf(stream, " %s", word);
		}
	}
	if (stream == NULL || !text_stream_close(stream, &text))
		len = 0;
	json_text(json, (struct pmon_span){text, len});
	free(text);
}

static void
put_logs(struct json *json, const struct tool_call *call)
{
	json_open(json, '[');
	for (size_t i = call->n - call->n_logs; i < call->n; i++)
		json_str(json, call->shown[i]);
	json_close(json, ']');
}

static void
put_notes(struct json *json, const char *said, const char *more)
{
	size_t n = 0;

	json_open(json, '[');
	if (more != NULL)
		json_str(json, more);
	for (const char *line = said; *line != '\0' && n < NOTES_MOST; n++) {
		size_t len = strcspn(line, "\n");

		json_text(json, (struct pmon_span){line, len});
		line += len + (line[len] == '\n');
	}
	json_close(json, ']');
}

// ---- Rows ---------------------------------------------------------------------------------------

static void
put_page(struct json *json, uint64_t offset, uint64_t n, uint64_t next, const uint64_t *total)
{
	json_open(json, '{');
	json_key(json, "offset"), json_u64(json, offset);
	json_key(json, "rows"), json_u64(json, n);
	json_key(json, "total");
	if (total != NULL)
		json_u64(json, *total);
	else
		json_none(json);
	json_key(json, "next_offset");
	if (next > 0)
		json_u64(json, next);
	else
		json_none(json);
	json_close(json, '}');
}

static void
put_type(struct json *json, const struct pmon_counter_type *type)
{
	json_open(json, '{');
	json_key(json, "type"), json_str(json, type->name);
	json_key(json, "formula"), json_str(json, type->formula_text);
	json_key(json, "average"), json_str(json, type->average_text);
	json_key(json, "source"), json_str(json, type->source);
	json_close(json, '}');
}

// Find the types in the rows. Quotation marks within texts are escaped, so any other belongs to a member.
static void
put_types(struct json *json, const struct slice *rows)
{
	static const char key[] = "\"type\":\"";
	const struct pmon_counter_type *seen[TYPES_MOST];
	const char *at = rows->page.ptr;
	const char *end = at + rows->page.len;
	size_t n = 0;

	json_open(json, '[');
	for (; at != NULL && n < TYPES_MOST && (size_t)(end - at) >= sizeof(key); at++) {
		const struct pmon_counter_type *type;
		size_t len = 0;
		size_t i = 0;

		if (memcmp(at, key, sizeof(key) - 1) != 0 || at[-1] == '\\')
			continue;
		at += sizeof(key) - 1;
		while (at + len < end && at[len] != '"')
			len++;
		type = pmon_type_by_name((struct pmon_span){at, len});
		while (i < n && seen[i] != type)
			i++;
		if (type == NULL || i < n)
			continue;
		seen[n++] = type;
		put_type(json, type);
	}
	json_close(json, ']');
}

static void
put_rows(struct json *json, const struct tool_call *call, const struct slice *rows,
	 const char *said)
{
	bool is_counted = !rows->is_over;

	json_open(json, '{');
	json_key(json, "command"), put_command(json, call);
	json_key(json, "logs"), put_logs(json, call);
	json_key(json, "page");
	put_page(json, rows->offset, rows->kept, slice_next(rows), is_counted ? &rows->seen : NULL);
	json_key(json, "rows"), json_open(json, '[');
	if (rows->page.len > 0)
		json_raw(json, (struct pmon_span){rows->page.ptr, rows->page.len});
	json_close(json, ']');
	json_key(json, "about"), json_open(json, '{');
	if (rows->members.len > 0)
		json_raw(json, (struct pmon_span){rows->members.ptr, rows->members.len});
	json_close(json, '}');
	json_key(json, "types"), put_types(json, rows);
	json_key(json, "notes"),
		put_notes(json, said,
			  rows->lost_member ? "a part of about was left out because it is large"
					    : NULL);
	json_close(json, '}');
}

// Write an object to memory, then as an answer.
static bool
begin_object(struct json *json, char **text, size_t *len)
{
	*json = (struct json){.stream = text_stream_open(text, len)};
	return json->stream != NULL;
}

static void
end_object(const char *id, struct json *json, char **text, const size_t *len)
{
	// On one line, as the whole message is.
	bool good = text_stream_close(json->stream, text);

	for (size_t i = 0; good && i < *len; i++)
		if ((*text)[i] == '\n' || (*text)[i] == '\r')
			(*text)[i] = ' ';
	if (good)
		put_structured(id, (struct pmon_span){*text, *len});
	else
		answer_error(id, ERROR_INTERNAL, "not enough memory");
	free(*text);
}

void
answer_rows(const char *id, const struct tool_call *call, const struct slice *rows,
	    const char *said)
{
	struct json json;
	char *text = NULL;
	size_t len = 0;

	if (!begin_object(&json, &text, &len)) {
		answer_error(id, ERROR_INTERNAL, "not enough memory");
		return;
	}
	put_rows(&json, call, rows, said);
	end_object(id, &json, &text, &len);
}

// ---- Logs ---------------------------------------------------------------------------------------

static void
put_log(struct json *json, const struct folders_log *log)
{
	struct pmon_os_stat stat = pmon_os_stat(log->real, false);

	json_open(json, '{');
	json_key(json, "log"), json_str(json, log->name);
	json_key(json, "size_bytes"), json_u64(json, stat.size);
	json_key(json, "modified"), json_time(json, stat.modified);
	json_close(json, '}');
}

void
answer_logs(const char *id, const struct tool_call *call, const struct folders *folders)
{
	struct folders_logs logs;
	struct json json;
	char *text = NULL;
	size_t len = 0;
	uint64_t offset = call->offset;
	uint64_t end;
	uint64_t total;

	if (!folders_logs(folders, &logs) || !begin_object(&json, &text, &len)) {
		folders_logs_free(&logs);
		answer_error(id, ERROR_INTERNAL, "not enough memory");
		return;
	}
	total = logs.n;
	offset = offset < total ? offset : total;
	end = total - offset > call->rows ? offset + call->rows : total;
	json_open(&json, '{');
	json_key(&json, "command"), json_str(&json, "");
	json_key(&json, "logs"), put_logs(&json, call);
	json_key(&json, "page");
	put_page(&json, call->offset, end - offset, end < total ? end : 0, &total);
	json_key(&json, "rows"), json_open(&json, '[');
	for (uint64_t i = offset; i < end; i++)
		put_log(&json, &logs.list[i]);
	json_close(&json, ']');
	json_key(&json, "about"), json_open(&json, '{');
	json_close(&json, '}');
	json_key(&json, "types"), json_open(&json, '[');
	json_close(&json, ']');
	json_key(&json, "notes");
	put_notes(&json, "", logs.is_cut ? "there are more folders or logs than are listed" : NULL);
	json_close(&json, '}');
	end_object(id, &json, &text, &len);
	folders_logs_free(&logs);
}

// ---- Pictures -----------------------------------------------------------------------------------

static void
put_base64(FILE *stream, const uint8_t *bytes, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t three = (uint32_t)bytes[i] << 16;

		three |= i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0;
		three |= i + 2 < n ? bytes[i + 2] : 0;
		putc(digits[three >> 18], stream);
		putc(digits[three >> 12 & 63], stream);
		putc(i + 1 < n ? digits[three >> 6 & 63] : '=', stream);
		putc(i + 2 < n ? digits[three & 63] : '=', stream);
	}
}

static void
put_picture(struct json *json, const uint8_t *bytes, size_t n)
{
	json_open(json, '{');
	json_key(json, "type"), json_str(json, "image");
	json_key(json, "mimeType"), json_str(json, "image/png");
	json_key(json, "data"), json_raw(json, (struct pmon_span){"\"", 1});
	put_base64(json->stream, bytes, n);
	putc('"', json->stream);
	json_close(json, '}');
}

// The command and the logs of the picture follow as a text.
void
answer_picture(const char *id, const struct tool_call *call, const uint8_t *bytes, size_t n,
	       const char *said)
{
	struct json json;
	struct json source;
	char *text = NULL;
	size_t len = 0;

	if (!begin_object(&source, &text, &len)) {
		answer_error(id, ERROR_INTERNAL, "not enough memory");
		return;
	}
	json_open(&source, '{');
	json_key(&source, "command"), put_command(&source, call);
	json_key(&source, "logs"), put_logs(&source, call);
	json_key(&source, "notes"), put_notes(&source, said, NULL);
	json_close(&source, '}');
	if (!text_stream_close(source.stream, &text))
		len = 0;
	answer_begin(&json, id);
	open_content(&json);
	put_picture(&json, bytes, n);
	put_text(&json, (struct pmon_span){text, len});
	close_content(&json, false);
	answer_end(&json);
	free(text);
}
