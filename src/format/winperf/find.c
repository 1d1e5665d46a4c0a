// find.c - find sections in an agent's output
// SPDX-License-Identifier: MIT
//
// The output is a sequence of sections, each with a header line in angle brackets:
//
//	<<<check_mk>>>               about the agent: "Version: 2.3.0", "Hostname: SRV"
//	<<<winperf_phydisk>>>        a performance object
//	<<<winperf_if:sep(44)>>>     the same name with options: fields are separated by commas, which
//	                             is another table that has no counters
//	<<<<srv2>>>>                 from here on about another machine; <<<<>>>> ends that

#include "format/winperf/winperf.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define LOOK_BYTES ((size_t)64 << 10)

// Iteration over the lines of a file.
struct lines {
	struct winperf *wp;
	struct pmon_file *file;
	size_t member;
	uint64_t offset; // of the next line
	enum pmon_status status;
	struct pmon_err *err;
};

struct line {
	uint64_t offset;
	struct pmon_span text; // its beginning, if it is very long
};

// ---- Lines ----------------------------------------------------------------------------------

// Load the bytes at lines->offset into the window, as many as fit. False at the end.
static bool
look(struct lines *lines, bool again)
{
	struct winperf *wp = lines->wp;
	bool inside = wp->look_member == lines->member && lines->offset >= wp->look_offset &&
		      lines->offset - wp->look_offset < wp->look_len;

	if (!inside || again) {
		wp->look_len = 0;
		wp->look_member = lines->member;
		wp->look_offset = lines->offset;
		lines->status = pmon_file_read(lines->file, lines->offset, wp->look, LOOK_BYTES,
					       &wp->look_len, lines->err);
	}
	return lines->status == PMON_OK && wp->look_len > 0;
}

static struct pmon_span
window(const struct lines *lines)
{
	const struct winperf *wp = lines->wp;
	size_t at = (size_t)(lines->offset - wp->look_offset);

	return (struct pmon_span){wp->look + at, wp->look_len - at};
}

// Skip the rest of a line longer than the window.
static void
skip_rest(struct lines *lines)
{
	while (look(lines, true)) {
		struct pmon_span w = window(lines);
		const char *end = memchr(w.ptr, '\n', w.len);

		lines->offset += end != NULL ? (size_t)(end - w.ptr) + 1 : w.len;
		if (end != NULL)
			break;
	}
}

// The next line, valid until the next call. False at the end and on failure.
static bool
next_line(struct lines *lines, struct line *out)
{
	struct pmon_span w;
	const char *end;

	if (!look(lines, false))
		return false;
	w = window(lines);
	end = memchr(w.ptr, '\n', w.len);
	if (end == NULL && w.len < LOOK_BYTES) {
		if (!look(lines, true))
			return false;
		w = window(lines);
		end = memchr(w.ptr, '\n', w.len);
	}
	out->offset = lines->offset;
	out->text = (struct pmon_span){w.ptr, end != NULL ? (size_t)(end - w.ptr) : w.len};
	lines->offset += out->text.len + (end != NULL);
	if (out->offset == 0 && pmon_winperf_starts(out->text, "\xEF\xBB\xBF")) {
		out->text.ptr += 3;
		out->text.len -= 3;
	}
	return true;
}

static bool
is_whole(const struct lines *lines, const struct line *line)
{
	return line->text.len < LOOK_BYTES || lines->offset >= pmon_file_size(lines->file);
}

// ---- Headers --------------------------------------------------------------------------------

// The text between n angle brackets on each side.
static bool
in_brackets(struct pmon_span line, size_t n, struct pmon_span *out)
{
	struct pmon_span word;

	if (!pmon_winperf_word(&line, &word) || word.len < 2 * n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (word.ptr[i] != '<' || word.ptr[word.len - 1 - i] != '>')
			return false;
	*out = (struct pmon_span){word.ptr + n, word.len - 2 * n};
	return true;
}

static bool
is_header(struct pmon_span line)
{
	struct pmon_span name;

	return in_brackets(line, 3, &name);
}

static bool
has_separator(struct pmon_span options)
{
	static const char word[] = "sep(";

	for (size_t i = 0; i + sizeof(word) - 1 <= options.len; i++)
		if (memcmp(options.ptr + i, word, sizeof(word) - 1) == 0)
			return true;
	return false;
}

static void
take_section(struct winperf_state *state, struct pmon_span name)
{
	static const char prefix[] = "winperf_";
	const char *colon = memchr(name.ptr, ':', name.len);
	struct pmon_span options = {NULL, 0};
	size_t n;

	if (colon != NULL) {
		options = (struct pmon_span){colon, name.len - (size_t)(colon - name.ptr)};
		name.len = (size_t)(colon - name.ptr);
	}
	state->where = WINPERF_OTHER;
	if (pmon_winperf_starts(name, "check_mk") && name.len == 8)
		state->where = WINPERF_HEAD;
	if (!pmon_winperf_starts(name, prefix) || has_separator(options))
		return;
	state->where = WINPERF_SECTION;
	n = name.len - (sizeof(prefix) - 1);
	if (n > sizeof(state->section) - 1)
		n = sizeof(state->section) - 1;
	memcpy(state->section, name.ptr + sizeof(prefix) - 1, n);
	state->section[n] = '\0';
}

// A header line. PMON_E_NOMEM, PMON_E_LIMIT.
static enum pmon_status
take_header(struct winperf *wp, struct winperf_state *state, struct pmon_span line,
	    struct pmon_err *err)
{
	struct pmon_span name;

	if (in_brackets(line, 4, &name)) {
		state->where = WINPERF_OTHER;
		state->machine = state->agent;
		return name.len > 0 ? pmon_winperf_machine(wp, name, &state->machine, err)
				    : PMON_OK;
	}
	if (in_brackets(line, 3, &name))
		take_section(state, name);
	return PMON_OK;
}

// A line about the agent.
static enum pmon_status
take_head(struct winperf *wp, struct winperf_state *state, struct pmon_span line,
	  struct pmon_err *err)
{
	struct pmon_span key, value;
	enum pmon_status status = PMON_OK;

	if (!pmon_winperf_word(&line, &key) || !pmon_winperf_word(&line, &value))
		return PMON_OK;
	if (pmon_winperf_starts(key, "Hostname:") && state->machine == state->agent) {
		status = pmon_winperf_machine(wp, value, &state->agent, err);
		state->machine = state->agent;
	}
	if (pmon_winperf_starts(key, "Version:") && wp->writer[0] == '\0')
		(void)snprintf(wp->writer, sizeof(wp->writer), "Checkmk agent %.*s",
			       (int)(value.len < WINPERF_NAME_SIZE ? value.len : 40), value.ptr);
	return status;
}

// ---- Probing --------------------------------------------------------------------------------

// The next line of the head of a file. False at its end.
static bool
head_line(struct pmon_span *rest, struct pmon_span *out)
{
	const char *end;

	if (rest->len == 0)
		return false;
	end = memchr(rest->ptr, '\n', rest->len);
	*out = (struct pmon_span){rest->ptr, end != NULL ? (size_t)(end - rest->ptr) : rest->len};
	rest->ptr += out->len + (end != NULL);
	rest->len -= out->len + (end != NULL);
	return true;
}

static bool
is_section_name(struct pmon_span name)
{
	for (size_t i = 0; i < name.len; i++)
		if ((uint8_t)name.ptr[i] <= ' ' || name.ptr[i] == '<' || name.ptr[i] == '>')
			return false;
	return name.len > 0;
}

// An agent's output begins with a header; the body of a section begins with a timestamp, then
// instances or a counter.
bool
pmon_winperf_probe(const uint8_t *head, size_t len)
{
	struct pmon_span rest = {(const char *)head, len};
	struct pmon_span line, name;
	struct winperf_stamp stamp;
	struct winperf_counter counter;
	size_t n;

	if (pmon_winperf_starts(rest, "\xEF\xBB\xBF")) {
		rest.ptr += 3;
		rest.len -= 3;
	}
	if (!head_line(&rest, &line))
		return false;
	if (in_brackets(line, 4, &name) || in_brackets(line, 3, &name))
		return is_section_name(name);
	return pmon_winperf_read_stamp(line, &stamp) && head_line(&rest, &line) &&
	       (pmon_winperf_read_instances(line, &n, &name) ||
		pmon_winperf_read_counter(line, &counter));
}

// ---- Sections -------------------------------------------------------------------------------

static bool
is_stamp(const struct lines *lines, const struct line *line, struct winperf_stamp *out)
{
	return is_whole(lines, line) && pmon_winperf_read_stamp(line->text, out);
}

// The end of the section that begins with the line.
static uint64_t
find_end(struct lines *lines)
{
	struct winperf_stamp stamp;
	struct line line;
	uint64_t end = lines->offset;

	while (next_line(lines, &line)) {
		if (is_header(line.text) || is_stamp(lines, &line, &stamp))
			return line.offset;
		if (!is_whole(lines, &line))
			skip_rest(lines);
		end = lines->offset;
	}
	return end;
}

static void
tell_lost(struct winperf *wp, const struct line *line)
{
	struct pmon_span text = line->text, word;

	if (pmon_winperf_word(&text, &word))
		pmon_report_loss(&wp->report, line->offset, line->text.len,
				 "a line of a section without a preceding time stamp");
}

// Examine a line that does not begin a section.
static enum pmon_status
take_line(struct winperf *wp, struct winperf_state *state, const struct line *line,
	  struct pmon_err *err)
{
	// The content of a section without a name is unknown.
	if (is_header(line->text) && memchr(line->text.ptr, '\0', line->text.len) != NULL)
		pmon_report_loss(&wp->report, line->offset, line->text.len,
				 "the head of a section is damaged");
	if (is_header(line->text))
		return take_header(wp, state, line->text, err);
	if (state->where == WINPERF_HEAD)
		return take_head(wp, state, line->text, err);
	if (state->where == WINPERF_SECTION)
		tell_lost(wp, line);
	return PMON_OK;
}

enum pmon_status
pmon_winperf_find(void *ctx, struct pmon_file *file, struct pmon_file_group_record *out,
		  struct pmon_err *err)
{
	struct winperf *wp = ctx;
	struct winperf_state *state = &wp->states[out->member];
	struct lines lines = {
		.wp = wp,
		.file = file,
		.member = out->member,
		.offset = out->offset,
		.err = err,
	};
	struct line line;

	if (out->offset == 0)
		*state = (struct winperf_state){.where = WINPERF_BARE};
	while (next_line(&lines, &line)) {
		bool in_section = state->where <= WINPERF_SECTION;
		enum pmon_status status;

		if (in_section && is_stamp(&lines, &line, &state->stamp)) {
			out->offset = line.offset;
			out->len = find_end(&lines) - line.offset;
			out->time = state->stamp.time;
			out->tie = 0;
			return lines.status;
		}
		status = take_line(wp, state, &line, err);
		if (status == PMON_OK && !is_whole(&lines, &line))
			skip_rest(&lines);
		if (status != PMON_OK)
			return status;
	}
	return lines.status != PMON_OK ? lines.status : PMON_END;
}
