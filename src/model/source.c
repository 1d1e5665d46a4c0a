// source.c - the functions common to all sources
// SPDX-License-Identifier: MIT

#include "model/source.h"

#include <string.h>

enum pmon_status
pmon_source_next(struct pmon_source *source, const struct pmon_sample **sample,
		 struct pmon_err *err)
{
	*sample = NULL;
	return source->ops->next(source, sample, err);
}

enum pmon_status
pmon_source_rewind(struct pmon_source *source, struct pmon_err *err)
{
	return source->ops->rewind(source, err);
}

void
pmon_source_skip(struct pmon_source *source, const bool *unread, size_t n)
{
	while (source->inner != NULL)
		source = source->inner;
	if (source->skip != NULL)
		source->skip(source, unread, n);
}

void
pmon_source_raw_of(const double *numbers, size_t n, pmon_time time, struct pmon_raw *out)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct pmon_raw){.time = time};
		memcpy(&out[i].first, &numbers[i], sizeof(numbers[i]));
	}
}

const struct pmon_schema *
pmon_source_schema(const struct pmon_source *source)
{
	while (source->inner != NULL)
		source = source->inner;
	return &source->schema;
}

const struct pmon_source_info *
pmon_source_info(const struct pmon_source *source)
{
	while (source->inner != NULL)
		source = source->inner;
	return &source->info;
}

const char *
pmon_source_converter(const struct pmon_source_info *info)
{
	return info->live ? "" : "pmon " PMON_VERSION_TEXT;
}

void
pmon_source_close(struct pmon_source *source)
{
	if (source != NULL)
		source->ops->close(source);
}
