// describe.c - describe what a push to Prometheus would send, and rules that use it
// SPDX-License-Identifier: MIT

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "push/prometheus/engine.h"

struct describing {
	pmon_push_text_fn out;
	void *ctx;
};

static void
put_text(void *ctx, const char *text, size_t len)
{
	const struct describing *describing = ctx;

	describing->out(describing->ctx, (struct pmon_span){text, len});
}

// The numbers of the first sample, one series at a time.
static void
put_sample(const struct om_out *out, struct om_registry *registry, const struct pmon_sample *sample)
{
	double numbers[OM_PARTS];

	for (size_t i = 0; i < sample->n; i++) {
		struct om_track *track = registry->tracks[sample->series[i]];
		const struct pmon_raw *raw = &sample->raw[i];
		pmon_time time = raw->time != PMON_TIME_NONE ? raw->time : sample->time;

		if (!pmon_om_take(track, sample, raw, numbers) || pmon_om_unix_ms(time) < 0)
			continue;
		for (int part = 0; part < OM_PARTS; part++)
			if (!isnan(numbers[part]))
				pmon_om_put_line(out, &registry->families[track->family], part,
						 track, numbers[part], time);
		if (!out->is_target && track->describes != OM_DESCRIBES_NOTHING)
			pmon_om_put_description(out, &registry->families[track->family], track,
						time);
	}
}

enum pmon_status
pmon_prom_describe(const char *url, const struct pmon_push_options *options,
		   const struct pmon_schema *schema, const struct pmon_sample *sample,
		   pmon_push_text_fn out, void *ctx, struct pmon_err *err)
{
	struct describing describing = {.out = out, .ctx = ctx};
	struct om_out text = {
		.put = put_text, .ctx = &describing, .is_target = strncmp(url, "otlp", 4) == 0};
	struct pmon_push_url parsed;
	char target[PROM_TARGET_SIZE];
	struct om_registry registry;
	struct pmon_labels labels;
	enum pmon_status status = pmon_prom_target(url, &parsed, target, err);

	if (status == PMON_OK)
		status = pmon_labels_parse(options->labels, options->n_labels, &labels, err);
	if (status != PMON_OK)
		return status;
	pmon_om_registry_open(&registry, schema, pmon_mem_allocator(options->allocator));
	registry.labels = &labels;
	if (!pmon_om_registry_grow(&registry)) {
		status = pmon_err_nomem(err);
	} else {
		if (sample != NULL)
			put_sample(&text, &registry, sample);
		put_text(&describing, "\n", 1);
		pmon_om_put_rules(&text, &registry, "5m", false);
	}
	pmon_om_registry_close(&registry);
	return status;
}
