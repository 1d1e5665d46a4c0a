// perfblock.h - the parts of the reader of PERF_DATA_BLOCK dumps (private)
// SPDX-License-Identifier: MIT
//
// A dump contains data from the registry key HKEY_PERFORMANCE_DATA: one or more consecutive
// PERF_DATA_BLOCKs, in one or many files (docs/reference/formats/perfblock.md). They become samples
// in three steps:
//
//	find.c    files  -> blocks, with their times; format/file_group.h puts them in order
//	group.c   blocks of the same moment and machine -> a sample
//	object.c  performance objects -> tables of values (model/tables.h)
//
// text.c converts names, perfblock.c is the source that reads files. Live blocks from Windows enter
// at the second step (live/windows).
//
// Damage never stops the reader: it is reported, and reading continues with the next intact part.
// Only lack of memory, a failed read or an exceeded limit are returned as a status.

#ifndef PMON_FORMAT_PERFBLOCK_PERFBLOCK_H
#define PMON_FORMAT_PERFBLOCK_PERFBLOCK_H

#include "format/file_group.h"
#include "model/perfdata.h"
#include "model/tables.h"
#include "model/texts.h"
#include "model/titles.h"

#define PERFBLOCK_HEAD_BYTES 88 // PERF_DATA_BLOCK up to and including SystemNameOffset

struct perfblock;

// ---- find.c: blocks in a file ---------------------------------------------------------------

// Whether this is the beginning of a block.
bool pmon_perfblock_probe(const uint8_t *head, size_t len);

// A pmon_file_group_ops.find.
enum pmon_status pmon_perfblock_find(void *ctx, struct pmon_file *file,
				     struct pmon_file_group_record *out, struct pmon_err *err);

// The creation time of the block in UTC; PMON_TIME_NONE if it has none.
pmon_time pmon_perfblock_time(const struct pmon_perf_block *block);

// Set the length in the header of a block of len bytes to len, so that it can be walked. Returns
// true if it excluded the header, as Samba writes it.
bool pmon_perfblock_mend(uint8_t *bytes, size_t len);

// ---- text.c: names as UTF-8 -----------------------------------------------------------------

// A buffer for converting a name.
struct perfblock_text {
	char *utf8;
	uint8_t *swapped; // the name as little-endian
	size_t utf8_cap;
	size_t swapped_cap;
};

// The encoding of names in an object or block.
struct perfblock_script {
	bool big_endian;
	int32_t code_page; // 0 is UTF-16
};

// A name as UTF-8 in the buffer, valid until its next use; {NULL, 0} for none. False when memory is
// short.
bool pmon_perfblock_utf8(struct perfblock *pb, struct perfblock_text *text,
			 const struct pmon_perf_name *name, struct perfblock_script script,
			 struct pmon_span *out);
void pmon_perfblock_text_free(struct perfblock_text *text, const struct pmon_allocator *allocator);

// The name of an object or counter: from the machine's table, otherwise the well-known one,
// otherwise its number in buf.
struct pmon_span pmon_perfblock_title(struct perfblock *pb, uint32_t index, bool foreign,
				      char buf[PMON_TITLE_SIZE]);

// Load the table of names: the one in the file `names`, else one next to path (NULL: none), if any.
PMON_NODISCARD enum pmon_status pmon_perfblock_load_names(struct perfblock *pb, const char *names,
							  const char *path, struct pmon_err *err);

// ---- group.c: the blocks of one moment ------------------------------------------------------

struct perfblock_machine {
	struct pmon_span name;
	uint64_t n_samples;
};

struct perfblock_block {
	size_t at; // its offset in perfblock.bytes
	size_t len;
	uint64_t offset; // in its file
	pmon_time time;  // UTC
	struct pmon_perf_block head;
	uint32_t machine;
	bool foreign; // not from Windows: its title indexes are meaningless without its table
	bool is_done; // it is in a sample, or damaged
};

// Load the blocks of the next point in time: for each one allocate room, valid until the next call,
// then set its length. When all are loaded they are prepared; anything unusual is reported.
void pmon_perfblock_group_begin(struct perfblock *pb);
PMON_NODISCARD enum pmon_status pmon_perfblock_group_room(struct perfblock *pb, size_t len,
							  uint8_t **out, struct pmon_err *err);
void pmon_perfblock_group_add(struct perfblock *pb, size_t len, uint64_t offset);
PMON_NODISCARD enum pmon_status pmon_perfblock_group_ready(struct perfblock *pb,
							   struct pmon_err *err);

// Assemble the next sample of the group: all blocks of one machine. PMON_END after the last;
// *any_out is false if there was no object in them.
PMON_NODISCARD enum pmon_status pmon_perfblock_group_sample(struct perfblock *pb, bool *any_out,
							    struct pmon_err *err);

// ---- object.c: the values of an object ------------------------------------------------------

// The instance names of an object in the group, to name the parents of others.
struct perfblock_parent {
	uint32_t title;
	struct perfblock_script script;
	size_t first; // name
	size_t n;
};

struct perfblock_parents {
	bool is_loaded;
	uint32_t machine; // the machine that they belong to
	struct perfblock_parent *list;
	struct pmon_map map; // of them, by title
	struct pmon_perf_name *names;
	size_t n;
	size_t n_names;
	size_t cap;
	size_t names_cap;
};

PMON_NODISCARD enum pmon_status pmon_perfblock_object_load(struct perfblock *pb,
							   const struct perfblock_block *block,
							   const struct pmon_perf_object *object,
							   struct pmon_err *err);

// ---- What the steps share -------------------------------------------------------------------

// Fields without a comment are initially zero.
struct perfblock {
	const struct pmon_allocator *allocator; // filled in by the caller
	// filled in: limit for the blocks of one point in time
	size_t max_bytes;
	struct pmon_report report;  // filled in, with info
	struct pmon_tables *tables; // filled in: the caller's
	struct pmon_titles titles;  // initialized
	struct pmon_texts texts;    // initialized
	struct pmon_span
		// filled in: the machine's name, overriding the blocks; ptr NULL: use theirs
		machine;
	bool keeps_texts; // filled in
	bool is_of_here;  // filled in: names missing from the table are replaced by well-known ones
	bool is_guess_told;
	bool is_nameless_told;
	bool is_foreign_told;

	struct perfblock_machine *machines;
	size_t n_machines;
	size_t machines_cap;

	// the current point in time
	uint8_t *bytes;
	size_t n_bytes;
	size_t bytes_cap;
	struct perfblock_block *blocks;
	size_t n_blocks;
	size_t blocks_cap;
	struct perfblock_parents parents;
	struct perfblock_text name_text;
	struct perfblock_text parent_text;
	struct perfblock_text value_text;

	// the current object
	struct pmon_perf_counter *counters;
	uint32_t *columns; // parallel to counters
	size_t n_counters;
	size_t counters_cap;
	size_t columns_cap;

	struct pmon_sample sample; // the last one assembled
};

void pmon_perfblock_init(struct perfblock *pb, const struct pmon_allocator *allocator);
void pmon_perfblock_free(struct perfblock *pb);

extern const struct pmon_format pmon_format_perfblock;

#endif
