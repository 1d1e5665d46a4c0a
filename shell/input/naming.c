// naming.c - how counter paths are printed
// SPDX-License-Identifier: MIT

#include "shell/input/naming.h"

#include <stdlib.h>
#include <string.h>

#include "shell/output/out.h"
#include "shell/output/say.h"

// The label of a series of a process.
struct label {
	char *text;
	uint32_t life; // of the series
};

int
naming_label_processes(struct naming *naming)
{
	if (naming->labels != NULL)
		return EXIT_DONE;
	naming->labels = malloc(sizeof(*naming->labels));
	if (naming->labels == NULL)
		return say(EXIT_FAILED, "not enough memory");
	*naming->labels = BY_SERIES_OF(struct label);
	return EXIT_DONE;
}

void
naming_free(struct naming *naming)
{
	for (size_t i = 0; naming->labels != NULL && i < naming->labels->n; i++)
		free(((struct label *)by_series_find(naming->labels, i))->text);
	if (naming->labels != NULL)
		by_series_free(naming->labels);
	free(naming->labels);
	naming->labels = NULL;
}

// "rundll32 (3320)"; for a thread "rundll32/0 (3324)". The caller frees it.
static char *
make_label(const struct pmon_series *series)
{
	struct pmon_path path = series->path;
	long long number = series->thread_id >= 0 ? series->thread_id : series->process_id;
	size_t size = path.instance.len + 32;
	char *instance = malloc(size);
	char *label = NULL;

	if (instance == NULL)
		return NULL;
	(void)snprintf(instance, size, "%.*s (%lld)", (int)path.instance.len, path.instance.ptr,
		       number);
	path.instance = (struct pmon_span){instance, strlen(instance)};
	path.index = 0;
	label = out_path_text(&path, false);
	free(instance);
	return label;
}

struct pmon_span
naming_full_path(const struct naming *naming, const struct pmon_series *series)
{
	struct label *label = NULL; // created on first use

	if (series->of_process && naming->labels != NULL)
		label = by_series_get(naming->labels, series->id);
	if (label == NULL)
		return series->name;
	if (label->text == NULL || label->life != series->life) {
		free(label->text);
		*label = (struct label){make_label(series), series->life};
	}
	if (label->text == NULL)
		return series->name;
	return (struct pmon_span){label->text, strlen(label->text)};
}

struct pmon_span
naming_path(const struct naming *naming, const struct pmon_series *series)
{
	struct pmon_span name = naming_full_path(naming, series);
	size_t skip = series->path.machine.len + 2;

	if (series->path.machine.len == 0 || !naming->hide_machine || skip > name.len)
		return name;
	return (struct pmon_span){name.ptr + skip, name.len - skip};
}
