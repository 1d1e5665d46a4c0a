// fuzz.c - libFuzzer target: a log for the page, and requests of its API
// SPDX-License-Identifier: MIT
//
// The log is read as in pmon view; then each endpoint is requested as often as the choices say.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/format.h"
#include "fuzz_input.h"
#include "os/file.h"
#include "web/api.h"
#include "web/events.h"
#include "web/view.h"
#include "web/view_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static const char *const paths[] = {"/api/log",     "/api/tree",     "/api/select", "/api/first",
				    "/api/series",  "/api/matching", "/api/data",   "/api/explain",
				    "/api/marks",   "/api/export",   "/api/events", "/api/findings",
				    "/api/changes", "/api/top"};

// Values of parameters, good and bad ones.
static const struct call_param params[][6] = {
	{{"ids", "0", 1}, {"id", "0", 1}},
	{{"ids", "0,1,2,3", 7}, {"id", "3", 1}, {"columns", "1", 1}, {"to_set", "0", 1}},
	{{"ids", "4294967295", 10}, {"id", "4294967295", 10}, {"at", "0", 1}},
	{{"ids", "0", 1},
	 {"id", "0", 1},
	 {"from", "-9223372036854775808", 20},
	 {"to", "9223372036854775807", 19}},
	{{"ids", "1", 1},
	 {"id", "1", 1},
	 {"from", "2016-02-15T08:53:20Z", 20},
	 {"columns", "4000", 4}},
	{{"ids", "0", 1}, {"id", "0", 1}, {"at", "1970-01-01T00:00:00Z", 20}, {"format", "csv", 3}},
	{{"q", "pro", 3},
	 {"limit", "1", 1},
	 {"offset", "1", 1},
	 {"format", "json", 4},
	 {"ids", "0", 1}},
	{{"pattern", "\\*(*)\\*", 7},
	 {"machine", "", 0},
	 {"object", "Process", 7},
	 {"max", "3", 1}},
	{{"pattern", "\\Process(*", 10}, {"counter", "\xff\0x", 3}, {"offset", "99999999999", 11}},
	{{"set", "1", 1}, {"ids", ",,", 2}},
};

static void
check_answer(const struct call *call, const char *text, size_t len)
{
	FUZZ_REQUIRE(call->status >= 200 && call->status < 600);
	FUZZ_REQUIRE(call->status == 200 || call->error[0] != '\0');
	if (call->status != 200 || strcmp(call->type, "application/json") != 0 ||
	    call->events != NULL || call->body != NULL || call->fd >= 0)
		return;
	fuzz_check_json(text, len);
}

static void
request(struct view *view, const char *path, const struct call_param *with)
{
	struct call call = {
		.view = view, .path = path, .status = 200, .type = "application/json", .fd = -1};
	char *text = NULL;
	size_t len = 0;

	while (call.n_params < 6 && with[call.n_params].name != NULL) {
		call.params[call.n_params] = with[call.n_params];
		call.n_params++;
	}
	call.json.stream = open_memstream(&text, &len);
	FUZZ_REQUIRE(call.json.stream != NULL);
	api_find(path)->answer(&call);
	call_end(&call);
	FUZZ_REQUIRE(fclose(call.json.stream) == 0);
	check_answer(&call, text, len);
	free(text);
	if (call.events != NULL)
		events_close(call.events);
	if (call.fd >= 0)
		close(call.fd);
}

static void
requests(struct view *view, const struct fuzz_input *input)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		request(view, paths[i], FUZZ_PICK(input, i, params));
	for (size_t i = 0; i < FUZZ_CHOICES; i++)
		request(view, FUZZ_PICK(input, i, paths),
			params[input->choices[i] / 16 % (sizeof(params) / sizeof(params[0]))]);
}

static void
note(void *ctx, const struct pmon_notice *notice)
{
	view_note_damage(ctx, 0, notice);
}

static void
wait_until_read(struct view *view)
{
	static const struct timespec moment = {.tv_nsec = 100000};

	while (set_facts(view->sets[0]).state == SET_LOADING)
		(void)nanosleep(&moment, NULL);
}

static void
show(const struct fuzz_input *input, struct view *view)
{
	static const char *const files[] = {"log"};
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = note, .notice_ctx = view};
	struct set_plan plans[2] = {{.files = files, .n_files = 1}};
	struct pmon_calc_options calc = {.size = sizeof(calc)};
	struct pmon_file *file;
	struct pmon_err err;

	FUZZ_REQUIRE(pmon_file_memory(input->log, input->log_size, NULL, &file, &err) == PMON_OK);
	if (pmon_log_open_file(file, &options, &plans[0].source, &err) != PMON_OK) {
		view_free(view);
		return;
	}
	if (view_open(view, plans, &calc, &err) == PMON_OK) {
		wait_until_read(view);
		requests(view, input);
	}
	view_free(view);
	pmon_source_close(plans[0].source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input;
	struct view *view;
	struct pmon_err err;

	fuzz_input_open(&input, data, size);
	FUZZ_REQUIRE(view_new(&view, &err) == PMON_OK);
	show(&input, view);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return fuzz_input_mutate(data, size, max_size, seed);
}
