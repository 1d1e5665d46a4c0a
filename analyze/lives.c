// lives.c - processes of one name that follow each other
// SPDX-License-Identifier: MIT

#include "analyze/lives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define PAUSE    3  // samples from one life to the next, at most
#define LOOP     3  // starts
#define SHORT    12 // of lives of that length or longer the log could hold: a life is short
#define SLOW     2  // samples between two starts: fewer say little about their intervals
#define RECYCLED 3  // lives that leak
#define PARTS    8  // of a life that can leak
#define LEAK     9
#define GROWTH   3 // all together, in units of the shift

// One life, or the last one of a chain of lives.
struct life {
	const struct track *track;
	uint32_t starts; // of the chain so far
	uint32_t lives;  // of it that are long enough to tell
	uint32_t leaks;  // ... and that grew
	double growth;   // all together
	double begins;   // the sum of the levels where they begin, and where they end
	double ends;
	double worst;
	uint32_t samples; // of all of them
	double squares;   // of the distances of starts in samples, from the second life on
	const struct track *first;
	const struct track *second; // the first that was started again
	bool has_next;
};

// Called for each loop and each leak.
struct found {
	bool (*add)(void *ctx, const struct track *track, const struct shift *shift);
	void *ctx;
};

static int
in_order(const void *a, const void *b)
{
	const struct track *x = ((const struct life *)a)->track;
	const struct track *y = ((const struct life *)b)->track;
	int order = pmon_text_order(x->series->path.instance, y->series->path.instance);

	if (order == 0)
		order = pmon_text_order(x->series->path.machine, y->series->path.machine);
	if (order != 0)
		return order;
	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	if (x->bins.from != y->bins.from)
		return x->bins.from < y->bins.from ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

static bool
is_of(const struct track *t, const char *counter)
{
	return t->series->of_process && t->bins.n > 0 && t->meaning->resource == MEANING_PROCESS &&
	       pmon_text_same(t->meaning->counter, (struct pmon_span){counter, strlen(counter)});
}

static bool
has_name_of(const struct life *a, const struct life *b)
{
	const struct track *x = a->track;
	const struct track *y = b->track;

	return x->stream == y->stream &&
	       pmon_text_same(x->series->path.instance, y->series->path.instance) &&
	       pmon_text_same(x->series->path.machine, y->series->path.machine);
}

static bool
follows(const struct life *next, const struct life *life)
{
	const struct track *a = life->track;
	const struct track *b = next->track;

	return !life->has_next && b->bins.from > a->bins.from && b->bins.from + 1 >= a->bins.next &&
	       b->bins.from - a->bins.next + 1 <= PAUSE + 1;
}

// A life that is too short has no growth.
static void
begin(struct life *life)
{
	const struct bins *bins = &life->track->bins;
	uint32_t length = bins->next - bins->from;
	uint32_t part = length / PARTS;

	life->first = life->track;
	if (length < PARTS)
		return;
	life->lives = 1;
	life->samples = length;
	life->begins = bins_mean(bins, bins->from, bins->from + part);
	life->ends = life->worst = bins_mean(bins, bins->next - part, bins->next);
	life->growth = fmax(life->ends - life->begins, 0);
	life->leaks = life->ends - life->begins > life->track->meaning->shift / 8;
}

static void
continues(struct life *life, const struct life *before)
{
	double distance = life->track->bins.from - before->track->bins.from;

	life->first = before->first;
	life->starts = before->starts + 1;
	life->second = before->starts > 0 ? before->second : life->track;
	life->squares = before->starts > 0 ? before->squares + distance * distance : 0;
	life->lives += before->lives;
	life->leaks += before->leaks;
	life->samples += before->samples;
	life->growth += before->growth;
	life->begins += before->begins;
	life->ends += before->ends;
	life->worst = fmax(life->worst, before->worst);
}

// Lives are in the order of their beginnings: each continues the chain of the one that ended last.
static void
chain(struct life *lives, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		begin(&lives[i]);
		for (size_t k = i; k-- > 0 && has_name_of(&lives[k], &lives[i]);) {
			if (!follows(&lives[i], &lives[k]))
				continue;
			lives[k].has_next = true;
			continues(&lives[i], &lives[k]);
			break;
		}
	}
}

// Starts of processes of this name while the chain lasted, in it or not. Lives of one name are adjacent in the list.
static uint32_t
starts_of_name(const struct life *lives, size_t n, const struct life *last)
{
	size_t i = (size_t)(last - lives);
	uint32_t starts = 0;

	while (i > 0 && has_name_of(&lives[i - 1], last))
		i--;
	for (; i < n && has_name_of(&lives[i], last); i++)
		starts += lives[i].track->bins.from > last->second->bins.from &&
			  lives[i].track->bins.from <= last->track->bins.from;
	return starts;
}

// A service that crashes restarts at regular intervals. A build or a script starts many programs of one name, such as
// compilers and shells, at irregular intervals and several at once. Starts are known only to the sample, so if they are
// less than SLOW samples apart, all intervals must be equal and nothing else of that name may start.
static bool
is_regular(const struct life *lives, size_t n, const struct life *last)
{
	uint32_t n_distances = last->starts - 1;
	double mean = (last->track->bins.from - last->second->bins.from) / (double)n_distances;
	double variance = last->squares / n_distances - mean * mean;

	if (mean < SLOW)
		return variance <= mean * mean / 16 &&
		       starts_of_name(lives, n, last) == n_distances;
	return variance <= mean * mean / 16 + 0.25;
}

static bool
note_loop(const struct tracks *tracks, const struct found *found, const struct life *lives,
	  size_t n, const struct life *last)
{
	const struct track *t = last->track;
	uint64_t length = t->bins.next - last->first->bins.from;
	const struct shift shift = {.kind = SHIFT_LOOP,
				    .from = last->first->bins.next,
				    .to = t->bins.from + 1,
				    .times = last->starts,
				    .score = 6};

	if (last->starts < LOOP ||
	    length * SHORT > (last->starts + 1) * (uint64_t)tracks_samples(tracks, t->stream) ||
	    !is_regular(lives, n, last))
		return true;
	return found->add(found->ctx, t, &shift);
}

static bool
note_leak(const struct tracks *tracks, const struct found *found, const struct life *lives,
	  size_t n, const struct life *last)
{
	const struct track *t = last->track;
	struct shift shift = {.kind = SHIFT_RECYCLED,
			      .from = last->first->bins.from,
			      .to = t->bins.next,
			      .worst = last->worst,
			      .score = LEAK,
			      .times = last->lives};

	(void)tracks;
	(void)lives;
	(void)n;
	if (last->lives < RECYCLED || last->leaks + 1 < last->lives ||
	    last->growth < GROWTH * t->meaning->shift)
		return true;
	shift.usual = last->begins / last->lives;
	shift.level = last->ends / last->lives;
	shift.every = last->samples / last->lives;
	return found->add(found->ctx, t, &shift);
}

static size_t
gather(const struct tracks *tracks, const char *counter, struct life *out)
{
	size_t n = 0;

	for (size_t i = 0; i < tracks->n; i++)
		if (tracks->list[i] != NULL && is_of(tracks->list[i], counter))
			out[n++] = (struct life){.track = tracks->list[i]};
	qsort(out, n, sizeof(*out), in_order);
	chain(out, n);
	return n;
}

static bool
note_all(const struct tracks *tracks, const char *counter, struct life *lives,
	 bool (*note)(const struct tracks *tracks, const struct found *found,
		      const struct life *lives, size_t n, const struct life *last),
	 const struct found *found)
{
	size_t n = gather(tracks, counter, lives);

	for (size_t i = 0; i < n; i++)
		if (!lives[i].has_next && !note(tracks, found, lives, n, &lives[i]))
			return false;
	return true;
}

bool
lives_find(const struct tracks *tracks,
	   bool (*add)(void *ctx, const struct track *track, const struct shift *shift), void *ctx)
{
	static const char *const leaks[] = {"Private Bytes", "Handle Count", "Thread Count"};
	const struct found found = {add, ctx};
	struct life *lives = calloc(tracks->n + 1, sizeof(*lives));
	bool good = lives != NULL && note_all(tracks, "% Processor Time", lives, note_loop, &found);

	for (size_t i = 0; good && i < sizeof(leaks) / sizeof(leaks[0]); i++)
		good = note_all(tracks, leaks[i], lives, note_leak, &found);
	free(lives);
	return good;
}
