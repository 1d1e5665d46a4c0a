// read_file.c - how fast a file in the page cache is read, and nothing more: read_file FILE THREADS
// SPDX-License-Identifier: MIT
//
// Each thread reads its part of the file by position into a buffer that stays in the second-level
// cache, and looks at nothing: a reader that gets its bytes from the system so cannot be faster. Prints
// the seconds of the fastest of five times.

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

#define BEST        5
#define MOST        16 // threads
#define BUFFER_SIZE ((size_t)256 * 1024)

struct part {
	int fd;
	off_t from;
	off_t to;
	bool failed;
};

static void *
read_part(void *arg)
{
	struct part *part = arg;
	char *buffer = malloc(BUFFER_SIZE);
	ssize_t n = 0;

	for (off_t at = part->from; buffer != NULL && at < part->to; at += n) {
		size_t left = (size_t)(part->to - at);

		n = pread(part->fd, buffer, left < BUFFER_SIZE ? left : BUFFER_SIZE, at);
		if (n <= 0)
			break;
	}
	part->failed = buffer == NULL || n <= 0;
	free(buffer);
	return NULL;
}

static double
read_file(int fd, off_t size, int threads)
{
	struct part parts[MOST];
	pthread_t ids[MOST];
	double start = bench_seconds(CLOCK_MONOTONIC);

	for (int i = 0; i < threads; i++) {
		parts[i] = (struct part){
			.fd = fd, .from = size / threads * i, .to = size / threads * (i + 1)};
		if (i == threads - 1)
			parts[i].to = size;
		if (pthread_create(&ids[i], NULL, read_part, &parts[i]) != 0)
			bench_fail("no thread");
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		if (parts[i].failed)
			bench_fail("the file cannot be read");
	}
	return bench_seconds(CLOCK_MONOTONIC) - start;
}

int
main(int argc, char **argv)
{
	int threads = argc == 3 ? atoi(argv[2]) : 0;
	double best = 1e9;
	off_t size;
	int fd;

	if (threads < 1 || threads > MOST)
		bench_fail("usage: read_file FILE THREADS");
	fd = open(argv[1], O_RDONLY);
	size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	if (size < 0)
		bench_fail("the file cannot be read");
	for (int i = 0; i < BEST; i++) {
		double took = read_file(fd, size, threads);

		best = took < best ? took : best;
	}
	printf("%.6f\n", best);
	close(fd);
	return 0;
}
