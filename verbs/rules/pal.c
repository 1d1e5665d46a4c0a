// pal.c - read threshold files of PAL with expat
// SPDX-License-Identifier: MIT

#include "verbs/rules/pal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "shell/output/say.h"

#if defined(PMON_WITH_EXPAT)

#include <expat.h>

#include "os/library.h"

// Expat 2.9 deprecates GetCurrentLineNumber in favor of a function that older libraries lack.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define EXPAT_CALLS(CALL)                                                                          \
	CALL(XML_, ParserCreate)                                                                   \
	CALL(XML_, ParserFree)                                                                     \
	CALL(XML_, SetUserData)                                                                    \
	CALL(XML_, SetElementHandler)                                                              \
	CALL(XML_, SetCharacterDataHandler)                                                        \
	CALL(XML_, SetStartDoctypeDeclHandler)                                                     \
	CALL(XML_, Parse)                                                                          \
	CALL(XML_, StopParser)                                                                     \
	CALL(XML_, GetErrorCode)                                                                   \
	CALL(XML_, ErrorString)                                                                    \
	CALL(XML_, GetCurrentLineNumber)

static struct expat_calls {
	EXPAT_CALLS(PMON_OS_CALL)
} expat;

// A threshold of the current analysis. It is reported at the end of the analysis, as sources may follow it.
struct waiting {
	struct waiting *next;
	char name[PAL_NAME];
	char condition[PAL_NAME];
	char code[];
};

struct reading {
	XML_Parser parser;
	struct pal_threshold threshold; // the current one, and its analysis
	struct waiting *first;
	struct waiting **last;
	struct pal_file file;
	char *code; // where the text goes that is read; NULL: nowhere
	size_t code_len;
	size_t code_size;
	bool in_threshold;
	bool in_source;
	const char *fault; // why the parser was stopped
	struct pal_calls calls;
	void *ctx;
};

static void
stop(struct reading *r, const char *fault)
{
	if (r->fault == NULL)
		r->fault = fault;
	(void)expat.StopParser(r->parser, XML_FALSE);
}

// Copy an attribute; empty if it is missing, or longer than the buffer: then false.
static bool
copy_attribute(char *out, size_t size, const char *const *attributes, const char *name)
{
	out[0] = '\0';
	for (; attributes[0] != NULL; attributes += 2) {
		if (strcmp(attributes[0], name) != 0)
			continue;
		if (strlen(attributes[1]) >= size)
			return false;
		strcpy(out, attributes[1]);
	}
	return true;
}

static bool
says(const char *const *attributes, const char *name, const char *value)
{
	char text[64];

	(void)copy_attribute(text, sizeof(text), attributes, name);
	return strcasecmp(text, value) == 0;
}

static void
begin_source(struct reading *r, const char *const *attributes)
{
	struct pal_threshold *t = &r->threshold;
	struct pal_source *source;

	if (t->n_sources == PAL_SOURCES) {
		stop(r, "more than 64 data sources in one analysis");
		return;
	}
	r->in_source = true;
	source = &t->sources[t->n_sources++];
	source->n_excepts = 0;
	source->code[0] = '\0';
	source->is_generated = says(attributes, "TYPE", "Generated");
	(void)copy_attribute(source->variable, sizeof(source->variable), attributes,
			     "COLLECTIONVARNAME");
	source->is_cut =
		!copy_attribute(source->path, sizeof(source->path), attributes, "EXPRESSIONPATH");
}

static void
begin_except(struct reading *r, const char *const *attributes)
{
	struct pal_source *source;

	if (r->threshold.n_sources == 0)
		return;
	source = &r->threshold.sources[r->threshold.n_sources - 1];
	if (source->n_excepts == PAL_EXCEPTS ||
	    !copy_attribute(source->excepts[source->n_excepts++], PAL_NAME, attributes, "INSTANCE"))
		source->is_cut = true;
}

static void
begin_inheritance(struct reading *r, const char *const *attributes)
{
	struct pal_file *file = &r->file;

	if (file->n_parents < PAL_PARENTS &&
	    copy_attribute(file->parents[file->n_parents], PAL_NAME, attributes, "FILEPATH") &&
	    file->parents[file->n_parents][0] != '\0')
		file->n_parents++;
}

static void
begin_file(struct pal_file *file, const char *const *attributes)
{
	(void)copy_attribute(file->name, PAL_NAME, attributes, "NAME");
	(void)copy_attribute(file->version, PAL_NAME, attributes, "VERSION");
	(void)copy_attribute(file->owners, PAL_NAME, attributes, "CONTENTOWNERS");
	file->is_pal = true;
}

static void
begin_question(struct pal_file *file, const char *const *attributes)
{
	struct pal_question *question = &file->questions[file->n_questions];

	if (file->n_questions < PAL_ANSWERS &&
	    copy_attribute(question->name, sizeof(question->name), attributes, "QUESTIONVARNAME") &&
	    question->name[0] != '\0' &&
	    copy_attribute(question->answer, sizeof(question->answer), attributes, "DEFAULTVALUE"))
		file->n_questions++;
}

// The code of a threshold, or of a source; charts have code, too.
static void
begin_code(struct reading *r)
{
	struct pal_threshold *t = &r->threshold;

	r->code_len = 0;
	r->code = NULL;
	if (r->in_threshold) {
		r->code = t->code;
		r->code_size = PAL_CODE;
	} else if (r->in_source && t->sources[t->n_sources - 1].is_generated) {
		r->code = t->sources[t->n_sources - 1].code;
		r->code_size = PAL_MADE;
	}
}

static void
begin_element(void *ctx, const XML_Char *name, const XML_Char **attributes_in)
{
	const char *const *attributes = (const char *const *)attributes_in;
	struct reading *r = ctx;
	struct pal_threshold *t = &r->threshold;

	if (strcmp(name, "PAL") == 0) {
		begin_file(&r->file, attributes);
	} else if (strcmp(name, "INHERITANCE") == 0) {
		begin_inheritance(r, attributes);
	} else if (strcmp(name, "QUESTION") == 0) {
		begin_question(&r->file, attributes);
	} else if (strcmp(name, "ANALYSIS") == 0) {
		(void)copy_attribute(t->analysis, PAL_NAME, attributes, "NAME");
		t->is_off = says(attributes, "ENABLED", "False");
		t->n_sources = 0;
	} else if (strcmp(name, "DATASOURCE") == 0) {
		begin_source(r, attributes);
	} else if (strcmp(name, "EXCLUDE") == 0) {
		begin_except(r, attributes);
	} else if (strcmp(name, "THRESHOLD") == 0) {
		(void)copy_attribute(t->name, PAL_NAME, attributes, "NAME");
		(void)copy_attribute(t->condition, PAL_NAME, attributes, "CONDITION");
		t->code[0] = '\0';
		r->in_threshold = true;
	} else if (strcmp(name, "CODE") == 0) {
		begin_code(r);
	}
}

static void
keep(struct reading *r)
{
	const struct pal_threshold *t = &r->threshold;
	size_t size = strlen(t->code) + 1;
	struct waiting *one = malloc(sizeof(*one) + size);

	if (one == NULL) {
		stop(r, "not enough memory");
		return;
	}
	one->next = NULL;
	memcpy(one->name, t->name, sizeof(one->name));
	memcpy(one->condition, t->condition, sizeof(one->condition));
	memcpy(one->code, t->code, size);
	*r->last = one;
	r->last = &one->next;
}

// Free the waiting thresholds, after reporting them if that is asked.
static void
release(struct reading *r, bool report)
{
	struct pal_threshold *t = &r->threshold;
	struct waiting *next;

	for (struct waiting *one = r->first; one != NULL; one = next) {
		next = one->next;
		memcpy(t->name, one->name, sizeof(t->name));
		memcpy(t->condition, one->condition, sizeof(t->condition));
		strcpy(t->code, one->code);
		if (report && r->calls.each != NULL)
			r->calls.each(r->ctx, &r->file, t);
		free(one);
	}
	r->first = NULL;
	r->last = &r->first;
}

static void
end_element(void *ctx, const XML_Char *name)
{
	struct reading *r = ctx;

	if (strcmp(name, "CODE") == 0) {
		r->code = NULL;
	} else if (strcmp(name, "DATASOURCE") == 0) {
		r->in_source = false;
	} else if (strcmp(name, "THRESHOLD") == 0) {
		r->in_threshold = false;
		keep(r);
	} else if (strcmp(name, "ANALYSIS") == 0) {
		release(r, true);
		if (r->calls.end != NULL)
			r->calls.end(r->ctx, &r->file, &r->threshold);
	}
}

static void
take_text(void *ctx, const XML_Char *text, int len)
{
	struct reading *r = ctx;

	if (r->code == NULL)
		return;
	if (r->code_len + (size_t)len >= r->code_size) {
		if (r->code == r->threshold.code)
			stop(r, "more than 64 KiB of code");
		r->code[0] = '\0';
		r->code = NULL;
		return;
	}
	memcpy(r->code + r->code_len, text, (size_t)len);
	r->code_len += (size_t)len;
	r->code[r->code_len] = '\0';
}

// Entities can be declared only in a document type, which no threshold file has.
static void
refuse_doctype(void *ctx, const XML_Char *name, const XML_Char *system_id,
	       const XML_Char *public_id, int has_internal_subset)
{
	(void)name, (void)system_id, (void)public_id, (void)has_internal_subset;
	stop(ctx,
	     "it has a document type declaration (DOCTYPE), which threshold files do not have");
}

static int
parse(struct reading *r, const char *name, const struct textfile *text)
{
	expat.SetUserData(r->parser, r);
	expat.SetElementHandler(r->parser, begin_element, end_element);
	expat.SetCharacterDataHandler(r->parser, take_text);
	expat.SetStartDoctypeDeclHandler(r->parser, refuse_doctype);
	if (expat.Parse(r->parser, text->text, (int)text->len, XML_TRUE) != XML_STATUS_OK)
		return say(EXIT_FAILED, "%s:%lu: %s", file_name(name),
			   (unsigned long)expat.GetCurrentLineNumber(r->parser),
			   r->fault != NULL ? r->fault
					    : expat.ErrorString(expat.GetErrorCode(r->parser)));
	if (!r->file.is_pal)
		return say(EXIT_FAILED, "%s: not a PAL threshold file", file_name(name));
	return EXIT_DONE;
}

int
pal_load(void)
{
	struct pmon_err err;

	if (PMON_OS_LOAD(PMON_LIBRARY_EXPAT, EXPAT_CALLS, &expat, &err) == PMON_OK)
		return EXIT_DONE;
	return say(EXIT_FAILED, "rules: %s", err.msg);
}

int
pal_read(const char *name, const struct pal_calls *calls, void *ctx, struct pal_file *file)
{
	struct textfile text;
	struct reading *r = calloc(1, sizeof(*r));
	int status = textfile_read(name, PAL_BYTES, &text);

	if (status == EXIT_DONE && r != NULL) {
		r->calls = *calls;
		r->last = &r->first;
		r->ctx = ctx;
		r->parser = expat.ParserCreate("UTF-8"); // as textfile_read() returns it
	}
	if (status == EXIT_DONE && (r == NULL || r->parser == NULL))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = parse(r, name, &text);
	if (status == EXIT_DONE)
		*file = r->file;
	if (r != NULL && r->parser != NULL)
		expat.ParserFree(r->parser);
	if (r != NULL)
		release(r, false);
	free(r);
	textfile_free(&text);
	return status;
}

#else

int
pal_load(void)
{
	return say(EXIT_FAILED, "rules: this pmon was built without expat (libexpat1-dev)");
}

int
pal_read(const char *name, const struct pal_calls *calls, void *ctx, struct pal_file *file)
{
	(void)name, (void)calls, (void)ctx, (void)file;
	return pal_load();
}

#endif
