// gen-zones.c - the table of IANA time zones, from the zones of this machine
// SPDX-License-Identifier: MIT
//
//	gen-zones FOLDER OUT.c
//
// The build runs it. FOLDER is /usr/share/zoneinfo; tzdata.zi in it names the zones, and the C
// library knows their rules. Without it the table is empty. src/model/zone_rules.h describes the
// table.

#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/zone_rules.h"

#define MOST_ZONES   1000
#define MOST_CHANGES 400 // of one zone
#define STEP         ((time_t)2 * 24 * 60 * 60)
#define BEGIN        ((time_t)PMON_ZONES_BEGIN_UNIX)
#define END          (BEGIN + (time_t)PMON_ZONES_MINUTES * 60)

struct rules {
	size_t n;
	uint32_t minutes[MOST_CHANGES];
	int8_t quarters[MOST_CHANGES];
};

struct zone {
	char name[64];
	size_t rules; // its place
};

static FILE *out;
static const char *out_path;
static struct zone zones[MOST_ZONES];
static size_t n_zones;
static struct rules all[MOST_ZONES];
static size_t n_all;

// Half a table must not stay, or the next build would take it.
static void
fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("gen-zones: ", stderr);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
	if (out != NULL)
		remove(out_path);
	exit(1);
}

// ---- Rules ------------------------------------------------------------------------------------

// Days since 1970 of a date.
static long long
days(long long year, int month, int day)
{
	year -= month <= 2;
	return 365 * year + year / 4 - year / 100 + year / 400 +
	       (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1 - 719468;
}

// Quarters of an hour ahead of UTC.
static int
quarters_at(time_t t)
{
	struct tm tm;
	long long local;

	if (localtime_r(&t, &tm) == NULL)
		fail("no local time");
	local = days(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday) * 86400 + tm.tm_hour * 3600 +
		tm.tm_min * 60 + tm.tm_sec;
	if ((local - t) % 900 != 0)
		fail("an offset of %lld s", local - (long long)t);
	return (int)((local - t) / 900);
}

static void
add_change(struct rules *rules, time_t t, int quarters)
{
	if (rules->n == MOST_CHANGES)
		fail("too many changes of a zone");
	if ((t - BEGIN) % 60 != 0)
		fail("a change within a minute");
	rules->minutes[rules->n] = (uint32_t)((t - BEGIN) / 60);
	rules->quarters[rules->n++] = (int8_t)quarters;
}

static void
find_changes(struct rules *rules)
{
	int now = quarters_at(BEGIN);

	rules->n = 0;
	add_change(rules, BEGIN, now);
	for (time_t at = BEGIN; at < END; at += STEP) {
		time_t before = at;
		time_t after = at + STEP;

		if (quarters_at(after) == now)
			continue;
		while (after - before > 1) {
			time_t middle = before + (after - before) / 2;

			if (quarters_at(middle) == now)
				before = middle;
			else
				after = middle;
		}
		now = quarters_at(after);
		add_change(rules, after, now);
	}
}

static bool
are_same(const struct rules *a, const struct rules *b)
{
	return a->n == b->n && memcmp(a->minutes, b->minutes, a->n * sizeof(*a->minutes)) == 0 &&
	       memcmp(a->quarters, b->quarters, a->n * sizeof(*a->quarters)) == 0;
}

static size_t
place_of_rules(const char *zone)
{
	size_t i = 0;

	if (setenv("TZ", zone, 1) != 0)
		fail("no memory");
	tzset();
	if (n_all == MOST_ZONES)
		fail("too many zones");
	find_changes(&all[n_all]);
	while (!are_same(&all[i], &all[n_all]))
		i++;
	n_all += i == n_all;
	return i;
}

// ---- Zones ------------------------------------------------------------------------------------

static void
add_zone(const char *name, size_t rules)
{
	if (n_zones == MOST_ZONES || strlen(name) >= sizeof(zones[0].name))
		fail("too many zones, or a long name: %s", name);
	(void)snprintf(zones[n_zones].name, sizeof(zones[0].name), "%s", name);
	zones[n_zones++].rules = rules;
}

static const struct zone *
find_zone(const char *name)
{
	for (size_t i = 0; i < n_zones; i++)
		if (strcmp(zones[i].name, name) == 0)
			return &zones[i];
	return NULL;
}

// "Z Europe/Berlin ...", "L Europe/Berlin Arctic/Longyearbyen". Links follow all zones.
static void
read_line(const char *folder, char *line)
{
	char name[64];
	char link[64];
	char path[512];

	if (sscanf(line, "Z %63s", name) == 1) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
		if (access(path, R_OK) == 0)
			add_zone(name, place_of_rules(name));
	} else if (sscanf(line, "L %63s %63s", name, link) == 2) {
		const struct zone *zone = find_zone(name);

		if (zone != NULL)
			add_zone(link, zone->rules);
	}
}

static void
read_zones(const char *folder)
{
	char path[512];
	char line[512];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/tzdata.zi", folder);
	file = fopen(path, "r");
	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL)
		read_line(folder, line);
	(void)fclose(file);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(((const struct zone *)a)->name, ((const struct zone *)b)->name);
}

// ---- The table --------------------------------------------------------------------------------

static void
put_numbers(const char *type, const char *name, bool are_minutes)
{
	size_t n = 0;

	fprintf(out, "\nconst %s %s[] = {", type, name);
	for (size_t i = 0; i < n_all; i++)
		for (size_t j = 0; j < all[i].n; j++)
			fprintf(out, "%s%ld,", n++ % 16 == 0 ? "\n\t" : " ",
				are_minutes ? (long)all[i].minutes[j] : (long)all[i].quarters[j]);
	fputs("\n\t0};\n", out);
}

static void
put_zones(void)
{
	size_t first[MOST_ZONES];
	size_t at = 0;

	for (size_t i = 0; i < n_all; i++) {
		first[i] = at;
		at += all[i].n;
	}
	fputs("\nconst struct pmon_zone pmon_zones[] = {\n", out);
	for (size_t i = 0; i < n_zones; i++)
		fprintf(out, "\t{\"%s\", %zu, %zu},\n", zones[i].name, first[zones[i].rules],
			all[zones[i].rules].n);
	fprintf(out, "\t{0, 0, 0}};\n");
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		fail("usage: gen-zones FOLDER OUT.c");
	out_path = argv[2];
	out = fopen(out_path, "w");
	if (out == NULL)
		fail("%s cannot be written", out_path);
	read_zones(argv[1]);
	qsort(zones, n_zones, sizeof(zones[0]), compare);
	fputs("// made from the time zones of the build machine by tools/gen-zones.c\n"
	      "#include \"model/zone_rules.h\"\n",
	      out);
	put_numbers("uint32_t", "pmon_zone_minutes", true);
	put_numbers("int8_t", "pmon_zone_quarters", false);
	put_zones();
	if (fclose(out) != 0)
		fail("%s cannot be written", out_path);
	return 0;
}
