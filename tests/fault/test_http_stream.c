// test_http_stream.c - an event stream that cannot be answered frees its place
// SPDX-License-Identifier: MIT
//
// There are 16 places for streams. A failing function replaces MHD_create_response_from_callback()
// in the table of libmicrohttpd's calls.

#include "t.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "memsource.h"
#include "web/http.h"
#include "web/view.h"
#include "web/view_private.h"

#ifdef PMON_WITH_WEB

#include "web/http_private.h"

static int refused;

static struct MHD_Response *
refuse(uint64_t size, size_t block, MHD_ContentReaderCallback reader, void *ctx,
       MHD_ContentReaderFreeCallback free_ctx)
{
	(void)size, (void)block, (void)reader, (void)ctx, (void)free_ctx;
	refused++;
	return NULL;
}

// Request events once, and wait until the server closes the connection.
static void
ask(const struct http *http)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	char request[300];
	char answer[300];
	unsigned port = http->guard.port;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int len;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((uint16_t)port);
	assert_true(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	len = snprintf(request, sizeof(request),
		       "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
		       "Authorization: Bearer %s\r\n\r\n",
		       port, http->guard.secret);
	assert_true(write(fd, request, (size_t)len) == len);
	while (read(fd, answer, sizeof(answer)) > 0)
		;
	(void)close(fd);
}

static void
test_places_are_given_back(void **state)
{
	struct mem_source *m = mem_source_new();
	struct http_options options = {.port = 0};
	struct set_plan plans[VIEW_SETS] = {{.n_files = 0}};
	struct pmon_calc_options calc = {.size = sizeof(calc), .policy = PMON_POLICY_DEFAULT};
	struct view *view;
	struct http *http;
	struct pmon_err err;

	(void)state;
	(void)mem_source_series(m, "\\Memory\\Available MBytes", PMON_PERF_COUNTER_RAWCOUNT, 0);
	mem_source_sample(m, INT64_C(134200000) * PMON_TIME_PER_SEC);
	mem_source_raw(m, 0, 1, 0);
	plans[0].source = mem_source_open(m);
	assert_true(view_new(&view, &err) == PMON_OK);
	assert_true(view_open(view, plans, &calc, &err) == PMON_OK);
	assert_true(http_open(view, &options, &http, &err) == PMON_OK);
	mhd.create_response_from_callback = refuse;
	for (int i = 0; i < 20; i++)
		ask(http);
	assert_int_equal(refused, 20);
	assert_int_equal(view->streams, 0);
	view_stop(view);
	http_close(http);
	view_free(view);
	pmon_source_close(plans[0].source);
}
#else
static void
test_places_are_given_back(void **state)
{
	(void)state;
	skip();
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_places_are_given_back)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
