// bins.c - the course of one series in bounded memory
// SPDX-License-Identifier: MIT

#include "analyze/bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 8
#define BINS_TRIED 15
#define LOSS       1e30F // of a bin without values and one with: they become one last

static float
smaller(float a, float b)
{
	return a < b ? a : b;
}

// ---- Medians --------------------------------------------------------------------------------

static int
in_order(const void *a, const void *b)
{
	float x = *(const float *)a;
	float y = *(const float *)b;

	return (x > y) - (x < y);
}

double
bins_median(float *list, size_t n)
{
	if (n == 0)
		return NAN;
	qsort(list, n, sizeof(*list), in_order);
	return n % 2 != 0 ? (double)list[n / 2]
			  : ((double)list[n / 2 - 1] + (double)list[n / 2]) / 2;
}

// ---- Bins -----------------------------------------------------------------------------------

// How much is lost when two neighbours become one: the squares of what their samples move.
static float
loss_of(const struct bin *a, const struct bin *b)
{
	float difference = a->mean - b->mean;
	float n = (float)a->n * (float)b->n / ((float)a->n + (float)b->n);

	if (isnan(a->mean) && isnan(b->mean))
		return 0;
	if (isnan(difference))
		return LOSS * smaller((float)a->n, (float)b->n);
	return smaller(n * difference * difference, LOSS / 2);
}

static struct bin
joined(const struct bin *a, const struct bin *b)
{
	double n = (double)a->n + b->n;
	double mean = (double)a->mean + ((double)b->mean - (double)a->mean) * (b->n / n);

	if (isnan(mean))
		mean = isnan(a->mean) ? (double)b->mean : (double)a->mean;
	return (struct bin){a->n + b->n, (float)mean};
}

// About the median of the losses between neighbours, from some of them that are evenly spread.
static float
middle_loss(const struct bins *bins, const float *losses)
{
	float some[BINS_TRIED];

	for (uint32_t i = 0; i < BINS_TRIED; i++) {
		float loss = losses[(bins->n - 2) * i / (BINS_TRIED - 1)];
		uint32_t at = i;

		for (; at > 0 && some[at - 1] > loss; at--)
			some[at] = some[at - 1];
		some[at] = loss;
	}
	return some[BINS_TRIED / 2];
}

// Join the neighbours that differ least, about a third of all.
static void
make_room(struct bins *bins)
{
	float losses[BINS_MOST];
	uint32_t n = 0;
	float most;

	for (uint32_t i = 0; i + 1 < bins->n; i++)
		losses[i] = loss_of(&bins->list[i], &bins->list[i + 1]);
	most = middle_loss(bins, losses);
	bins->joins = most < LOSS ? most : bins->joins;
	for (uint32_t i = 0; i < bins->n; n++) {
		bool joins = i + 1 < bins->n && losses[i] <= most;

		bins->list[n] = joins ? joined(&bins->list[i], &bins->list[i + 1]) : bins->list[i];
		i += joins ? 2 : 1;
	}
	bins->n = n;
}

// A longer list in the place of one that is full; NULL when memory is short.
static void *
grown(void *list, uint32_t *cap, uint32_t most, size_t size)
{
	uint32_t room = *cap == 0 ? FIRST_ROOM : *cap * 2 < most ? *cap * 2 : most;
	void *longer = realloc(list, room * size);

	if (longer != NULL)
		*cap = room;
	return longer;
}

static bool
has_room(struct bins *bins)
{
	struct bin *list = bins->n < bins->cap
				   ? bins->list
				   : grown(bins->list, &bins->cap, BINS_MOST, sizeof(*list));

	bins->list = list != NULL ? list : bins->list;
	return list != NULL;
}

static bool
can_pick(struct bins *bins)
{
	struct bins_pick *picks =
		bins->n_picks < bins->cap_picks
			? bins->picks
			: grown(bins->picks, &bins->cap_picks, BINS_PICKS, sizeof(*picks));

	bins->picks = picks != NULL ? picks : bins->picks;
	return picks != NULL;
}

static bool
append(struct bins *bins, struct bin bin)
{
	if (bins->n == BINS_MOST)
		make_room(bins);
	if (!has_room(bins))
		return false;
	bins->list[bins->n++] = bin;
	return true;
}

bool
bins_end(struct bins *bins)
{
	struct bin open = bins->open;

	bins->open.n = 0;
	return open.n == 0 || append(bins, open);
}

// What would become one bin when room is made becomes one at once.
static bool
add_value(struct bins *bins, float value)
{
	float n = (float)bins->open.n;
	float difference = value - bins->open.mean;

	if (n > 0 && n * difference * difference <= bins->joins * (n + 1)) {
		bins->open.mean += difference / (n + 1);
		bins->open.n++;
		return true;
	}
	if (!bins_end(bins))
		return false;
	bins->open = (struct bin){1, value};
	return true;
}

static bool
add_none(struct bins *bins, uint32_t n)
{
	return bins_end(bins) && append(bins, (struct bin){n, NAN});
}

// ---- Picked samples -------------------------------------------------------------------------

// Numbers in no order, so that what happens at a regular distance is not picked or missed each time.
static uint32_t
hash_of(uint32_t at)
{
	at = (at ^ at >> 16) * UINT32_C(0x7FEB352D);
	at = (at ^ at >> 15) * UINT32_C(0x846CA68B);
	return at ^ at >> 16;
}

static bool
pick(struct bins *bins, uint32_t at, float value)
{
	uint32_t n = 0;

	if ((hash_of(at) & bins->skips) != 0)
		return true;
	while (bins->n_picks == BINS_PICKS) {
		bins->skips = bins->skips * 2 + 1;
		for (uint32_t i = n = 0; i < bins->n_picks; i++)
			if ((hash_of(bins->picks[i].at) & bins->skips) == 0)
				bins->picks[n++] = bins->picks[i];
		bins->n_picks = n;
	}
	if ((hash_of(at) & bins->skips) != 0)
		return true;
	if (!can_pick(bins))
		return false;
	bins->picks[bins->n_picks++] = (struct bins_pick){at, value};
	return true;
}

bool
bins_add(struct bins *bins, uint32_t at, double value)
{
	if (bins->next == 0)
		bins->from = bins->next = at;
	if (at < bins->next)
		return true; // a second value of a sample
	if (at > bins->next && !add_none(bins, at - bins->next))
		return false;
	bins->next = at + 1;
	return add_value(bins, (float)value) && pick(bins, at, (float)value);
}

void
bins_free(struct bins *bins)
{
	free(bins->list);
	free(bins->picks);
	*bins = (struct bins){.n = 0};
}

// ---- What they say --------------------------------------------------------------------------

struct bins_usual
bins_usual(const struct bins *bins)
{
	float values[BINS_PICKS];
	struct bins_usual usual;

	for (uint32_t i = 0; i < bins->n_picks; i++)
		values[i] = bins->picks[i].value;
	usual.median = bins_median(values, bins->n_picks);
	for (uint32_t i = 0; i < bins->n_picks; i++)
		values[i] = fabsf(bins->picks[i].value - (float)usual.median);
	usual.spread = 1.4826 * bins_median(values, bins->n_picks);
	return usual;
}

double
bins_mean(const struct bins *bins, uint32_t from, uint32_t to)
{
	uint32_t begin = bins->from;
	double sum = 0;
	double n = 0;

	for (uint32_t i = 0; i < bins->n; begin += bins->list[i++].n) {
		uint32_t end = begin + bins->list[i].n;
		uint32_t a = begin > from ? begin : from;
		uint32_t b = end < to ? end : to;

		if (a >= b || isnan(bins->list[i].mean))
			continue;
		sum += (double)(b - a) * (double)bins->list[i].mean;
		n += b - a;
	}
	return n > 0 ? sum / n : NAN;
}
