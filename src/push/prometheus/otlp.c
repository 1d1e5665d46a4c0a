// otlp.c - batches as requests of OTLP/HTTP, and the answers to them
// SPDX-License-Identifier: MIT
//
// "OpenTelemetry Protocol Specification 1.x", OTLP/HTTP, and the metrics data model. A batch is a tree of
// messages in an arena. A machine is a resource. What counts is a cumulative monotonic sum: it starts with
// its first point in this log, as the data model has it where the real start is not known. Its value
// at that point is not 0 then, and that point has a duration of 0.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <otlp.pb-c.h>

#include "base/mem.h"
#include "base/text.h"
#include "os/pack.h"
#include "push/prometheus/engine.h"

#define NS_OF_MS          UINT64_C(1000000)
#define NO_RECORDED_VALUE 1u // DataPointFlags
#define RESOURCE_MAX      4  // attributes of a machine
#define DESCRIPTION_SIZE  512
#define TOLD_SIZE         300

// A series of the batch.
struct entry {
	const struct om_track *track;
	const struct prom_series *series;
	Pmon__Otlp__KeyValue **attributes;
	size_t n_attributes;
	size_t n_points;
};

struct building {
	struct prom_engine *e;
	struct pmon_arena arena;
	bool last_alone;
	bool failed; // memory is short
};

// ---- Messages -------------------------------------------------------------------------------

static void *
make(struct building *b, size_t n, size_t size)
{
	void *made = pmon_arena_alloc(&b->arena, n * size);

	b->failed |= made == NULL;
	return made;
}

static char *
text_of(struct building *b, struct pmon_span text)
{
	const char *copy = pmon_prom_clean(&b->arena, text);

	b->failed |= copy == NULL;
	return (char *)(uintptr_t)copy;
}

static Pmon__Otlp__KeyValue *
make_attribute(struct building *b, const char *key, const char *value)
{
	struct {
		Pmon__Otlp__KeyValue pair;
		Pmon__Otlp__AnyValue any;
	} *made = make(b, 1, sizeof(*made));

	if (made == NULL)
		return NULL;
	pmon__otlp__key_value__init(&made->pair);
	pmon__otlp__any_value__init(&made->any);
	made->any.value_case = PMON__OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	made->any.string_value = (char *)(uintptr_t)value;
	made->pair.key = (char *)(uintptr_t)key;
	made->pair.value = &made->any;
	return &made->pair;
}

// The labels that a scraped pmon serve has: "instance" is the target.
static void
make_attributes(struct building *b, struct entry *entry)
{
	const struct prom_labels *labels = &entry->series->labels;

	entry->attributes = make(b, labels->n, sizeof(*entry->attributes));
	for (size_t i = 1; !b->failed && i < labels->n; i++) {
		bool is_instance = strcmp(labels->names[i], "instance") == 0;

		entry->attributes[entry->n_attributes++] = make_attribute(
			b, is_instance ? "counter_instance" : labels->names[i], labels->values[i]);
	}
}

static const char *
find_id(const struct pmon_source_info *info, struct pmon_span machine)
{
	for (size_t i = 0; i < info->n_machines; i++)
		if (pmon_text_same(machine, (struct pmon_span){info->machines[i].name,
							       strlen(info->machines[i].name)}))
			return info->machines[i].id;
	return NULL;
}

// By the semantic conventions of resources. Prometheus makes "job" and "instance" of the last two.
static void
make_resource(struct building *b, struct pmon_span machine, Pmon__Otlp__Resource *out)
{
	const char *id = find_id(b->e->push.info, machine);
	size_t n = 0;

	out->attributes = make(b, RESOURCE_MAX, sizeof(*out->attributes));
	if (out->attributes == NULL)
		return;
	if (machine.len > 0)
		out->attributes[n++] = make_attribute(b, "host.name", text_of(b, machine));
	if (id != NULL)
		out->attributes[n++] = make_attribute(b, "host.id", id);
	if (machine.len > 0)
		out->attributes[n++] =
			make_attribute(b, "service.instance.id", text_of(b, machine));
	out->attributes[n++] = make_attribute(b, "service.name", "pmon");
	out->n_attributes = n;
}

// ---- Points ---------------------------------------------------------------------------------

static void
set_number(Pmon__Otlp__NumberDataPoint *out, const struct om_part *part, uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	if (bits == PROM_STALE) {
		out->flags = NO_RECORDED_VALUE;
	} else if (pmon_om_is_integer(part)) {
		out->value_case = PMON__OTLP__NUMBER_DATA_POINT__VALUE_AS_INT;
		out->as_int = fabs(number) < 0x1p63 ? (int64_t)number
			      : number < 0          ? INT64_MIN
						    : INT64_MAX;
	} else {
		out->value_case = PMON__OTLP__NUMBER_DATA_POINT__VALUE_AS_DOUBLE;
		out->as_double = number;
	}
}

static size_t
add_points(struct building *b, const struct entry *entry, int i, Pmon__Otlp__NumberDataPoint **list)
{
	const struct om_part *part = &entry->track->plan.parts[i];
	size_t n = pmon_prom_gather(b->e, entry->series, i, b->last_alone);
	Pmon__Otlp__NumberDataPoint *points = make(b, n, sizeof(*points));
	int64_t start_ms = entry->series->start_ms;

	for (size_t k = 0; points != NULL && k < n; k++) {
		const struct prom_point *from = &b->e->scratch[k];

		pmon__otlp__number_data_point__init(&points[k]);
		points[k].time_unix_nano = (uint64_t)from->ms * NS_OF_MS;
		if (pmon_om_is_counter(part) && start_ms >= 0)
			points[k].start_time_unix_nano = (uint64_t)start_ms * NS_OF_MS;
		points[k].n_attributes = entry->n_attributes;
		points[k].attributes = entry->attributes;
		set_number(&points[k], part, from->bits);
		list[k] = &points[k];
	}
	return n;
}

static void
set_data(struct building *b, Pmon__Otlp__Metric *out, bool is_counter,
	 Pmon__Otlp__NumberDataPoint **points, size_t n)
{
	Pmon__Otlp__Sum *sum = is_counter ? make(b, 1, sizeof(*sum)) : NULL;
	Pmon__Otlp__Gauge *gauge = is_counter ? NULL : make(b, 1, sizeof(*gauge));

	if (sum != NULL) {
		pmon__otlp__sum__init(sum);
		sum->aggregation_temporality =
			PMON__OTLP__AGGREGATION_TEMPORALITY__AGGREGATION_TEMPORALITY_CUMULATIVE;
		sum->is_monotonic = true;
		sum->n_data_points = n;
		sum->data_points = points;
		out->data_case = PMON__OTLP__METRIC__DATA_SUM;
		out->sum = sum;
	} else if (gauge != NULL) {
		pmon__otlp__gauge__init(gauge);
		gauge->n_data_points = n;
		gauge->data_points = points;
		out->data_case = PMON__OTLP__METRIC__DATA_GAUGE;
		out->gauge = gauge;
	}
}

// ---- Metrics --------------------------------------------------------------------------------

// UCUM, as the conventions want it.
static const char *
unit_of(const struct om_part *part)
{
	static const char *const units[][2] = {
		{"seconds", "s"}, {"bytes", "By"}, {"ratio", "1"}, {"ticks", "{tick}"}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i][0], part->unit) == 0)
			return units[i][1];
	return "";
}

static char *
description_of(struct building *b, const struct om_family *family, const struct om_part *part)
{
	char buf[DESCRIPTION_SIZE];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_span(&t, family->series->path.object);
	pmon_text_str(&t, ", ");
	pmon_text_span(&t, family->series->path.counter);
	pmon_text_str(&t, ": ");
	pmon_text_str(&t, part->what);
	pmon_text_str(&t, " (");
	pmon_text_str(&t, family->plan.type->name);
	pmon_text_str(&t, ")");
	return text_of(b, (struct pmon_span){buf, strlen(buf)});
}

// A part of a family, with the points of these series. NULL: there are no points, or memory is short.
static Pmon__Otlp__Metric *
make_metric(struct building *b, const struct entry *entries, size_t n, int i)
{
	const struct om_family *family = &b->e->registry.families[entries[0].track->family];
	const struct om_part *part = &family->plan.parts[i];
	Pmon__Otlp__NumberDataPoint **points;
	Pmon__Otlp__Metric *metric;
	size_t n_points = 0;

	for (size_t k = 0; k < n; k++)
		n_points += entries[k].n_points;
	points = make(b, n_points, sizeof(*points));
	metric = make(b, 1, sizeof(*metric));
	if (b->failed)
		return NULL;
	n_points = 0;
	for (size_t k = 0; !b->failed && k < n; k++)
		n_points += add_points(b, &entries[k], i, points + n_points);
	if (n_points == 0)
		return NULL;
	pmon__otlp__metric__init(metric);
	metric->name = (char *)(uintptr_t)family->names[i];
	metric->unit = (char *)(uintptr_t)unit_of(part);
	metric->description = description_of(b, family, part);
	set_data(b, metric, pmon_om_is_counter(part), points, n_points);
	return metric;
}

// How many of the entries are of the machine, or of the family too, of the first.
static size_t
count_same(const struct entry *entries, size_t n, bool family)
{
	const struct om_track *first = entries[0].track;
	size_t same = 1;

	while (same < n &&
	       pmon_text_order(first->series->path.machine,
			       entries[same].track->series->path.machine) == 0 &&
	       (!family || first->family == entries[same].track->family))
		same++;
	return same;
}

static void
make_metrics(struct building *b, const struct entry *entries, size_t n,
	     Pmon__Otlp__ScopeMetrics *out)
{
	out->metrics = make(b, n * OM_PARTS, sizeof(*out->metrics)); // at most
	for (size_t at = 0; !b->failed && at < n;) {
		const struct om_track *track = entries[at].track;
		size_t same = count_same(entries + at, n - at, true);

		for (int i = 0; i < OM_PARTS; i++) {
			Pmon__Otlp__Metric *metric = NULL;

			if (b->e->registry.families[track->family].names[i] != NULL)
				metric = make_metric(b, entries + at, same, i);
			if (metric != NULL)
				out->metrics[out->n_metrics++] = metric;
		}
		at += same;
	}
}

static Pmon__Otlp__ResourceMetrics *
make_machine(struct building *b, const struct entry *entries, size_t n)
{
	struct {
		Pmon__Otlp__ResourceMetrics metrics;
		Pmon__Otlp__Resource resource;
		Pmon__Otlp__ScopeMetrics scope_metrics;
		Pmon__Otlp__ScopeMetrics *scope_list[1];
		Pmon__Otlp__InstrumentationScope scope;
	} *made = make(b, 1, sizeof(*made));

	if (made == NULL)
		return NULL;
	pmon__otlp__resource_metrics__init(&made->metrics);
	pmon__otlp__resource__init(&made->resource);
	pmon__otlp__scope_metrics__init(&made->scope_metrics);
	pmon__otlp__instrumentation_scope__init(&made->scope);
	made->scope.name = (char *)(uintptr_t) "pmon";
	made->scope.version = (char *)(uintptr_t)PMON_VERSION_TEXT;
	made->scope_metrics.scope = &made->scope;
	made->scope_list[0] = &made->scope_metrics;
	made->metrics.resource = &made->resource;
	made->metrics.scope_metrics = made->scope_list;
	made->metrics.n_scope_metrics = 1;
	make_resource(b, entries[0].track->series->path.machine, &made->resource);
	make_metrics(b, entries, n, &made->scope_metrics);
	return &made->metrics;
}

// ---- Batches --------------------------------------------------------------------------------

static int
compare_entries(const void *a, const void *b)
{
	const struct om_track *one = ((const struct entry *)a)->track;
	const struct om_track *other = ((const struct entry *)b)->track;
	int order = pmon_text_order(one->series->path.machine, other->series->path.machine);

	if (order != 0)
		return order;
	if (one->family != other->family)
		return one->family < other->family ? -1 : 1;
	return one->series->id < other->series->id ? -1 : 1;
}

// The series of the batch, those of a machine and of a family next to each other.
static struct entry *
make_entries(struct building *b)
{
	struct prom_engine *e = b->e;
	struct entry *entries = make(b, e->n_touched, sizeof(*entries));

	for (size_t i = 0; !b->failed && i < e->n_touched; i++) {
		struct entry *entry = &entries[i];

		entry->track = e->registry.tracks[e->touched[i]];
		entry->series = &e->series[e->touched[i]];
		for (uint32_t at = entry->series->chain_first; at != PROM_NO_POINT;
		     at = e->points[at].next)
			entry->n_points++;
		make_attributes(b, entry);
	}
	if (!b->failed)
		qsort(entries, e->n_touched, sizeof(*entries), compare_entries);
	return entries;
}

static void
make_request(struct building *b, Pmon__Otlp__ExportMetricsServiceRequest *out)
{
	size_t n = b->e->n_touched;
	struct entry *entries = make_entries(b);

	out->resource_metrics = make(b, n, sizeof(*out->resource_metrics)); // at most
	for (size_t at = 0; !b->failed && at < n;) {
		size_t same = count_same(entries + at, n - at, false);

		out->resource_metrics[out->n_resource_metrics++] =
			make_machine(b, entries + at, same);
		at += same;
	}
}

static bool
pack(struct prom_engine *e, const Pmon__Otlp__ExportMetricsServiceRequest *request)
{
	size_t size = pmon__otlp__export_metrics_service_request__get_packed_size(request);
	size_t room = pmon_gzip_bound(size);

	e->packed.n = 0;
	if (room == 0) { // without zlib
		if (!pmon_push_room(&e->push, &e->packed, size))
			return false;
		e->packed.n =
			pmon__otlp__export_metrics_service_request__pack(request, e->packed.list);
		return true;
	}
	e->body.n = 0;
	if (!pmon_push_room(&e->push, &e->body, size) ||
	    !pmon_push_room(&e->push, &e->packed, room))
		return false;
	(void)pmon__otlp__export_metrics_service_request__pack(request, e->body.list);
	e->packed.n = pmon_gzip(e->body.list, size, e->packed.list, room);
	return e->packed.n > 0;
}

static bool
make_body(struct prom_engine *e, bool last_alone)
{
	struct building b = {.e = e, .last_alone = last_alone};
	Pmon__Otlp__ExportMetricsServiceRequest request =
		PMON__OTLP__EXPORT_METRICS_SERVICE_REQUEST__INIT;
	bool good;

	pmon_arena_init(&b.arena, e->push.allocator);
	make_request(&b, &request);
	good = !b.failed && pack(e, &request);
	pmon_arena_free(&b.arena);
	return good;
}

// ---- Answers --------------------------------------------------------------------------------
//
// They are short, and from another machine: read in place.

enum {
	WIRE_VARINT,
	WIRE_64,
	WIRE_BYTES,
	WIRE_32 = 5
};

struct field {
	uint64_t number;
	unsigned wire;
	uint64_t value;         // of WIRE_VARINT
	struct pmon_span bytes; // of the others
};

static bool
take_varint(struct pmon_span *rest, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; shift < 64 && rest->len > 0; shift += 7) {
		uint8_t byte = (uint8_t)*rest->ptr;

		rest->ptr++;
		rest->len--;
		*out |= (uint64_t)(byte & 0x7F) << shift;
		if ((byte & 0x80) == 0)
			return true;
	}
	return false;
}

// The next field of a message. false at its end, and where there is no whole field: then *cut is set.
static bool
take_field(struct pmon_span *rest, struct field *out, bool *cut)
{
	uint64_t key;
	uint64_t len = 0;

	if (rest->len == 0)
		return false;
	*cut = true;
	if (!take_varint(rest, &key))
		return false;
	*out = (struct field){.number = key >> 3, .wire = (unsigned)(key & 7)};
	if (out->wire == WIRE_VARINT) {
		*cut = !take_varint(rest, &out->value);
		return !*cut;
	}
	if (out->wire == WIRE_64 || out->wire == WIRE_32)
		len = out->wire == WIRE_64 ? 8 : 4;
	else if (out->wire != WIRE_BYTES || !take_varint(rest, &len))
		return false;
	if (len > rest->len)
		return false;
	*cut = false;
	out->bytes = (struct pmon_span){rest->ptr, (size_t)len};
	rest->ptr += len;
	rest->len -= (size_t)len;
	return true;
}

// Field `number` of a message, the last if there are several. false: it is not there, or this is no message.
static bool
find_field(struct pmon_span message, uint64_t number, unsigned wire, struct field *out)
{
	struct field field;
	bool found = false;
	bool cut = false;

	while (take_field(&message, &field, &cut))
		if (field.number == number && field.wire == wire) {
			*out = field;
			found = true;
		}
	return found && !cut;
}

// google.rpc.Status.message; answers that are not such a message are text.
static struct pmon_span
status_words(struct pmon_span answer)
{
	struct field message;

	return find_field(answer, 2, WIRE_BYTES, &message) ? message.bytes : answer;
}

// "If the server receives a partial success, the client MUST NOT retry": what was rejected is reported.
static void
take_answer(struct prom_engine *e, struct pmon_span answer)
{
	char buf[TOLD_SIZE];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));
	struct field partial;
	struct field rejected = {.value = 0};
	struct field words = {.bytes = {"", 0}};

	if (!find_field(answer, 1, WIRE_BYTES, &partial))
		return;
	(void)find_field(partial.bytes, 1, WIRE_VARINT, &rejected);
	(void)find_field(partial.bytes, 2, WIRE_BYTES, &words);
	if (rejected.value > INT64_MAX) // less than none
		rejected.value = 0;
	e->n_rejected += rejected.value;
	if (e->has_told || (words.bytes.len == 0 && rejected.value == 0))
		return;
	e->has_told = true;
	pmon_text_str(&t, rejected.value > 0 ? "the server rejected data points"
					     : "the server took a batch with a warning");
	pmon_text_str(&t, words.bytes.len > 0 ? ": " : "");
	pmon_text_span(&t, words.bytes);
	pmon_push_tell(&e->push.options, rejected.value > 0, buf);
}

// "Retryable Response Codes"; all others are final.
static bool
may_pass(long code, struct pmon_span answer)
{
	(void)answer;
	return code == 429 || code == 502 || code == 503 || code == 504;
}

static const char *const headers[] = {"Content-Type: application/x-protobuf",
#ifdef PMON_WITH_ZLIB
				      "Content-Encoding: gzip",
#endif
				      NULL};

const struct prom_wire pmon_prom_otlp = {
	.path = "v1/metrics",
	.headers = headers,
	.may_pass = may_pass,
	.words = status_words,
	.make_body = make_body,
	.take_answer = take_answer,
};
