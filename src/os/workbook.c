// workbook.c - Excel workbooks (XLSX): the cells of a sheet as lines of CSV
// SPDX-License-Identifier: MIT
//
// A workbook is a zip of XML files: ECMA-376, Part 1, 18.2 (workbook), 18.3.1.73 (row), 18.3.1.4 (c) and 18.4 (texts that
// cells share). Numbers are written with a point whatever the country; times are days since 1900, which the reader of
// text logs knows from CSV files of Excel. Only one sheet may have cells: which one has the log, the reader has to say.

#include "os/unarchive.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"

#ifdef PMON_WITH_EXPAT

#include <expat.h>

#define EXPAT_CALLS(CALL)                                                                          \
	CALL(XML_, ParserCreate)                                                                   \
	CALL(XML_, ParserFree)                                                                     \
	CALL(XML_, SetUserData)                                                                    \
	CALL(XML_, SetElementHandler)                                                              \
	CALL(XML_, SetCharacterDataHandler)                                                        \
	CALL(XML_, SetStartDoctypeDeclHandler)                                                     \
	CALL(XML_, Parse)                                                                          \
	CALL(XML_, StopParser)                                                                     \
	CALL(XML_, GetCurrentByteIndex)

#define COLUMNS    16384 // the most of a sheet
#define MOST_TEXT  ((size_t)64 << 20)
#define MOST_TOKEN ((uint64_t)1 << 20) // a tag with its attributes, which expat keeps whole
#define CHUNK      16384

struct bytes {
	char *ptr;
	size_t len;
	size_t cap;
};

// Texts one after the other; `ends` has the end of each.
struct texts {
	struct bytes all;
	size_t *ends;
	size_t n;
	size_t cap;
};

enum cell {
	CELL_VALUE,  // a number, or a text of its own
	CELL_SHARED, // the number of a text
	CELL_ERROR,  // such as #DIV/0!
};

struct book {
	struct unarchive *a;
	const struct pmon_allocator *allocator;
	struct expat_calls {
		EXPAT_CALLS(PMON_OS_CALL)
	} x;
	XML_Parser parser;
	enum pmon_status status;
	struct texts shared;
	char sheet[64];    // the name of the file whose cells are written
	bool is_1904;      // times are days since 1904
	bool is_writing;   // otherwise it looks for the first cell
	bool has_cell;     // in the current file
	bool takes_text;   // the current element has text that counts
	bool is_phonetic;  // how a text is pronounced, which is not shown
	enum cell cell;    // the kind of the current one
	uint32_t column;   // of the current cell
	uint32_t next;     // the column of a cell that does not say where it is
	uint32_t columns;  // in the line so far
	struct bytes text; // of the current cell or shared text
	struct bytes line;
	uint8_t chunk[CHUNK];
};

static void
stop(struct book *b, enum pmon_status status)
{
	if (b->status == PMON_OK)
		b->status = status;
	(void)b->x.StopParser(b->parser, XML_FALSE);
}

static void
refuse(struct book *b, const char *why)
{
	stop(b, pmon_err_set(b->a->err, PMON_E_UNSUPPORTED, 0,
			     "an Excel workbook %s: save the sheet with the log as CSV", why));
}

static void
add(struct book *b, struct bytes *to, const char *from, size_t len)
{
	if (len > MOST_TEXT - to->len)
		refuse(b, "with more than 64 MiB of text in one place");
	else if (len > 0 && !pmon_mem_grow(b->allocator, &to->ptr, &to->cap, to->len + len, 1))
		stop(b, pmon_err_nomem(b->a->err));
	else if (len > 0) {
		memcpy(to->ptr + to->len, from, len);
		to->len += len;
	}
}

// ---- Lines of CSV ---------------------------------------------------------------------------

static void
put_quoted(struct book *b, const char *text, size_t len)
{
	add(b, &b->line, "\"", 1);
	for (size_t i = 0; i < len; i++) {
		bool is_control = (unsigned char)text[i] < ' ';

		if (text[i] == '"')
			add(b, &b->line, "\"", 1);
		add(b, &b->line, is_control ? " " : text + i, 1);
	}
	add(b, &b->line, "\"", 1);
}

static void
put_shared(struct book *b)
{
	struct pmon_span text = {b->text.ptr, b->text.len};
	uint64_t number;
	size_t from;

	if (!pmon_num_parse_u64(text, &number) || number >= b->shared.n) {
		stop(b,
		     pmon_err_set(b->a->err, PMON_E_FORMAT, 0,
				  "a damaged Excel workbook: a cell has a text that is not there"));
		return;
	}
	from = number > 0 ? b->shared.ends[number - 1] : 0;
	put_quoted(b, b->shared.all.ptr + from, b->shared.ends[number] - from);
}

// Cells that are not there are empty ones before this.
static void
put_cell(struct book *b)
{
	if (b->column < b->columns || b->column >= COLUMNS) {
		stop(b, pmon_err_set(b->a->err, PMON_E_FORMAT, 0,
				     "a damaged Excel workbook: its cells are not in order"));
		return;
	}
	for (; b->columns <= b->column; b->columns++)
		if (b->columns > 0)
			add(b, &b->line, ",", 1);
	if (b->cell == CELL_SHARED)
		put_shared(b);
	else
		put_quoted(b, b->text.ptr, b->cell == CELL_ERROR ? 0 : b->text.len);
}

static void
put_line(struct book *b)
{
	struct unpack *u = b->a->u;
	enum pmon_status status = PMON_OK;
	size_t len;

	add(b, &b->line, "\n", 1);
	for (size_t at = 0; at < b->line.len && b->status == PMON_OK; at += len) {
		len = b->line.len - at < u->room ? b->line.len - at : u->room;
		memcpy(u->plain, b->line.ptr + at, len);
		status = pmon_unpack_write(u, len, b->a->err);
		if (status != PMON_OK)
			stop(b, status);
	}
}

// ---- Elements -------------------------------------------------------------------------------

// A name without the prefix of its namespace.
static bool
is_named(const char *name, const char *wanted)
{
	const char *colon = strrchr(name, ':');

	return strcmp(colon != NULL ? colon + 1 : name, wanted) == 0;
}

// The value of an attribute, or "".
static const char *
attribute(const char **attributes, const char *name)
{
	for (; attributes[0] != NULL; attributes += 2)
		if (strcmp(attributes[0], name) == 0)
			return attributes[1];
	return "";
}

// The column of a cell such as AB12; without a reference it is the next one.
static uint32_t
column_of(const struct book *b, const char *reference)
{
	uint32_t column = 0;

	if (reference[0] == '\0')
		return b->next;
	for (; *reference >= 'A' && *reference <= 'Z' && column <= COLUMNS; reference++)
		column = column * 26 + (uint32_t)(*reference - 'A') + 1;
	return column > 0 ? column - 1 : COLUMNS;
}

static enum cell
kind_of(const char *type)
{
	if (strcmp(type, "s") == 0)
		return CELL_SHARED;
	return strcmp(type, "e") == 0 ? CELL_ERROR : CELL_VALUE;
}

static void XMLCALL
begin_element(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
	struct book *b = ctx;

	if (is_named(name, "c")) {
		b->column = column_of(b, attribute(attributes, "r"));
		b->next = b->column + 1;
		b->cell = kind_of(attribute(attributes, "t"));
		b->text.len = 0;
	} else if (is_named(name, "row")) {
		b->line.len = 0;
		b->columns = b->next = 0;
	} else if (is_named(name, "si")) {
		b->text.len = 0;
	} else if (is_named(name, "rPh")) {
		b->is_phonetic = true;
	} else if (is_named(name, "v") || is_named(name, "t")) {
		b->takes_text = !b->is_phonetic;
	} else if (is_named(name, "workbookPr")) {
		const char *is_1904 = attribute(attributes, "date1904");

		b->is_1904 = strcmp(is_1904, "1") == 0 || strcmp(is_1904, "true") == 0;
	}
}

static void
end_shared(struct book *b)
{
	struct texts *t = &b->shared;

	add(b, &t->all, b->text.ptr, b->text.len);
	if (b->status != PMON_OK)
		return;
	if (pmon_mem_grow(b->allocator, &t->ends, &t->cap, t->n + 1, sizeof(*t->ends)))
		t->ends[t->n++] = t->all.len;
	else
		stop(b, pmon_err_nomem(b->a->err));
}

// Is all known that was looked for?
static bool
is_enough(const struct book *b)
{
	return b->has_cell && !b->is_writing;
}

static void
end_cell(struct book *b)
{
	if (b->text.len == 0)
		return; // it has a format, and no value
	b->has_cell = true;
	if (is_enough(b))
		(void)b->x.StopParser(b->parser, XML_FALSE);
	else
		put_cell(b);
}

static void XMLCALL
end_element(void *ctx, const XML_Char *name)
{
	struct book *b = ctx;

	if (b->status != PMON_OK)
		return;
	if (is_named(name, "v") || is_named(name, "t"))
		b->takes_text = false;
	else if (is_named(name, "rPh"))
		b->is_phonetic = false;
	else if (is_named(name, "si"))
		end_shared(b);
	else if (is_named(name, "c"))
		end_cell(b);
	else if (is_named(name, "row") && b->is_writing && b->columns > 0)
		put_line(b);
}

static void XMLCALL
take_text(void *ctx, const XML_Char *text, int len)
{
	struct book *b = ctx;

	if (b->takes_text && b->status == PMON_OK)
		add(b, &b->text, text, (size_t)len);
}

// Entities, which can multiply, are declared in a document type. Excel writes none.
static void XMLCALL
refuse_doctype(void *ctx, const XML_Char *name, const XML_Char *system_id,
	       const XML_Char *public_id, int has_internal_subset)
{
	(void)name, (void)system_id, (void)public_id, (void)has_internal_subset;
	refuse(ctx, "with a document type declaration, which Excel does not write");
}

// ---- Files of the workbook ------------------------------------------------------------------

static enum pmon_status
damaged(struct book *b)
{
	struct unpack *u = b->a->u;

	if (u->written > 0) {
		u->cut_at = u->read; // the lines before are kept
		return PMON_OK;
	}
	return pmon_err_set(b->a->err, PMON_E_FORMAT, 0, "a damaged Excel workbook");
}

static enum pmon_status
parse_chunks(struct book *b)
{
	enum pmon_status status = PMON_OK;
	uint64_t fed = 0;
	size_t len = 1;

	while (len > 0) {
		int64_t parsed;

		status = pmon_unarchive_read(b->a, b->chunk, sizeof(b->chunk), &len);
		fed += len;
		if (status != PMON_OK || b->a->u->cut_at != 0)
			return status;
		if (b->x.Parse(b->parser, (const char *)b->chunk, (int)len, len == 0) !=
		    XML_STATUS_OK)
			return b->status != PMON_OK || is_enough(b) ? b->status : damaged(b);
		parsed = (int64_t)b->x.GetCurrentByteIndex(b->parser);
		if (fed > b->a->u->limit || (parsed >= 0 && fed - (uint64_t)parsed > MOST_TOKEN))
			return pmon_err_set(b->a->err, PMON_E_LIMIT, 0,
					    "an Excel workbook that unpacks to too much");
	}
	return status;
}

static enum pmon_status
parse_entry(struct book *b)
{
	enum pmon_status status;

	b->has_cell = b->takes_text = b->is_phonetic = false;
	b->columns = b->next = 0;
	b->parser = b->x.ParserCreate(NULL);
	if (b->parser == NULL)
		return pmon_err_nomem(b->a->err);
	b->x.SetUserData(b->parser, b);
	b->x.SetElementHandler(b->parser, begin_element, end_element);
	b->x.SetCharacterDataHandler(b->parser, take_text);
	b->x.SetStartDoctypeDeclHandler(b->parser, refuse_doctype);
	status = parse_chunks(b);
	b->x.ParserFree(b->parser);
	return status;
}

static bool
is_sheet(const char *name)
{
	static const char folder[] = "xl/worksheets/";

	return strncmp(name, folder, sizeof(folder) - 1) == 0 &&
	       strchr(name + sizeof(folder) - 1, '/') == NULL;
}

// Read the texts, and find the only sheet with cells.
static enum pmon_status
survey(struct book *b)
{
	enum pmon_status status;
	const char *name;

	while ((status = pmon_unarchive_next(b->a, &name)) == PMON_OK) {
		bool is_cells = is_sheet(name);
		char sheet[sizeof(b->sheet)];

		(void)snprintf(sheet, sizeof(sheet), "%s", name);
		if (is_cells || strcmp(name, "xl/sharedStrings.xml") == 0 ||
		    strcmp(name, "xl/workbook.xml") == 0)
			status = parse_entry(b);
		if (status != PMON_OK)
			return status;
		if (!is_cells || !b->has_cell)
			continue;
		if (b->sheet[0] != '\0')
			return pmon_err_set(b->a->err, PMON_E_UNSUPPORTED, 0,
					    "an Excel workbook of several sheets: save the one "
					    "with the log as CSV");
		memcpy(b->sheet, sheet, sizeof(sheet));
	}
	return status == PMON_END ? PMON_OK : status;
}

static enum pmon_status
write_sheet(struct book *b)
{
	enum pmon_status status = pmon_unarchive_open(b->a);
	const char *name;

	while (status == PMON_OK && (status = pmon_unarchive_next(b->a, &name)) == PMON_OK)
		if (strcmp(name, b->sheet) == 0)
			return parse_entry(b);
	return status == PMON_END ? damaged(b) : status;
}

static enum pmon_status
unpack_book(struct book *b)
{
	enum pmon_status status = PMON_OS_LOAD(PMON_LIBRARY_EXPAT, EXPAT_CALLS, &b->x, b->a->err);

	if (status == PMON_OK)
		status = pmon_unarchive_open(b->a);
	if (status == PMON_OK)
		status = survey(b);
	if (status != PMON_OK)
		return status;
	if (b->sheet[0] == '\0')
		return pmon_err_set(b->a->err, PMON_E_FORMAT, 0, "an Excel workbook without cells");
	if (b->is_1904)
		return pmon_err_set(b->a->err, PMON_E_UNSUPPORTED, 0,
				    "an Excel workbook with dates since 1904: save it as CSV");
	b->is_writing = true;
	return write_sheet(b);
}

static enum pmon_status
unpack_sheets(struct unarchive *a)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	struct book *b = pmon_mem_alloc0(allocator, sizeof(*b));
	enum pmon_status status;

	if (b == NULL)
		return pmon_err_nomem(a->err);
	b->a = a;
	b->allocator = allocator;
	status = unpack_book(b);
	pmon_mem_free(allocator, b->shared.all.ptr, b->shared.all.cap);
	pmon_mem_free(allocator, b->shared.ends, b->shared.cap * sizeof(*b->shared.ends));
	pmon_mem_free(allocator, b->text.ptr, b->text.cap);
	pmon_mem_free(allocator, b->line.ptr, b->line.cap);
	pmon_mem_free(allocator, b, sizeof(*b));
	return status;
}

#else

static enum pmon_status
unpack_sheets(struct unarchive *a)
{
	return pmon_err_set(
		a->err, PMON_E_UNSUPPORTED, 0,
		"an Excel workbook, which this build cannot read: save it as CSV first");
}

#endif

// ---- What kind of document is it? -----------------------------------------------------------

// Documents that are zip files, by an entry in them, and what to do.
static const struct {
	const char *entry;
	const char *said;
} others[] = {
	{"xl/workbook.bin", "a binary Excel workbook (XLSB): save it as CSV first"},
	{"word/document.xml", "a Word document: pmon reads logs"},
	{"ppt/presentation.xml", "a PowerPoint document: pmon reads logs"},
	{"content.xml", "an OpenDocument file: save it as CSV first"},
};

enum pmon_status
pmon_unpack_workbook(struct unarchive *a, bool *is_book)
{
	uint8_t head[4];
	size_t len;
	const char *name;
	enum pmon_status status = pmon_file_read(a->u->packed, 0, head, sizeof(head), &len, a->err);

	*is_book = false;
	if (status != PMON_OK || len < sizeof(head) || memcmp(head, "PK\x03\x04", 4) != 0)
		return status;
	while ((status = pmon_unarchive_next(a, &name)) == PMON_OK) {
		for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
			if (strcmp(name, others[i].entry) == 0)
				return pmon_err_set(a->err, PMON_E_UNSUPPORTED, 0, "%s",
						    others[i].said);
		*is_book |= strcmp(name, "xl/workbook.xml") == 0;
	}
	if (status == PMON_END)
		status = *is_book ? unpack_sheets(a) : PMON_OK;
	return status;
}
