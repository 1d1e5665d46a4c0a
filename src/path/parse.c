// parse.c - parse counter paths and patterns
// SPDX-License-Identifier: MIT

#include "base/scan.h"
#include "path/split.h"
#include "path/wellknown.h"

struct parser {
	struct pmon_span text;
	size_t at;
	bool is_pattern;
	struct pmon_path_error error;
};

static bool
refuse(struct parser *p, size_t at, const char *why)
{
	p->error = (struct pmon_path_error){at, why};
	return false;
}

static struct pmon_span
between(const struct parser *p, size_t start, size_t end)
{
	return (struct pmon_span){p->text.ptr + start, end - start};
}

static bool
is_at(const struct parser *p, size_t at, char c)
{
	return at < p->text.len && p->text.ptr[at] == c;
}

static bool
parse_machine(struct parser *p, struct pmon_span *out)
{
	size_t start = p->at;

	while (p->at < p->text.len && p->text.ptr[p->at] != '\\')
		p->at++;
	if (p->at == start)
		return refuse(p, start, "the machine name is empty");
	if (p->at == p->text.len)
		return refuse(p, p->at, "no object follows the machine name");
	*out = between(p, start, p->at);
	p->at++;
	return true;
}

// Parse the leading backslashes and, if there are two, the machine.
static bool
parse_start(struct parser *p, struct pmon_span *machine_out)
{
	if (p->text.len == 0)
		return refuse(p, 0, "the path is empty");
	if (!is_at(p, 0, '\\')) {
		if (!p->is_pattern)
			return refuse(p, 0, "a path begins with '\\'");
		return true;
	}
	p->at = 1;
	if (!is_at(p, 1, '\\'))
		return true;
	p->at = 2;
	return parse_machine(p, machine_out);
}

static bool
parse_object(struct parser *p, struct pmon_span *out)
{
	size_t start = p->at;

	while (p->at < p->text.len && p->text.ptr[p->at] != '\\' && p->text.ptr[p->at] != '(')
		p->at++;
	if (p->at == p->text.len)
		return refuse(p, p->at,
			      p->is_pattern ? "no counter follows the object; \"object\\*\" is all "
					      "of them, \"object(*)\\*\" with their instances"
					    : "no counter follows the object");
	if (p->at == start)
		return refuse(p, start, "the object name is empty");
	*out = between(p, start, p->at);
	return true;
}

// After the '(' of the instance: find the ')' that ends it. There is no escape character, so it is
// the first one that is followed by a backslash and not inside another pair of parentheses.
static bool
find_instance_end(const struct parser *p, size_t start, size_t *end_out)
{
	size_t opened = 0;

	for (size_t i = start; i < p->text.len; i++) {
		if (p->text.ptr[i] == '(')
			opened++;
		if (p->text.ptr[i] != ')')
			continue;
		if (opened == 0 && is_at(p, i + 1, '\\')) {
			*end_out = i;
			return true;
		}
		opened -= opened > 0;
	}
	return false;
}

// Parse the digits of an index. It must print the same again: "01" and numbers that are too large
// are part of the name.
static bool
read_index(struct pmon_span digits, int32_t *out)
{
	struct pmon_scan s = pmon_scan_init(digits);
	uint64_t n;

	if (digits.len > 1 && digits.ptr[0] == '0')
		return false;
	if (!pmon_scan_u64(&s, &n) || s.at != s.end || n > INT32_MAX)
		return false;
	*out = (int32_t)n;
	return true;
}

// Does the instance end in an index? If so, where is its '#'?
static bool
find_index(const struct parser *p, struct pmon_span instance, size_t *mark_out, int32_t *index_out)
{
	size_t start = instance.len;
	struct pmon_span tail;

	while (start > 0 && instance.ptr[start - 1] != '#')
		start--;
	if (start == 0)
		return false;
	*mark_out = start - 1;
	tail = (struct pmon_span){instance.ptr + start, instance.len - start};
	if (p->is_pattern && tail.len == 1 && tail.ptr[0] == '*') {
		*index_out = PMON_INDEX_ANY;
		return true;
	}
	return read_index(tail, index_out);
}

// Cut `#index` off the end of the instance. An index of 0 is not printed, so without its "#0",
// "a#1#0" would print as another instance: there "#0" is part of the name.
static void
split_index(const struct parser *p, struct pmon_span *instance, int32_t *index_out)
{
	size_t mark;
	size_t other_mark;
	int32_t index;
	int32_t other;

	if (!find_index(p, *instance, &mark, &index))
		return;
	if (index == 0 &&
	    find_index(p, (struct pmon_span){instance->ptr, mark}, &other_mark, &other))
		return;
	*index_out = index;
	instance->len = mark;
}

// Cut `parent/` off the front of the instance: up to the first slash outside parentheses.
static void
split_parent(struct pmon_span *instance, struct pmon_span *parent_out)
{
	size_t opened = 0;

	for (size_t i = 0; i < instance->len; i++) {
		if (instance->ptr[i] == '/' && opened == 0) {
			*parent_out = (struct pmon_span){instance->ptr, i};
			instance->ptr += i + 1;
			instance->len -= i + 1;
			return;
		}
		if (instance->ptr[i] == '(')
			opened++;
		else if (instance->ptr[i] == ')' && opened > 0)
			opened--;
	}
}

static bool
parse_instance(struct parser *p, struct pmon_path *out)
{
	size_t open = p->at;
	size_t end;

	out->index = p->is_pattern ? PMON_INDEX_NONE : 0;
	if (!is_at(p, open, '('))
		return true;
	if (!find_instance_end(p, open + 1, &end))
		return refuse(p, open, "no closing ')' followed by '\\' and a counter");
	out->instance = between(p, open + 1, end);
	split_index(p, &out->instance, &out->index);
	split_parent(&out->instance, &out->parent);
	p->at = end + 1;
	return true;
}

// Is the text an instance that would end at its end, in parentheses before a counter?
static bool
is_whole(struct pmon_span instance)
{
	size_t opened = 0;

	for (size_t i = 0; i < instance.len; i++) {
		if (instance.ptr[i] == '(')
			opened++;
		if (instance.ptr[i] != ')')
			continue;
		if (opened == 0 && i + 1 < instance.len && instance.ptr[i + 1] == '\\')
			return false;
		opened -= opened > 0;
	}
	return opened == 0;
}

void
pmon_path_split_instance(struct pmon_path *path)
{
	const struct parser parser = {.is_pattern = false};
	struct pmon_span instance = path->instance;
	struct pmon_span parent = {NULL, 0};
	int32_t index = 0;

	if (!is_whole(instance))
		return;
	split_index(&parser, &instance, &index);
	split_parent(&instance, &parent);
	if ((path->index > 0 && index > 0) || (path->parent.ptr != NULL && parent.ptr != NULL))
		return;
	if (path->index == 0)
		path->index = index;
	if (path->parent.ptr == NULL)
		path->parent = parent;
	path->instance = instance;
}

static bool
parse_counter(struct parser *p, struct pmon_span *out)
{
	p->at++; // the backslash, which ended the object or the instance
	if (p->at == p->text.len)
		return refuse(p, p->at, "the counter is empty");
	*out = between(p, p->at, p->text.len);
	return true;
}

static bool
parse(struct pmon_span text, bool is_pattern, struct pmon_path *out, struct pmon_path_error *why)
{
	struct parser p = {.text = text, .is_pattern = is_pattern};
	struct pmon_path path = {0};

	*out = path;
	if (!parse_start(&p, &path.machine) || !parse_object(&p, &path.object) ||
	    !parse_instance(&p, &path) || !parse_counter(&p, &path.counter)) {
		if (why != NULL)
			*why = p.error;
		return false;
	}
	*out = path;
	return true;
}

bool
pmon_path_parse(struct pmon_span text, struct pmon_path *out, struct pmon_path_error *why)
{
	return parse(text, false, out, why);
}

// The name for a Windows title index, or {NULL, 0}.
static struct pmon_span
title_of(struct pmon_span text)
{
	struct pmon_scan digits = pmon_scan_init(text);
	int32_t index;

	if (pmon_scan_digits(&digits, 4, &index) == 0 || digits.at != digits.end) // up to 1847
		return (struct pmon_span){NULL, 0};
	return pmon_wellknown_title((uint32_t)index);
}

bool
pmon_pattern_parse(struct pmon_span text, struct pmon_path *out, struct pmon_path_error *why)
{
	struct pmon_span object;
	struct pmon_span counter;

	if (!parse(text, true, out, why))
		return false;
	object = title_of(out->object);
	counter = title_of(out->counter);
	if (object.ptr != NULL && counter.ptr != NULL) {
		out->object = object;
		out->counter = counter;
	}
	return true;
}
