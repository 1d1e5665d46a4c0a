// system.c - a running Windows: its blocks of performance data as samples
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "live/windows/windows.h"
#include "os/clock.h"

#define FIRST_BYTES ((size_t)256 << 10)

struct live_host {
	struct perfblock blocks;
	const char *value; // that is queried for each sample
	size_t size;       // of the largest block so far, and more
	bool is_empty_told;
	bool is_failure_told;
};

// ---- Blocks ---------------------------------------------------------------------------------

// Query a block into the group. How much room it needs is known only when it has enough. The report is at no step
// then: a damaged head is a failure of the query.
static enum pmon_status
query(struct live *live, const char *value, struct pmon_err *err)
{
	struct live_host *host = live->host;
	struct perfblock *pb = &host->blocks;
	enum pmon_status status;
	uint8_t *bytes;
	size_t len = 0;

	pmon_perfblock_group_begin(pb);
	for (;;) {
		status = pmon_perfblock_group_room(pb, host->size, &bytes, err);
		if (status == PMON_OK)
			status = pmon_win_query(WIN_DATA, value, bytes, host->size, &len, err);
		if (status != PMON_E_LIMIT)
			break;
		if (host->size >= pb->max_bytes)
			return pmon_err_set(err, PMON_E_LIMIT, 0,
					    "the performance data of this machine exceeds %zu "
					    "bytes; choose counters with -c",
					    pb->max_bytes);
		host->size = host->size < pb->max_bytes / 2 ? host->size * 2 : pb->max_bytes;
	}
	if (status != PMON_OK)
		return status;
	pmon_perfblock_group_add(pb, len, 0);
	return pmon_perfblock_group_ready(pb, err);
}

static enum pmon_status
query_block(struct live *live, const char *value, const struct perfblock_block **out,
	    struct pmon_err *err)
{
	enum pmon_status status = query(live, value, err);

	*out = &live->host->blocks.blocks[0];
	if (status == PMON_OK && (*out)->is_done)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "Windows did not return a PERF_DATA_BLOCK");
	return status;
}

// ---- The machine ----------------------------------------------------------------------------

static enum pmon_status
set_writer(struct live *live, struct pmon_err *err)
{
	char version[WIN_TEXT_BYTES];
	char buf[WIN_TEXT_BYTES + 64];
	struct pmon_span text;

	pmon_win_version(version);
	(void)snprintf(buf, sizeof(buf), "pmon " PMON_VERSION_TEXT " on Windows%s%s",
		       version[0] != '\0' ? " " : "", version);
	if (!pmon_arena_copy(&live->arena, (struct pmon_span){buf, strlen(buf)}, &text))
		return pmon_err_nomem(err);
	live->source.info.writer = text.ptr;
	return PMON_OK;
}

// The performance clock begins when the system does.
static pmon_time
boot_of(const struct perfblock_block *block)
{
	int64_t freq = block->head.perf_freq;
	int64_t time = block->head.perf_time;

	if (freq <= 0 || time < 0 || block->time == PMON_TIME_NONE ||
	    time / freq > INT64_MAX / PMON_TIME_PER_SEC / 2)
		return PMON_TIME_NONE;
	return block->time - time / freq * PMON_TIME_PER_SEC;
}

static enum pmon_status
describe(struct live *live, const struct perfblock_block *block, struct pmon_err *err)
{
	struct pmon_source_info *info = &live->source.info;
	struct pmon_host *host = pmon_arena_alloc(&live->arena, sizeof(*host));
	char guid[WIN_TEXT_BYTES];

	if (host == NULL)
		return pmon_err_nomem(err);
	live->machine = live->host->blocks.machines[block->machine].name;
	info->machine = live->machine.ptr != NULL ? live->machine.ptr : "";
	info->converter = "";
	info->sampled_by_pmon = true;
	*host = (struct pmon_host){.boot = boot_of(block), .perf_freq = block->head.perf_freq};
	info->host = host;
	info->format = "Windows";
	info->live = true;
	info->zone = "";
	info->log_start = block->time;
	info->log_end = PMON_TIME_NONE;
	info->utc_offset_min = pmon_os_utc_offset_min(block->time);
	if (set_writer(live, err) != PMON_OK)
		return PMON_E_NOMEM;
	pmon_win_machine_guid(guid);
	return pmon_live_give_id(live, guid, err);
}

// ---- The system -----------------------------------------------------------------------------

static enum pmon_status
check_options(const struct pmon_live_options *options, struct pmon_err *err)
{
	if (options->root != NULL || options->replay != NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "Windows has no /proc: there is nothing to sample in %s",
				    options->replay != NULL ? options->replay : options->root);
	if (options->pid_names)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "process names come from Windows: for names with process IDs, "
				    "set ProcessNameFormat of the service PerfProc to 2");
	return PMON_OK;
}

static void
prepare(struct live *live)
{
	const struct pmon_live_options *options = &live->options;
	struct perfblock *pb = &live->host->blocks;

	pmon_perfblock_init(pb, live->allocator);
	pb->tables = &live->tables;
	pb->max_bytes = pmon_limits_filled(&options->limits).record_bytes;
	pb->is_of_here = true;
	if (options->machine != NULL)
		pb->machine = (struct pmon_span){options->machine, strlen(options->machine)};
	pb->report = (struct pmon_report){.notice = options->notice,
					  .notice_ctx = options->notice_ctx,
					  .allocator = live->allocator,
					  .info = &live->source.info};
	live->host->size = pb->max_bytes < FIRST_BYTES ? pb->max_bytes : FIRST_BYTES;
}

static enum pmon_status
windows_open(struct live *live, struct pmon_err *err)
{
	const struct perfblock_block *block;
	enum pmon_status status = check_options(&live->options, err);

	if (status != PMON_OK)
		return status;
	live->host = pmon_mem_alloc0(live->allocator, sizeof(*live->host));
	if (live->host == NULL)
		return pmon_err_nomem(err);
	prepare(live);
	status = pmon_win_load_names(live, &live->host->blocks.titles, err);
	if (status == PMON_OK)
		status = pmon_win_choose(live, &live->host->blocks.titles, &live->host->value, err);
	if (status == PMON_OK)
		status = query_block(live, WIN_SYSTEM, &block, err);
	return status == PMON_OK ? describe(live, block, err) : status;
}

static void
tell_once(struct live *live, bool *is_told, const struct pmon_notice *notice)
{
	if (*is_told)
		return;
	*is_told = true;
	live->source.info.losses += notice->is_loss;
	if (live->options.notice != NULL)
		live->options.notice(live->options.notice_ctx, notice);
}

static void
tell_failure(struct live *live, const struct pmon_err *failure)
{
	char text[sizeof(failure->msg) + 64];
	const struct pmon_notice notice = {.text = text, .is_loss = true};

	(void)snprintf(text, sizeof(text), "a sample has no counters: %s", failure->msg);
	tell_once(live, &live->host->is_failure_told, &notice);
}

static void
tell_empty(struct live *live)
{
	static const struct pmon_notice notice = {
		.text = "Windows offers no performance objects here; \"lodctr /R\" as an "
			"administrator sets them up again"};

	tell_once(live, &live->host->is_empty_told, &notice);
}

// A query that fails leaves its sample empty: the next one may succeed.
static enum pmon_status
windows_begin(struct live *live, struct pmon_err *err)
{
	const struct perfblock_block *block;
	struct pmon_err failure;
	enum pmon_status status = query_block(live, live->host->value, &block, &failure);

	live->sample.time = pmon_os_clocks().wall;
	if (status == PMON_OK && block->time != PMON_TIME_NONE)
		live->sample.time = block->time;
	live->sample.utc_offset_min = pmon_os_utc_offset_min(live->sample.time);
	if (status != PMON_E_IO && status != PMON_E_FORMAT) {
		if (err != NULL && status != PMON_OK)
			*err = failure;
		return status;
	}
	pmon_perfblock_group_begin(&live->host->blocks);
	tell_failure(live, &failure);
	return PMON_OK;
}

// What is damaged in one sample is likely to be so in the next: it is reported once.
static enum pmon_status
windows_collect(struct live *live, struct pmon_err *err)
{
	struct perfblock *pb = &live->host->blocks;
	uint64_t losses = live->source.info.losses;
	enum pmon_status status;
	bool any;

	status = pmon_perfblock_group_sample(pb, &any, err);
	if (status == PMON_END)
		return PMON_OK; // the query failed
	if (status == PMON_OK && !any && strcmp(live->host->value, "Global") == 0)
		tell_empty(live);
	if (live->source.info.losses > losses)
		pmon_report_rewind(&pb->report);
	pb->report.here = 0;
	return status;
}

static void
windows_close(struct live *live)
{
	if (live->host == NULL)
		return;
	pmon_perfblock_free(&live->host->blocks);
	pmon_mem_free(live->allocator, live->host, sizeof(*live->host));
	pmon_win_end();
}

const struct live_system pmon_live_windows = {
	.objects = pmon_win_objects,
	.n_objects = WIN_OBJECTS,
	.open = windows_open,
	.begin = windows_begin,
	.collect = windows_collect,
	.close = windows_close,
};
