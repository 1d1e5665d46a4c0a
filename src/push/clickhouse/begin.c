// begin.c - before the first row: are the tables there, and are they those of this cluster?
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/scan.h"
#include "push/clickhouse/engine.h"

// A node that the URL names.
struct node {
	struct ch_topology topology;
	unsigned version; // of the server, as in struct ch_place
	bool is_away;
	bool is_ready; // all is there, and as it is now
};

// The tables of pmon 0.1 have other keys. What is in them stays there.
static enum pmon_status
refuse_old_keys(struct ch_engine *e, size_t host, struct pmon_err *err)
{
	char sql[512];
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql),
		       "SELECT count() FROM system.columns WHERE database = '%s' AND table = "
		       "'pmon_series%s' AND name = 'key' AND type = 'UInt64'",
		       e->place.database, e->place.cluster[0] != '\0' ? "_local" : "");
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	if (status != PMON_OK || answer.len == 0 || answer.ptr[0] == '0')
		return status;
	return pmon_err_set(
		err, PMON_E_UNSUPPORTED, 0,
		"the database %s has the keys of an older pmon, of 64 bits; its views can "
		"still be read, but push into a new database (docs/push.md, Older "
		"databases)",
		e->place.database);
}

static enum pmon_status
is_there(struct ch_engine *e, size_t host, const char *table, bool *out, struct pmon_err *err)
{
	char sql[256];
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql), "EXISTS TABLE %s.%s", e->place.database, table);
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	*out = status == PMON_OK && answer.len > 0 && answer.ptr[0] == '1';
	return status;
}

// Is all there, and as it is now? Then the last statement was made, and those before it.
static enum pmon_status
look_for_tables(struct ch_engine *e, size_t host, unsigned version, bool *are_there,
		struct pmon_err *err)
{
	const struct ch_place place = {.version = version};
	char sql[256];
	struct pmon_span answer = {NULL, 0};
	long long views = 0;
	long long keys = 0;
	enum pmon_status status = refuse_old_keys(e, host, err);

	*are_there = false;
	if (status == PMON_OK)
		status = is_there(e, host, CH_VERSION_VIEW, are_there, err);
	if (status != PMON_OK || !*are_there)
		return status;
	*are_there = false;
	(void)snprintf(sql, sizeof(sql), "SELECT views, keys FROM %s." CH_VERSION_VIEW,
		       e->place.database);
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	if (status != PMON_OK)
		return status;
	(void)snprintf(sql, sizeof(sql), "%.*s", (int)answer.len, answer.ptr);
	if (sscanf(sql, "%lld %lld", &views, &keys) != 2 || keys != PMON_PUSH_KEYS_VERSION)
		return pmon_err_set(
			err, PMON_E_UNSUPPORTED, 0,
			"the database %s was made by a newer pmon: its series have keys "
			"of version %lld",
			e->place.database, keys);
	*are_there = views >= CH_VIEWS_VERSION;
	// A server that was older when the tables were made has no views of time ranges, nor codecs.
	return *are_there && pmon_ch_is_current(&place)
		       ? is_there(e, host, CH_RANGE_VIEW, are_there, err)
		       : PMON_OK;
}

// "26.7.2.1". Whoever answers something else is asked for nothing new.
static enum pmon_status
read_version(struct ch_engine *e, size_t host, unsigned *version, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status =
		pmon_ch_run(e, UINT64_C(1) << host, "SELECT version()", &answer, err);
	struct pmon_scan s = pmon_scan_init(answer);
	uint64_t major;
	uint64_t minor;

	*version = 1;
	if (status == PMON_OK && pmon_scan_u64(&s, &major) && pmon_scan_take(&s, '.') &&
	    pmon_scan_u64(&s, &minor) && major > 0 && major < 1000 && minor < 1000)
		*version = (unsigned)(major * 1000 + minor);
	return status;
}

// ---- Looking --------------------------------------------------------------------------------

static enum pmon_status
look_at(struct ch_engine *e, size_t host, struct node *node, struct pmon_err *err)
{
	bool is_spread = e->place.cluster[0] != '\0';
	bool is_recorded = false;
	enum pmon_status status;

	node->topology = (struct ch_topology){.shards = 1, .shard = 1};
	status = read_version(e, host, &node->version, err);
	if (status == PMON_OK && is_spread)
		status = pmon_ch_read_topology(e, host, &node->topology, err);
	if (status == PMON_OK)
		status = pmon_ch_check_node(e, host, &node->topology, &is_recorded, err);
	if (status == PMON_OK)
		status = look_for_tables(e, host, node->version, &node->is_ready, err);
	node->is_ready = node->is_ready && (is_recorded || !is_spread);
	return status;
}

// Look at all nodes, at each once if there are several.
static enum pmon_status
look_at_all(struct ch_engine *e, struct node *nodes, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	e->asks_once = e->url.n_hosts > 1;
	for (size_t host = 0; status == PMON_OK && host < e->url.n_hosts; host++) {
		status = look_at(e, host, &nodes[host], err);
		if (status == PMON_E_NOTFOUND && e->asks_once)
			pmon_push_tell(&e->push.options, false, err->msg);
		nodes[host].is_away =
			(status == PMON_E_IO || status == PMON_E_NOTFOUND) && e->asks_once;
		if (nodes[host].is_away)
			status = PMON_OK;
	}
	e->asks_once = false;
	return status;
}

static void
tell_away(const struct ch_engine *e, size_t host)
{
	char text[PMON_PUSH_URL_SIZE + 64];

	(void)snprintf(text, sizeof(text), "%s does not answer; the push goes on without it",
		       e->url.hosts[host]);
	pmon_push_tell(&e->push.options, false, text);
}

// A node that is ready agreed with all others once, so a push needs no node that is away. Without one all
// must answer, before anything is made on any.
static enum pmon_status
wait_for_away(struct ch_engine *e, struct node *nodes, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool is_one_ready = false;

	for (size_t host = 0; host < e->url.n_hosts; host++)
		is_one_ready = is_one_ready || nodes[host].is_ready;
	for (size_t host = 0; status == PMON_OK && host < e->url.n_hosts; host++) {
		if (!nodes[host].is_away)
			continue;
		if (is_one_ready) {
			e->away |= UINT64_C(1) << host;
			tell_away(e, host);
			continue;
		}
		status = look_at(e, host, &nodes[host], err);
		nodes[host].is_away = false;
	}
	return status;
}

// ---- Comparing ------------------------------------------------------------------------------

// Tables whose macro is the same have the same rows: those of one shard, and no others.
static enum pmon_status
check_macro(struct ch_engine *e, size_t host, const struct ch_topology *t, struct pmon_err *err)
{
	for (size_t shard = 0; shard < e->shards.n; shard++)
		if (e->macros[shard][0] != '\0' &&
		    (strcmp(e->macros[shard], t->macro) == 0) != (shard + 1 == t->shard))
			return pmon_err_set(
				err, PMON_E_UNSUPPORTED, 0,
				"the macro shard of %s, in shard %u, is %s, and that of "
				"shard %zu is %s; it must be the same in one shard, and "
				"another in others",
				e->url.hosts[host], t->shard, t->macro, shard + 1,
				e->macros[shard]);
	memcpy(e->macros[t->shard - 1], t->macro, sizeof(t->macro));
	return PMON_OK;
}

// The first node says how rows are distributed; the others must agree.
static enum pmon_status
add_node(struct ch_engine *e, size_t host, const struct ch_topology *t, struct pmon_err *err)
{
	if (e->shards.n == 0) {
		e->shards.n = t->shards;
		memcpy(e->shards.ends, t->ends, sizeof(t->ends));
		memcpy(e->weights, t->weights, sizeof(t->weights));
	}
	if (strcmp(e->weights, t->weights) != 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the nodes disagree on the cluster %s: its shards have the "
				    "weights %s, and %s on %s",
				    e->place.cluster, e->weights, t->weights, e->url.hosts[host]);
	e->shards.hosts[t->shard - 1] |= UINT64_C(1) << host;
	e->place.is_replicated = t->replicas > 1;
	return t->replicas > 1 ? check_macro(e, host, t, err) : PMON_OK;
}

// Tables are made on the nodes of the URL only, and only these were looked at: so there must be one of
// each shard before the first table is made.
static enum pmon_status
refuse_unnamed(const struct ch_engine *e, size_t shard, struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "the URL names no node of shard %zu of the cluster %s; name one of "
			    "each of its %zu shards",
			    shard + 1, e->place.cluster, e->shards.n);
}

static enum pmon_status
check_all_named(const struct ch_engine *e, struct pmon_err *err)
{
	for (size_t shard = 0; shard < e->shards.n; shard++)
		if (e->shards.hosts[shard] == 0)
			return refuse_unnamed(e, shard, err);
	return PMON_OK;
}

// The place as it is on a node.
static struct ch_place
place_on(const struct ch_engine *e, const struct node *node)
{
	struct ch_place place = e->place;

	place.version = node->version;
	return place;
}

static enum pmon_status
add_nodes(struct ch_engine *e, const struct node *nodes, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	memset(&e->shards, 0, sizeof(e->shards));
	memset(e->macros, 0, sizeof(e->macros));
	e->may_pack = e->away == 0;
	for (size_t host = 0; status == PMON_OK && host < e->url.n_hosts; host++)
		if (!nodes[host].is_away) {
			const struct ch_place place = place_on(e, &nodes[host]);

			e->may_pack = e->may_pack && pmon_ch_is_current(&place);
			status = add_node(e, host, &nodes[host].topology, err);
		}
	return status == PMON_OK && e->away == 0 ? check_all_named(e, err) : status;
}

// ---- Making ---------------------------------------------------------------------------------

static enum pmon_status
make_tables_on(struct ch_engine *e, size_t host, const struct node *node, char *buf,
	       struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct ch_place place = place_on(e, node);
	struct pmon_text sql = pmon_text_init(buf, CH_SQL_SIZE);

	for (size_t i = 0; status == PMON_OK && pmon_ch_statement(&place, i, &sql); i++) {
		status = pmon_ch_run(e, UINT64_C(1) << host, buf, NULL, err);
		sql = pmon_text_init(buf, CH_SQL_SIZE);
	}
	if (status != PMON_OK || e->place.cluster[0] == '\0')
		return status;
	pmon_ch_put_cluster(&e->place, &node->topology, &sql);
	return pmon_ch_run(e, UINT64_C(1) << host, buf, NULL, err);
}

// Who only verifies makes nothing.
static enum pmon_status
make_or_refuse(struct ch_engine *e, size_t host, const struct node *node, char *buf,
	       struct pmon_err *err)
{
	if (e->push.options.check != PMON_PUSH_VERIFY)
		return make_tables_on(e, host, node, buf, err);
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "%s does not have all tables of the database %s; --again makes them, "
			    "and sends what is missing",
			    e->url.hosts[host], e->place.database);
}

// Make what is missing, on each node that the URL names: without a Keeper a cluster has no other way.
static enum pmon_status
make_tables(struct ch_engine *e, const struct node *nodes, struct pmon_err *err)
{
	char *buf = pmon_mem_alloc(e->push.allocator, CH_SQL_SIZE);
	enum pmon_status status = buf != NULL ? PMON_OK : pmon_err_nomem(err);

	e->is_making = true;
	for (size_t host = 0; status == PMON_OK && host < e->url.n_hosts; host++)
		if (!nodes[host].is_ready && !nodes[host].is_away)
			status = make_or_refuse(e, host, &nodes[host], buf, err);
	e->is_making = false;
	pmon_mem_free(e->push.allocator, buf, CH_SQL_SIZE);
	return status;
}

// Nodes that were away when the retention was set have another one; the longest counts.
static void
take_days(struct ch_engine *e, size_t host, uint32_t days, bool is_first)
{
	char text[PMON_PUSH_URL_SIZE + 128];

	if (!is_first && days != e->retention_days) {
		(void)snprintf(text, sizeof(text),
			       "%s has another retention than other nodes; push with --retention "
			       "to set it on all",
			       e->url.hosts[host]);
		pmon_push_tell(&e->push.options, false, text);
	}
	if (is_first || days == 0 || (e->retention_days != 0 && days > e->retention_days))
		e->retention_days = days;
	e->push.keep_from = pmon_push_keep_from(e->retention_days);
}

static enum pmon_status
keep_all(struct ch_engine *e, const struct node *nodes, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool is_first = true;

	for (size_t host = 0; status == PMON_OK && host < e->url.n_hosts; host++) {
		struct ch_place place = place_on(e, &nodes[host]);
		uint32_t days = 0;

		if (nodes[host].is_away)
			continue;
		status = pmon_ch_keep(e, host, &place, &days, err);
		take_days(e, host, days, is_first);
		is_first = false;
	}
	return status;
}

enum pmon_status
pmon_ch_begin(struct ch_engine *e, struct pmon_err *err)
{
	size_t size = e->url.n_hosts * sizeof(struct node);
	struct node *nodes = pmon_mem_alloc0(e->push.allocator, size);
	enum pmon_status status = nodes != NULL ? PMON_OK : pmon_err_nomem(err);

	if (status == PMON_OK)
		status = look_at_all(e, nodes, err);
	if (status == PMON_OK)
		status = wait_for_away(e, nodes, err);
	if (status == PMON_OK)
		status = add_nodes(e, nodes, err);
	if (status == PMON_OK)
		status = make_tables(e, nodes, err);
	if (status == PMON_OK)
		status = keep_all(e, nodes, err);
	pmon_mem_free(e->push.allocator, nodes, size);
	return status;
}

// ---- Later ----------------------------------------------------------------------------------

// A node that was away: as at the beginning, if it answers now.
static enum pmon_status
look_again(struct ch_engine *e, size_t host, struct pmon_err *err)
{
	struct node node = {.is_away = false};
	char *buf = pmon_mem_alloc(e->push.allocator, CH_SQL_SIZE);
	enum pmon_status status = buf != NULL ? PMON_OK : pmon_err_nomem(err);

	e->asks_once = true;
	if (status == PMON_OK)
		status = look_at(e, host, &node, err);
	e->asks_once = false;
	if (status == PMON_OK)
		status = add_node(e, host, &node.topology, err);
	if (status == PMON_OK && !node.is_ready)
		status = make_or_refuse(e, host, &node, buf, err);
	if (status == PMON_OK) {
		struct ch_place place = place_on(e, &node);
		uint32_t days;

		status = pmon_ch_keep(e, host, &place, &days, err);
	}
	if (status == PMON_OK)
		e->away &= ~(UINT64_C(1) << host);
	pmon_mem_free(e->push.allocator, buf, CH_SQL_SIZE);
	return status;
}

enum pmon_status
pmon_ch_find_shard(struct ch_engine *e, size_t shard, struct pmon_err *err)
{
	while (e->shards.hosts[shard] == 0 && e->away != 0) {
		enum pmon_status status = pmon_ch_run(e, e->away, "SELECT 1", NULL, err);

		for (size_t host = 0; status == PMON_OK && host < e->url.n_hosts; host++)
			if ((e->away >> host & 1) != 0) {
				status = look_again(e, host, err);
				status = status == PMON_E_IO ? PMON_OK : status;
			}
		if (status != PMON_OK)
			return status;
	}
	return e->shards.hosts[shard] != 0 ? PMON_OK : refuse_unnamed(e, shard, err);
}
