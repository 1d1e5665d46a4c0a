// shifts.c - intervals in which a counter differs from its own usual level
// SPDX-License-Identifier: MIT

#include "analyze/shifts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST     16 // samples that tell what is usual
#define PARTS      8  // of a ramp
#define BENDS      96 // places where a ramp may begin
#define FIFTHS     5
#define BEND_SAVES 8   // squares of the noise
#define DRIFT      2   // times the floor of a latency
#define WAVES      2.5 // a ramp is so much more than the waves of its series
#define WINDOWS    40  // for the waves of a series
#define GAP        2   // samples within the usual level that do not end a pulse
#define LOW_GAP    1   // ... nor a burst
#define LOW        2   // times the threshold: a burst that is not higher is low
#define SHORTEST   3   // samples of a pulse
#define FAINT      0.1 // of the mean excess of a burst
#define BIG        20
#define EDGE       2   // samples of a bin that tells where an edge is
#define STALL      1.0 // seconds
#define LONGEST    0.6 // of all samples: what takes longer is usual
#define LEAST_AREA 8
#define TIMES      4 // as large as the other bursts
#define REPEATS    2 // of a trouble, of so many samples each
#define LONG       8
#define PERIODS    4

// A series in the direction that harms, in units of its threshold.
struct course {
	const struct bins *bins;
	struct bins_usual usual;
	double sign; // 1: more is worse; -1; 0: both are
	double threshold;
	double low; // of bursts, in units of the threshold
};

static double
excess_of(const struct course *c, float mean)
{
	double distance = (double)mean - c->usual.median;

	if (isnan(mean))
		return 0;
	return (c->sign != 0 ? distance * c->sign : fabs(distance)) / c->threshold;
}

// The share of the usual level that a change has to be.
static double
share_of(enum meaning_kind kind)
{
	switch (kind) {
	case MEANING_LATENCY:
	case MEANING_SATURATION:
		return 1;
	case MEANING_UTILIZATION:
	case MEANING_THROUGHPUT:
		return 0.5;
	case MEANING_BOUNDED:
	case MEANING_UNBOUNDED:
		return 0.35;
	default:
		return 0.25;
	}
}

static struct course
course_of(const struct bins *bins, const struct meaning *m)
{
	struct course c = {.bins = bins, .usual = bins_usual(bins)};

	c.sign = m->worse == MEANING_UP ? 1 : m->worse == MEANING_DOWN ? -1 : 0;
	c.threshold = fmax(fmax(SHIFTS_SPREADS * c.usual.spread, m->shift),
			   share_of(m->kind) * fabs(c.usual.median));
	c.low = fmax(3 * c.usual.spread / c.threshold, 0.25);
	return c;
}

double
shifts_threshold(const struct bins *bins, const struct meaning *meaning)
{
	return course_of(bins, meaning).threshold;
}

double
shifts_share(const struct meaning *meaning)
{
	return share_of(meaning->kind);
}

static double
weight_of(const struct meaning *m)
{
	switch (m->kind) {
	case MEANING_LATENCY:
		return 1.5;
	case MEANING_SATURATION:
		return 1.3;
	case MEANING_THROUGHPUT:
		return m->worse == MEANING_DOWN ? 1.4 : 1.05;
	case MEANING_ERRORS:
	case MEANING_COUNT:
	case MEANING_BOUNDED:
		return 1.2;
	default:
		return m->resource == MEANING_PROCESS && m->kind == MEANING_UTILIZATION ? 0.5 : 1;
	}
}

// ---- Bursts ---------------------------------------------------------------------------------

// A run of bins beyond a level.
struct burst {
	uint32_t from;
	uint32_t to;
	uint32_t beyond; // samples beyond it
	double area;     // of the excess over all samples
	double sum;      // of the values beyond it, and the most extreme excess with its value
	double top;
	double worst;
};

struct bursts {
	struct burst list[BINS_MOST];
	size_t n;
};

static void
add_to_burst(struct burst *b, const struct bin *bin, double excess, bool is_beyond)
{
	b->area += fmax(excess, 0) * bin->n;
	if (!is_beyond)
		return;
	b->beyond += bin->n;
	b->sum += (double)bin->mean * bin->n;
	if (excess > b->top) {
		b->top = excess;
		b->worst = (double)bin->mean;
	}
}

static void
find_bursts(const struct course *c, double level, uint32_t gap, struct bursts *out)
{
	const struct bins *bins = c->bins;
	uint32_t at = bins->from;

	out->n = 0;
	for (uint32_t i = 0; i < bins->n; at += bins->list[i++].n) {
		double excess = excess_of(c, bins->list[i].mean);
		struct burst *last = out->n > 0 ? &out->list[out->n - 1] : NULL;

		if (excess <= level)
			continue;
		if (last == NULL || at - last->to > gap) {
			last = &out->list[out->n++];
			*last = (struct burst){.from = at};
		}
		last->to = at + bins->list[i].n;
		add_to_burst(last, &bins->list[i], excess, true);
	}
}

// Bursts near the threshold end in the noise: those that are part of one run beyond half of it are that run.
static void
join_low_bursts(const struct course *c, struct bursts *bursts)
{
	struct bursts run;
	size_t n = 0;

	find_bursts(c, 0.5, GAP, &run);
	for (size_t i = 0, k = 0; k < run.n; k++) {
		size_t first = i;
		double area = 0;
		uint32_t beyond = 0;

		for (; i < bursts->n && bursts->list[i].from < run.list[k].to; i++) {
			area += bursts->list[i].area;
			beyond += bursts->list[i].beyond;
		}
		if (i > first && area < LOW * beyond) {
			bursts->list[n++] = run.list[k];
			continue;
		}
		memmove(&bursts->list[n], &bursts->list[first],
			(i - first) * sizeof(*bursts->list));
		n += i - first;
	}
	bursts->n = n;
}

// Is a bin beside a burst a part of it? A long one is the noise of a series that is mostly 0.
static bool
leads_on(const struct course *c, const struct bin *bin, double least, uint32_t room)
{
	return bin->n <= EDGE && bin->n <= room && excess_of(c, bin->mean) > least;
}

// A faint sample before or after a gap is none of the trouble, and what leads to it without a gap is part of it, if it
// is shorter than that.
static void
refine_ends(const struct course *c, struct burst *b)
{
	const struct bin *list = c->bins->list;
	double least = FAINT * b->area / b->beyond;
	uint32_t at = c->bins->from;
	uint32_t first = UINT32_MAX;
	uint32_t last = 0;
	uint32_t room;

	for (uint32_t i = 0; i < c->bins->n; at += list[i++].n) {
		if (at < b->from || at >= b->to || excess_of(c, list[i].mean) <= least)
			continue;
		if (first == UINT32_MAX) {
			first = i;
			b->from = at;
		}
		last = i;
	}
	if (first == UINT32_MAX)
		return;
	least = fmax(least, c->low);
	b->to = b->from;
	for (uint32_t i = first; i <= last; i++)
		b->to += list[i].n;
	room = b->to - b->from < 4 ? 2 : (b->to - b->from) / 2;
	for (; first > 0 && leads_on(c, &list[first - 1], least, room); first--) {
		b->from -= list[first - 1].n;
		b->beyond += list[first - 1].n;
		room -= list[first - 1].n;
	}
	for (; last + 1 < c->bins->n && leads_on(c, &list[last + 1], least, room); last++) {
		b->to += list[last + 1].n;
		b->beyond += list[last + 1].n;
		room -= list[last + 1].n;
	}
}

static void
merge(struct burst *b, const struct burst *next)
{
	b->to = next->to > b->to ? next->to : b->to;
	b->beyond = b->to - b->from < b->beyond + next->beyond ? b->to - b->from
							       : b->beyond + next->beyond;
	b->area += next->area;
	b->sum += next->sum;
	if (next->top > b->top) {
		b->top = next->top;
		b->worst = next->worst;
	}
}

// Bursts that meet once their ends are known are one.
static void
refine(const struct course *c, struct bursts *bursts)
{
	size_t n = 0;

	for (size_t i = 0; i < bursts->n; i++) {
		struct burst b = bursts->list[i];

		refine_ends(c, &b);
		if (n > 0 && b.from <= bursts->list[n - 1].to)
			merge(&bursts->list[n - 1], &b);
		else
			bursts->list[n++] = b;
	}
	bursts->n = n;
}

static int
largest_first(const void *a, const void *b)
{
	double x = ((const struct burst *)a)->area;
	double y = ((const struct burst *)b)->area;

	return (x < y) - (x > y);
}

static bool
is_apart(const struct burst *a, const struct burst *b)
{
	return a->to <= b->from || a->from >= b->to;
}

// Are they as large as each other, to the factor that tells a pulse from bursts?
static bool
is_alike(const struct burst *other, double area)
{
	return other->area * TIMES > area && other->area < area * TIMES;
}

// Does the trouble come only a few times? What is as large and as long as it is no burst of the series then.
static bool
is_repeated(const struct burst *b, double area, const struct bursts *low)
{
	size_t n = 0;

	for (size_t i = 0; i < low->n; i++)
		n += is_apart(&low->list[i], b) && is_alike(&low->list[i], area);
	return n <= REPEATS && b->to - b->from >= LONG;
}

// How large the largest other bursts of the series are, which are in order of size.
static double
others_area(const struct burst *b, double area, const struct bursts *low)
{
	bool is_several = is_repeated(b, area, low);
	double sum = 0;
	double first = 0;
	size_t n = 0;

	for (size_t i = 0; i < low->n && n < 3; i++) {
		if (!is_apart(&low->list[i], b) || (is_several && is_alike(&low->list[i], area)))
			continue;
		first = n++ == 0 ? low->list[i].area : first;
		sum += low->list[i].area;
	}
	return n == 3 ? sum / 3 : first;
}

static int
earliest_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static double
median_distance(const uint32_t *list, size_t n)
{
	float distances[BINS_MOST];

	for (size_t i = 1; i < n; i++)
		distances[i - 1] = (float)(list[i] - list[i - 1]);
	return bins_median(distances, n - 1);
}

// Are so many beginnings at a regular distance? Then *every is that distance. One in eight may be missing or be
// somewhere else.
static bool
is_regular(uint32_t *list, size_t n, double *every)
{
	double distance;
	size_t regular = 0;
	size_t places = 0;

	if (n < PERIODS)
		return false;
	qsort(list, n, sizeof(*list), earliest_first);
	distance = median_distance(list, n);
	for (size_t i = 1; i < n; i++) {
		double times = fmax(1, round((list[i] - list[i - 1]) / distance));
		double off = (list[i] - list[i - 1]) - times * distance;

		regular += fabs(off) <= fmax(2, 0.1 * distance);
		places += (size_t)times;
	}
	*every = (double)(list[n - 1] - list[0]) / (double)places;
	return 8 * regular >= 7 * (n - 1) && 8 * regular >= 7 * places;
}

// Bursts about as large as this one that come at a regular distance are a period, not noise.
static bool
is_periodic(const struct burst *b, double area, const struct bursts *low)
{
	uint32_t begins[BINS_MOST];
	double every = 0;
	size_t n = 0;

	for (size_t i = 0; i < low->n; i++)
		if (low->list[i].area > area / 2)
			begins[n++] = low->list[i].from;
	return is_regular(begins, n, &every) && every > 1.6 * (b->to - b->from);
}

// The area of a burst with what is below the level and in between.
static double
whole_area(const struct course *c, const struct burst *b)
{
	uint32_t at = c->bins->from;
	double area = 0;

	for (uint32_t i = 0; i < c->bins->n; at += c->bins->list[i++].n) {
		uint32_t end = at + c->bins->list[i].n;
		uint32_t from = at > b->from ? at : b->from;
		uint32_t to = end < b->to ? end : b->to;

		if (from < to)
			area += fmax(excess_of(c, c->bins->list[i].mean), 0) * (to - from);
	}
	return area;
}

static bool
is_stall(const struct burst *b, const struct meaning *m)
{
	double unit = pmon_text_same(m->unit, PMON_SPAN("ms"))   ? 1e-3
		      : pmon_text_same(m->unit, PMON_SPAN("ns")) ? 1e-9
								 : 1;

	return m->kind == MEANING_LATENCY &&
	       (m->resource == MEANING_DISK || m->resource == MEANING_MACHINE) &&
	       b->worst * unit > STALL;
}

static bool
stands_out(const struct course *c, const struct burst *b, const struct meaning *m,
	   const struct bursts *low, uint32_t samples)
{
	uint32_t length = b->to - b->from;
	bool stalls = is_stall(b, m);
	double area = whole_area(c, b);

	if (length < SHORTEST && !stalls && !(b->top > BIG && length >= 2))
		return false;
	if (2 * b->beyond < length || length > LONGEST * samples)
		return false;
	return is_periodic(b, area, low) ||
	       (area >= LEAST_AREA && area >= TIMES * others_area(b, area, low));
}

static struct shift
pulse_of(const struct course *c, const struct burst *b, const struct meaning *m)
{
	uint32_t length = b->to - b->from;

	return (struct shift){
		.kind = length < SHORTEST && is_stall(b, m) ? SHIFT_STALL : SHIFT_PULSE,
		.from = b->from,
		.to = b->to,
		.usual = c->usual.median,
		.level = bins_mean(c->bins, b->from, b->to),
		.worst = b->worst,
		.score = weight_of(m) * (2 + log2(1 + b->top)) * fmin(2, 0.8 + length / 20.0)};
}

// ---- Periods --------------------------------------------------------------------------------

static int
strongest_first(const void *a, const void *b)
{
	double x = ((const struct shift *)a)->score;
	double y = ((const struct shift *)b)->score;

	return (x < y) - (x > y);
}

// All pulses of a series at a regular distance are one shift.
static bool
join_periods(struct shift *pulses, size_t n, struct shift *out)
{
	uint32_t begins[BINS_MOST];
	double every;
	double length = 0;
	double level = 0;

	for (size_t i = 0; i < n; i++) {
		begins[i] = pulses[i].from;
		length += pulses[i].to - pulses[i].from;
		level += pulses[i].level;
	}
	if (!is_regular(begins, n, &every))
		return false;
	*out = pulses[0];
	for (size_t i = 1; i < n; i++)
		out->worst = fabs(pulses[i].worst - out->usual) > fabs(out->worst - out->usual)
				     ? pulses[i].worst
				     : out->worst;
	out->kind = SHIFT_PERIOD;
	out->from = pulses[0].from;
	out->to = pulses[n - 1].to;
	out->level = level / (double)n;
	out->times = (uint32_t)n;
	out->every = (uint32_t)lround(every);
	out->each = (uint32_t)lround(length / (double)n);
	out->score *= 1.3;
	return true;
}

static size_t
find_pulses(const struct bins *bins, const struct meaning *m, uint32_t samples,
	    struct shift out[SHIFTS_MOST])
{
	struct course c = course_of(bins, m);
	struct bursts low;
	struct bursts high;
	struct shift pulses[BINS_MOST];
	size_t n = 0;

	if (!(c.threshold > 0))
		return 0;
	find_bursts(&c, 1, GAP, &high);
	if (high.n == 0)
		return 0;
	join_low_bursts(&c, &high);
	refine(&c, &high);
	find_bursts(&c, c.low, LOW_GAP, &low);
	qsort(low.list, low.n, sizeof(*low.list), largest_first);
	for (size_t i = 0; i < high.n; i++)
		if (stands_out(&c, &high.list[i], m, &low, samples))
			pulses[n++] = pulse_of(&c, &high.list[i], m);
	if (join_periods(pulses, n, out))
		return 1;
	if (n > 1)
		qsort(pulses, n, sizeof(*pulses), strongest_first);
	n = n < SHIFTS_MOST ? n : SHIFTS_MOST;
	memcpy(out, pulses, n * sizeof(*out));
	return n;
}

// ---- Errors ---------------------------------------------------------------------------------

// The values are increases: those of several errors near each other are one shift.
static size_t
find_counts(const struct bins *bins, const struct meaning *m, struct shift out[SHIFTS_MOST])
{
	struct course c = {.bins = bins, .usual = bins_usual(bins), .sign = 1, .threshold = 1};
	struct bursts bursts;
	size_t n = 0;

	find_bursts(&c, fmax(1, 2 * c.usual.median), GAP + 1, &bursts);
	for (size_t i = 0; i < bursts.n; i++)
		bursts.list[i].area = bursts.list[i].sum;
	if (bursts.n > 1)
		qsort(bursts.list, bursts.n, sizeof(*bursts.list), largest_first);
	for (size_t i = 0; i < bursts.n && n < SHIFTS_MOST; i++) {
		const struct burst *b = &bursts.list[i];

		if (b->sum <= m->shift)
			break;
		out[n++] =
			(struct shift){.kind = SHIFT_COUNT,
				       .from = b->from,
				       .to = b->to,
				       .level = b->sum,
				       .worst = b->worst,
				       .score = weight_of(m) * 3 * log10(10 + b->sum / m->shift)};
	}
	return n;
}

// ---- Ramps ----------------------------------------------------------------------------------

struct ramp {
	uint32_t from;       // where it begins: before, the series is flat
	double parts[PARTS]; // medians from there to the end
	double noise;        // between one picked sample and the next
	double wave;         // how far the series moves around a flat and then a straight line
};

// How well a flat line that bends at a sample and is straight from there to the end fits: the squares that it saves.
static double
fit_of_bend(const struct bins *bins, double bend)
{
	double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
	uint32_t at = bins->from;

	for (uint32_t i = 0; i < bins->n; at += bins->list[i++].n) {
		double weight = bins->list[i].n;
		double x = fmax(at + weight / 2 - bend, 0);
		double y = (double)bins->list[i].mean;

		if (isnan(y))
			continue;
		n += weight;
		sx += weight * x;
		sy += weight * y;
		sxx += weight * x * x;
		sxy += weight * x * y;
	}
	sxx -= sx * sx / n;
	sxy -= sx * sy / n;
	return sxx > 0 ? sxy * sxy / sxx : 0;
}

// A line that is straight from the beginning is as good if a bend saves no more than the noise can.
static uint32_t
find_bend(const struct bins *bins, double noise)
{
	uint32_t length = bins->next - bins->from;
	uint32_t bend = 0;
	double best = fit_of_bend(bins, bins->from) + BEND_SAVES * noise * noise;

	for (uint32_t i = 1; i < BENDS; i++) {
		uint32_t at = (uint32_t)((uint64_t)length * 3 / 4 * i / BENDS);
		double fit = fit_of_bend(bins, (double)bins->from + at);

		if (fit <= best)
			continue;
		best = fit;
		bend = at;
	}
	return bins->from + (bend < length / 16 ? 0 : bend);
}

// Between one picked sample and the next.
static double
noise_of(const struct bins *bins)
{
	float values[BINS_PICKS];

	for (uint32_t i = 1; i < bins->n_picks; i++)
		values[i - 1] = fabsf(bins->picks[i].value - bins->picks[i - 1].value);
	return 1.5 * bins_median(values, bins->n_picks - 1);
}

// The median of the means of its fifths: of all samples, and yet no burst moves it.
static double
part_of(const struct bins *bins, uint32_t from, uint32_t to)
{
	float means[FIFTHS];
	uint64_t length = to - from;
	size_t n = 0;

	for (uint32_t i = 0; i < FIFTHS; i++) {
		double mean = bins_mean(bins, from + (uint32_t)(length * i / FIFTHS),
					from + (uint32_t)(length * (i + 1) / FIFTHS));

		if (!isnan(mean))
			means[n++] = (float)mean;
	}
	return bins_median(means, n);
}

static bool
find_parts(const struct bins *bins, struct ramp *r)
{
	uint64_t length = bins->next - r->from;

	for (uint32_t p = 0; p < PARTS; p++) {
		r->parts[p] = part_of(bins, r->from + (uint32_t)(length * p / PARTS),
				      r->from + (uint32_t)(length * (p + 1) / PARTS));
		if (isnan(r->parts[p]))
			return false;
	}
	return true;
}

static double
wave_of(const struct bins *bins, const struct ramp *r)
{
	float off[WINDOWS];
	double length = bins->next - bins->from;
	double slope = (r->parts[PARTS - 1] - r->parts[0]) /
		       ((bins->next - r->from) * (PARTS - 1.0) / PARTS);
	double first = r->parts[0] - slope * (bins->next - r->from) / (2.0 * PARTS);
	size_t n = 0;

	for (uint32_t w = 0; w < WINDOWS; w++) {
		uint32_t from = bins->from + (uint32_t)(length * w / WINDOWS);
		uint32_t to = bins->from + (uint32_t)(length * (w + 1) / WINDOWS);
		double mean = bins_mean(bins, from, to);
		double line = first + slope * fmax((from + (double)to) / 2 - r->from, 0);

		if (!isnan(mean))
			off[n++] = (float)(mean - line);
	}
	(void)bins_median(off, n);
	return n > 4 ? (double)off[n - 2] - (double)off[1] : INFINITY;
}

static bool
may_ramp(const struct meaning *m)
{
	if (m->kind == MEANING_BOUNDED)
		return m->resource != MEANING_PROCESSOR;
	return m->kind == MEANING_UNBOUNDED && !pmon_text_same(m->unit, PMON_SPAN("s")) &&
	       (m->resource == MEANING_MEMORY || m->resource == MEANING_NETWORK ||
		m->resource == MEANING_PROCESS || m->resource == MEANING_STORAGE);
}

static bool
has_waves(const struct meaning *m)
{
	return m->resource == MEANING_PROCESS || m->resource == MEANING_MEMORY ||
	       m->resource == MEANING_NETWORK || m->kind == MEANING_LATENCY;
}

// Does it still grow at the end, and did it grow in each part but one?
static bool
keeps_growing(const struct ramp *r, double sign)
{
	size_t same = 0;

	for (size_t p = 1; p < PARTS; p++)
		same += (r->parts[p] - r->parts[p - 1]) * sign > 0;
	return same + 1 >= PARTS - 1 && fabs(r->parts[PARTS - 1] - r->parts[PARTS / 2]) >
						0.45 * fabs(r->parts[PARTS / 2 - 1] - r->parts[0]);
}

// Waits that grow for days are trouble before they are long.
static double
least_rise(const struct meaning *m)
{
	return m->kind == MEANING_LATENCY ? fmin(DRIFT * m->floor, m->shift) : m->shift;
}

// Most series do not move: both ends tell it without looking for a bend.
static bool
moves(const struct bins *bins, double least)
{
	uint32_t part = (bins->next - bins->from) / PARTS;

	return fabs(part_of(bins, bins->next - part, bins->next) -
		    part_of(bins, bins->from, bins->from + part)) >= least;
}

static bool
find_ramp(const struct bins *bins, const struct meaning *m, uint32_t samples, struct shift *out)
{
	uint32_t length = bins->next - bins->from;
	struct ramp r = {.from = bins->from};
	double least = least_rise(m);
	double total;

	if (4 * length < samples || length < 2 * PARTS || !moves(bins, least))
		return false;
	r.noise = noise_of(bins);
	r.from = find_bend(bins, r.noise);
	length = bins->next - r.from;
	if (4 * length < samples || length < 2 * PARTS || !find_parts(bins, &r))
		return false;
	total = r.parts[PARTS - 1] - r.parts[0];
	if ((m->worse == MEANING_UP && total < 0) || (m->worse == MEANING_DOWN && total > 0) ||
	    !keeps_growing(&r, total > 0 ? 1 : -1))
		return false;
	r.wave = wave_of(bins, &r);
	total = fabs(total);
	if (m->kind == MEANING_LATENCY)
		least = fmax(least, share_of(m->kind) * fabs(r.parts[0]));
	if (total <= fmax(least, 8 * r.noise / sqrt(fmax(length / 8.0, 4) / 4)) ||
	    (has_waves(m) && total <= WAVES * r.wave))
		return false;
	*out = (struct shift){.kind = SHIFT_RAMP,
			      .from = r.from,
			      .to = bins->next,
			      .usual = r.parts[0],
			      .level = r.parts[PARTS - 1],
			      .worst = r.parts[PARTS - 1],
			      .score = weight_of(m) * fmin(9, 3 + total / least / 2)};
	return true;
}

// ---- All ------------------------------------------------------------------------------------

size_t
shifts_find(const struct bins *bins, const struct meaning *m, uint32_t samples, bool is_process,
	    bool is_days, struct shift out[SHIFTS_MOST])
{
	if (m->shift <= 0 || m->kind == MEANING_CONFIGURATION || bins->n_picks < FEWEST)
		return 0;
	if (m->kind == MEANING_COUNT)
		return find_counts(bins, m, out);
	if ((may_ramp(m) || (is_days && m->kind == MEANING_LATENCY)) &&
	    find_ramp(bins, m, samples, out))
		return 1;
	if (is_process && m->kind == MEANING_UNBOUNDED)
		return 0;
	return find_pulses(bins, m, samples, out);
}

const char *
shift_name(enum shift_kind kind)
{
	static const char *const names[SHIFT_KINDS] = {"pulse",  "stall", "ramp", "recycled",
						       "period", "count", "loop"};

	return names[kind];
}
