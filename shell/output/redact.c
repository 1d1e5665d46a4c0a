// redact.c - names of machines, databases and users become "machine1", "database2", "user3" in what is shared
// SPDX-License-Identifier: MIT
//
// A name is found where it is a word: its neighbours are no letters or digits. What looks like a name in other words,
// such as a database named "log", is replaced there, too: too much is better than too little.

#include "shell/output/redact.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "draw/label.h"
#include "shell/output/out.h"
#include "shell/output/stream.h"

#define LONGEST   1024 // bytes of a name
#define LEAST_CUT 3    // bytes of a name that are more than chance
#define CHARACTER 4    // bytes, at most

enum kind {
	MACHINE,
	INSTANCE,
	DATABASE,
	USER,
	KINDS
};

static const char *const words[KINDS] = {"machine", "instance", "database", "user"};

struct redacted_name {
	char *text;
	size_t len;
	enum kind kind;
	size_t seen; // in this order
	char word[32];
};

// ---- Which names ------------------------------------------------------------------------------

// These are on each machine.
static bool
is_common(struct pmon_span name)
{
	static const char *const common[] = {
		"_total",      "idle",  "services", "console", "mssqlsystemresource",
		"mssqlserver", "model", "msdb",     "tempdb",  "master",
		"localhost",   "max",   "average",  "default", "device"};

	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (pmon_text_same(name, (struct pmon_span){common[i], strlen(common[i])}))
			return true;
	return false;
}

static void
note_as(struct redaction *r, enum kind kind, struct pmon_span name, size_t seen)
{
	struct redacted_name *grown;
	char *text;

	if (r->n == r->cap) {
		grown = realloc(r->list, (2 * r->cap + 16) * sizeof(*grown));
		r->failed |= grown == NULL;
		if (grown == NULL)
			return;
		r->list = grown;
		r->cap = 2 * r->cap + 16;
	}
	text = strndup(name.ptr, name.len);
	r->failed |= text == NULL;
	if (text == NULL)
		return;
	r->list[r->n++] = (struct redacted_name){
		.text = text, .len = strlen(text), .kind = kind, .seen = seen};
}

// The number of a session is no name, but the address of a machine is.
static bool
is_name(enum kind kind, struct pmon_span name)
{
	size_t marks = 0;

	for (size_t i = 0; i < name.len; i++) {
		if (!pmon_is_digit(name.ptr[i]) && strchr(" #-._:?", name.ptr[i]) == NULL)
			return true;
		marks += name.ptr[i] == '.' || name.ptr[i] == ':';
	}
	return kind == MACHINE && marks > 1;
}

static bool
is_newest(const struct redaction *r, enum kind kind, struct pmon_span name)
{
	const struct redacted_name *last;

	if (r->newest[kind] == 0)
		return false;
	last = &r->list[r->newest[kind] - 1];
	return last->len == name.len && memcmp(last->text, name.ptr, name.len) == 0;
}

// A name, and what becomes of it where markdown and pictures are written.
static void
note(struct redaction *r, enum kind kind, struct pmon_span name)
{
	char clean[LONGEST];
	char *escaped = NULL;
	size_t size = 0;
	size_t seen = r->n;
	FILE *stream;

	if (!is_name(kind, name) || is_common(name) || is_newest(r, kind, name))
		return;
	note_as(r, kind, name, seen);
	r->newest[kind] = r->n;
	draw_clean(name, clean, sizeof(clean));
	if (strlen(clean) != name.len || memcmp(clean, name.ptr, name.len) != 0)
		note_as(r, kind, (struct pmon_span){clean, strlen(clean)}, seen);
	stream = text_stream_open(&escaped, &size);
	if (stream != NULL)
		out_markdown(stream, name);
	if (stream == NULL || !text_stream_close(stream, &escaped))
		r->failed = true;
	else if (size != name.len || memcmp(escaped, name.ptr, size) != 0)
		note_as(r, kind, (struct pmon_span){escaped, size}, seen);
	free(escaped);
}

// "PROD" of "MSSQL$PROD:Locks"
static struct pmon_span
named_instance(struct pmon_span object)
{
	const char *colon = object.len > 0 ? memchr(object.ptr, ':', object.len) : NULL;
	const char *dollar =
		colon != NULL ? memchr(object.ptr, '$', (size_t)(colon - object.ptr)) : NULL;

	if (dollar == NULL)
		return (struct pmon_span){NULL, 0};
	return (struct pmon_span){dollar + 1, (size_t)(colon - dollar - 1)};
}

// What instances name: all of it, or a part. The first row that matches counts. web/page/redact.js has the same table,
// and tests/support/names.tsv judges both.
static const struct {
	const char *object;
	char colon; // the name is before ('<') or after ('>') the first colon; 0: the whole instance
	enum kind kind; // KINDS: instances have no names
} named[] = {
	{"*Databases", 0, DATABASE},
	{"*:Catalog Metadata", 0, DATABASE},
	{"*:Database Replica", 0, DATABASE},
	{"*:Database Mirroring", 0, DATABASE},
	{"*:Query Store", 0, DATABASE},
	{"*:Columnstore", 0, DATABASE},
	{"*:Broker Activation", 0, DATABASE},
	{"*:Availability Replica", '>', MACHINE},
	{"SQL Server * XTP *", 0, INSTANCE},
	{"Hyper-V*Virtual Processor", '<', MACHINE},
	{"Hyper-V Hypervisor Partition", '<', MACHINE},
	{"Hyper-V Dynamic Memory VM", 0, MACHINE},
	{"Hyper-V VM *", 0, MACHINE},
	{"*:User Settable", 0, KINDS},
	{"*per Process", 0, KINDS},
	{"Event Tracing*", 0, KINDS},
	{"*User*", 0, USER},
	{"*Session*", 0, USER},
};

static struct pmon_span
part_of(struct pmon_span instance, char colon)
{
	const char *at = instance.len > 0 ? memchr(instance.ptr, ':', instance.len) : NULL;
	size_t before = at != NULL ? (size_t)(at - instance.ptr) : 0;

	if (colon == 0)
		return instance;
	if (at == NULL)
		return (struct pmon_span){NULL, 0};
	return colon == '<' ? (struct pmon_span){instance.ptr, before}
			    : (struct pmon_span){at + 1, instance.len - before - 1};
}

static void
note_instance(struct redaction *r, struct pmon_span object, struct pmon_span instance)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		struct pmon_span pattern = {named[i].object, strlen(named[i].object)};

		if (!pmon_text_match(pattern, object))
			continue;
		if (named[i].kind != KINDS)
			note(r, named[i].kind, part_of(instance, named[i].colon));
		return;
	}
}

// "CORP\alice", but not the "C:\data" of a disk
static bool
is_account(struct pmon_span instance)
{
	const char *at = instance.len > 0 ? memchr(instance.ptr, '\\', instance.len) : NULL;
	size_t before = at != NULL ? (size_t)(at - instance.ptr) : 0;

	return before > 0 && before + 1 < instance.len &&
	       memchr(instance.ptr, ':', before) == NULL &&
	       memchr(at + 1, '\\', instance.len - before - 1) == NULL;
}

// "FILES01" of "\\FILES01\home"
static struct pmon_span
server_of(struct pmon_span instance)
{
	struct pmon_span name = {instance.ptr, 0};
	size_t skipped = 0;

	while (skipped < instance.len && instance.ptr[skipped] == '\\')
		skipped++;
	if (skipped == 0)
		return name;
	name.ptr += skipped;
	while (skipped + name.len < instance.len && name.ptr[name.len] != '\\')
		name.len++;
	return name;
}

// "alice" of "/home/alice/data"
static struct pmon_span
home_of(struct pmon_span name)
{
	static const char *const folders[] = {"/home/", "/Users/", ":\\Users\\"};

	for (size_t f = 0; f < sizeof(folders) / sizeof(folders[0]); f++) {
		size_t len = strlen(folders[f]);

		for (size_t i = 0; i + len < name.len; i++) {
			struct pmon_span user = {name.ptr + i + len, 0};

			if (!pmon_text_same((struct pmon_span){name.ptr + i, len},
					    (struct pmon_span){folders[f], len}))
				continue;
			while (i + len + user.len < name.len &&
			       strchr("/\\)", user.ptr[user.len]) == NULL)
				user.len++;
			return user;
		}
	}
	return (struct pmon_span){NULL, 0};
}

static void
note_series(struct redaction *r, const struct pmon_series *series)
{
	struct pmon_span object = pmon_series_english(series)->object;
	struct pmon_span instance = series->path.instance;

	note(r, MACHINE, series->path.machine);
	note(r, INSTANCE, named_instance(object));
	note_instance(r, object, instance);
	if (is_account(instance))
		note(r, USER, instance);
	note(r, MACHINE, server_of(instance));
	note(r, USER, home_of(series->name)); // a path of files is divided into parent and instance
}

void
redaction_add(struct redaction *r, const struct pmon_source *source)
{
	const struct pmon_source_info *info = pmon_source_info(source);
	const struct pmon_schema *schema = pmon_source_schema(source);

	note(r, MACHINE, (struct pmon_span){info->machine, strlen(info->machine)});
	for (size_t i = 0; i < info->n_machines; i++)
		note(r, MACHINE,
		     (struct pmon_span){info->machines[i].name, strlen(info->machines[i].name)});
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		note_series(r, pmon_schema_at(schema, i));
}

// ---- The words --------------------------------------------------------------------------------

static unsigned char
fold(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static int
compare_text(const struct redacted_name *a, const struct redacted_name *b)
{
	for (size_t i = 0; i < a->len && i < b->len; i++)
		if (fold(a->text[i]) != fold(b->text[i]))
			return fold(a->text[i]) < fold(b->text[i]) ? -1 : 1;
	return (a->len > b->len) - (a->len < b->len);
}

static int
by_text(const void *a, const void *b)
{
	const struct redacted_name *x = a;
	const struct redacted_name *y = b;
	int order = compare_text(x, y);

	return order != 0 ? order : (x->seen > y->seen) - (x->seen < y->seen);
}

static int
by_seen(const void *a, const void *b)
{
	const struct redacted_name *x = a;
	const struct redacted_name *y = b;

	return (x->seen > y->seen) - (x->seen < y->seen);
}

// By the first byte, the longest first.
static int
by_use(const void *a, const void *b)
{
	const struct redacted_name *x = a;
	const struct redacted_name *y = b;
	int order = (int)fold(x->text[0]) - (int)fold(y->text[0]);

	return order != 0 ? order : (x->len < y->len) - (x->len > y->len);
}

static void
keep_each_once(struct redaction *r)
{
	size_t n = 0;

	qsort(r->list, r->n, sizeof(*r->list), by_text);
	for (size_t i = 0; i < r->n; i++) {
		if (n > 0 && compare_text(&r->list[n - 1], &r->list[i]) == 0)
			free(r->list[i].text);
		else
			r->list[n++] = r->list[i];
	}
	r->n = n;
}

bool
redaction_end(struct redaction *r)
{
	size_t count[KINDS] = {0};
	size_t at = 0;

	if (r->n > 0) {
		keep_each_once(r);
		qsort(r->list, r->n, sizeof(*r->list), by_seen);
		for (size_t i = 0; i < r->n; i++) {
			struct redacted_name *name = &r->list[i];

			count[name->kind] += i == 0 || name->seen != r->list[i - 1].seen;
			(void)snprintf(name->word, sizeof(name->word), "%s%zu", words[name->kind],
				       count[name->kind]);
		}
		qsort(r->list, r->n, sizeof(*r->list), by_use);
	}
	for (unsigned byte = 0; byte <= 256; byte++) {
		while (at < r->n && fold(r->list[at].text[0]) < byte)
			at++;
		r->first[byte] = at;
	}
	return !r->failed;
}

// ---- Texts ------------------------------------------------------------------------------------

static bool
is_of_word(struct pmon_span text, size_t i)
{
	return i < text.len && (pmon_is_digit(text.ptr[i]) ||
				(fold(text.ptr[i]) >= 'a' && fold(text.ptr[i]) <= 'z'));
}

size_t
redaction_find(const struct redaction *r, struct pmon_span text, size_t *at, const char **word)
{
	for (size_t i = *at; i < text.len; i++) {
		unsigned char byte = fold(text.ptr[i]);

		if (i > 0 && is_of_word(text, i - 1) && is_of_word(text, i))
			continue;
		for (size_t k = r->first[byte]; k < r->first[byte + 1]; k++) {
			const struct redacted_name *name = &r->list[k];

			if (name->len > text.len - i ||
			    (is_of_word(text, i + name->len) &&
			     is_of_word(text, i + name->len - 1)) ||
			    !pmon_text_same((struct pmon_span){text.ptr + i, name->len},
					    (struct pmon_span){name->text, name->len}))
				continue;
			*at = i;
			*word = name->word;
			return name->len;
		}
	}
	return 0;
}

char *
redaction_text(const struct redaction *r, struct pmon_span text)
{
	char *out = NULL;
	size_t size = 0;
	FILE *stream = text_stream_open(&out, &size);
	const char *word;
	size_t from = 0;
	size_t at = 0;
	size_t len;

	if (stream == NULL)
		return NULL;
	while ((len = redaction_find(r, text, &at, &word)) > 0) {
		fwrite(text.ptr + from, 1, at - from, stream);
		fputs(word, stream);
		from = at += len;
	}
	fwrite(text.ptr + from, 1, text.len - from, stream);
	if (text_stream_close(stream, &out))
		return out;
	free(out);
	return NULL;
}

// Where a name begins of which a text that was cut off has only the first bytes, and its word.
static size_t
find_cut(const struct redaction *r, struct pmon_span text, size_t from, const char **word)
{
	for (size_t i = from; i + LEAST_CUT <= text.len; i++) {
		unsigned char byte = fold(text.ptr[i]);
		struct pmon_span rest = {text.ptr + i, text.len - i};

		if (i > 0 && is_of_word(text, i - 1) && is_of_word(text, i))
			continue;
		for (size_t k = r->first[byte]; k < r->first[byte + 1]; k++) {
			const struct redacted_name *name = &r->list[k];

			if (name->len <= rest.len ||
			    !pmon_text_same(rest, (struct pmon_span){name->text, rest.len}))
				continue;
			*word = name->word;
			return i;
		}
	}
	return text.len;
}

void
redaction_apply(const struct redaction *r, char *buf, size_t size)
{
	struct pmon_span text = {buf, strlen(buf)};
	char copy[LONGEST];
	struct pmon_text t = pmon_text_init(copy, size < sizeof(copy) ? size : sizeof(copy));
	const char *word;
	size_t from = 0;
	size_t at = 0;
	size_t len;

	while ((len = redaction_find(r, text, &at, &word)) > 0) {
		pmon_text_span(&t, (struct pmon_span){buf + from, at - from});
		pmon_text_str(&t, word);
		from = at += len;
	}
	word = "";
	at = text.len + CHARACTER >= size ? find_cut(r, text, from, &word) : text.len;
	pmon_text_span(&t, (struct pmon_span){buf + from, at - from});
	pmon_text_str(&t, word);
	memcpy(buf, copy, strlen(copy) + 1);
}

void
redaction_free(struct redaction *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->list[i].text);
	free(r->list);
	*r = (struct redaction){.n = 0};
}
