// group.c - the blocks of one point in time, and the samples they form
// SPDX-License-Identifier: MIT
//
// Data read at one time may be in several blocks, one per object, even in several files. Blocks
// with the same clocks belong to the same time; those of one machine form a sample.

#include "format/perfblock/perfblock.h"

#include "model/pace.h"

#include "base/mem.h"

#define MAX_MACHINES 4096

#define QUARTER (15 * PMON_TIME_PER_MIN)
// the largest difference between two clocks at the same moment
#define CLOSE       (5 * PMON_TIME_PER_SEC)
#define MAX_AHEAD   (14 * 60 * PMON_TIME_PER_MIN)
#define IS_FAR(gap) ((gap) < -MAX_AHEAD - CLOSE || (gap) > MAX_AHEAD + CLOSE)

// ---- Machines -------------------------------------------------------------------------------

static struct pmon_span
without_slashes(struct pmon_span name)
{
	while (name.len > 0 && name.ptr[0] == '\\') {
		name.ptr++;
		name.len--;
	}
	return name.len > 0 ? name : (struct pmon_span){NULL, 0};
}

static enum pmon_status
find_machine(struct perfblock *pb, struct pmon_span name, uint32_t *out, struct pmon_err *err)
{
	struct perfblock_machine *machine;

	for (*out = 0; *out < pb->n_machines; (*out)++)
		if (pmon_text_same(pb->machines[*out].name, name))
			return PMON_OK;
	if (pb->n_machines >= MAX_MACHINES)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %d machines in one log",
				    MAX_MACHINES);
	if (!pmon_mem_grow(pb->allocator, &pb->machines, &pb->machines_cap, pb->n_machines + 1,
			   sizeof(*pb->machines)))
		return pmon_err_nomem(err);
	machine = &pb->machines[pb->n_machines];
	*machine = (struct perfblock_machine){{NULL, 0}, 0};
	if (!pmon_arena_copy(&pb->tables->arena, name, &machine->name))
		return pmon_err_nomem(err);
	pb->n_machines++;
	return PMON_OK;
}

static enum pmon_status
name_machine(struct perfblock *pb, struct perfblock_block *block, struct pmon_err *err)
{
	struct perfblock_script script = {.big_endian = block->head.big_endian};
	struct pmon_span name;

	if (pb->machine.ptr != NULL)
		return find_machine(pb, pb->machine, &block->machine, err);
	if (!pmon_perfblock_utf8(pb, &pb->name_text, &block->head.system_name, script, &name))
		return pmon_err_nomem(err);
	return find_machine(pb, without_slashes(name), &block->machine, err);
}

// ---- Blocks ---------------------------------------------------------------------------------

void
pmon_perfblock_group_begin(struct perfblock *pb)
{
	pb->n_blocks = 0;
	pb->n_bytes = 0;
	pb->parents.is_loaded = false;
}

enum pmon_status
pmon_perfblock_group_room(struct perfblock *pb, size_t len, uint8_t **out, struct pmon_err *err)
{
	if (!pmon_mem_grow(pb->allocator, &pb->bytes, &pb->bytes_cap, pb->n_bytes + len, 1) ||
	    !pmon_mem_grow(pb->allocator, &pb->blocks, &pb->blocks_cap, pb->n_blocks + 1,
			   sizeof(*pb->blocks)))
		return pmon_err_nomem(err);
	*out = pb->bytes + pb->n_bytes;
	return PMON_OK;
}

void
pmon_perfblock_group_add(struct perfblock *pb, size_t len, uint64_t offset)
{
	pb->blocks[pb->n_blocks++] =
		(struct perfblock_block){.at = pb->n_bytes, .len = len, .offset = offset};
	pb->n_bytes += len;
}

static void
tell_foreign(struct perfblock *pb, const struct perfblock_block *block)
{
	if (pb->is_foreign_told)
		return;
	pb->is_foreign_told = true;
	pb->report.info->writer = "Samba";
	pmon_report_remark(&pb->report, block->offset,
			   "the lengths of blocks are without their heads, as Samba writes them");
}

// Prepare a block that was read. One with an invalid header is finished at once.
static enum pmon_status
prepare(struct perfblock *pb, struct perfblock_block *block, struct pmon_err *err)
{
	uint8_t *bytes = pb->bytes + block->at;

	if (block->len >= PERFBLOCK_HEAD_BYTES) {
		block->foreign = pmon_perfblock_mend(bytes, block->len);
		if (pmon_perf_block_init(&block->head, bytes, block->len, block->offset)) {
			block->time = pmon_perfblock_time(&block->head);
			if (block->foreign)
				tell_foreign(pb, block);
			return name_machine(pb, block, err);
		}
	}
	block->is_done = true;
	pmon_report_loss(&pb->report, block->offset, block->len, "the head of a block is damaged");
	return PMON_OK;
}

enum pmon_status
pmon_perfblock_group_ready(struct perfblock *pb, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < pb->n_blocks; i++)
		status = prepare(pb, &pb->blocks[i], err);
	return status;
}

// ---- Samples --------------------------------------------------------------------------------

static enum pmon_status
load_block(struct perfblock *pb, struct perfblock_block *block, bool *any, struct pmon_err *err)
{
	struct pmon_perf_block walk = block->head;
	struct pmon_perf_object object;
	enum pmon_status status = PMON_OK;
	uint64_t damaged = pb->report.info->bytes_damaged;

	block->is_done = true;
	while (status == PMON_OK && pmon_perf_block_next(&walk, &object)) {
		*any = true;
		status = pmon_perfblock_object_load(pb, block, &object, err);
	}
	if (status == PMON_OK && !pmon_perf_block_ok(&walk))
		pmon_report_loss(
			&pb->report, walk.rd.fail_at, block->offset + block->len - walk.rd.fail_at,
			"an object in a block is damaged; skipping it and the rest of the block");
	pmon_report_settle(&pb->report, damaged, block->len);
	return status;
}

// SystemTime is documented as UTC, but local in blocks from Windows' logs, in which case it reveals
// the offset.
static int32_t
offset_of(const struct pmon_perf_block *head, pmon_time time)
{
	int64_t gap, quarters;

	if (head->system_time == PMON_TIME_NONE || head->perf_time_100ns != time)
		return 0;
	gap = head->system_time - time;
	if (IS_FAR(gap))
		return 0;
	quarters = (gap + (gap < 0 ? -QUARTER : QUARTER) / 2) / QUARTER;
	gap -= quarters * QUARTER;
	return gap < -CLOSE || gap > CLOSE ? 0 : (int32_t)quarters * 15;
}

static void
finish(struct perfblock *pb, const struct perfblock_block *first)
{
	struct pmon_sample *sample = &pb->sample;

	*sample = (struct pmon_sample){
		.time = first->time,
		.utc_offset_min = offset_of(&first->head, first->time),
		.stream = first->machine,
		.ordinal = pb->machines[first->machine].n_samples++,
		.n = pb->tables->n,
		.series = pb->tables->series,
		.raw = pb->tables->raw,
		.perf_100ns = pmon_perf_100ns(first->head.perf_time, first->head.perf_freq),
	};
}

enum pmon_status
pmon_perfblock_group_sample(struct perfblock *pb, bool *any_out, struct pmon_err *err)
{
	struct perfblock_block *first = NULL;
	enum pmon_status status = PMON_OK;

	*any_out = false;
	pmon_tables_begin(pb->tables);
	for (size_t i = 0; status == PMON_OK && i < pb->n_blocks; i++) {
		struct perfblock_block *block = &pb->blocks[i];

		if (block->is_done || (first != NULL && block->machine != first->machine))
			continue;
		if (first == NULL) {
			first = block;
			pb->report.here++;
		}
		status = load_block(pb, block, any_out, err);
	}
	if (status != PMON_OK)
		return status;
	if (first == NULL)
		return PMON_END;
	finish(pb, first);
	return PMON_OK;
}
