// topology.c - refuse a cluster whose shards are not those that the stored rows were distributed over
// SPDX-License-Identifier: MIT

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "push/clickhouse/engine.h"

#define SQL_SIZE 1024
#define GROWING  "nothing was sent; see docs/engines/clickhouse.md, \"Growing a cluster\""

// ---- What the node says ---------------------------------------------------------------------

// One row of the answer: the weight of the next shard, whether this node is in it, its replicas.
static bool
take_shard(struct pmon_scan *s, struct ch_topology *t, struct pmon_text *weights, unsigned *n_here)
{
	uint64_t weight;
	uint64_t is_here;
	uint64_t replicas;

	if (!pmon_scan_u64(s, &weight) || !pmon_scan_take(s, '\t') || !pmon_scan_u64(s, &is_here) ||
	    !pmon_scan_take(s, '\t') || !pmon_scan_u64(s, &replicas) || !pmon_scan_take(s, '\n'))
		return false;
	pmon_text_str(weights, t->shards > 0 ? " " : "");
	pmon_text_u64(weights, weight);
	t->shards++;
	if (t->shards <= PMON_PUSH_HOSTS)
		t->ends[t->shards - 1] = t->total + weight;
	if (is_here != 0) {
		t->shard = t->shards;
		t->from = t->total;
		t->weight = weight;
		(*n_here)++;
	}
	t->total += weight;
	t->replicas = replicas > t->replicas ? (unsigned)replicas : t->replicas;
	return true;
}

static enum pmon_status
ask_shards(struct ch_engine *e, size_t host, struct ch_topology *t, unsigned *n_here,
	   struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_span answer = {NULL, 0};
	struct pmon_text weights = pmon_text_init(t->weights, sizeof(t->weights));
	struct pmon_scan s;
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql),
		       "SELECT any(shard_weight), max(is_local), count() FROM system.clusters "
		       "WHERE cluster = '%s' GROUP BY shard_num ORDER BY shard_num",
		       e->place.cluster);
	*n_here = 0;
	t->shards = t->shard = t->replicas = 0;
	t->from = t->weight = t->total = 0;
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	if (status != PMON_OK)
		return status;
	s = pmon_scan_init(answer);
	while (s.at < s.end)
		if (!take_shard(&s, t, &weights, n_here))
			return pmon_err_set(err, PMON_E_FORMAT, 0,
					    "%s answers something else than the shards of %s",
					    e->url.hosts[host], e->place.cluster);
	if (t->shards > PMON_PUSH_HOSTS || weights.len >= sizeof(t->weights))
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the cluster %s has too many shards",
				    e->place.cluster);
	return PMON_OK;
}

// Replicas have the same rows only if a Keeper copies them, which needs to know who is whose replica.
static enum pmon_status
refuse_replicas(const struct ch_engine *e, size_t host, const struct ch_topology *t,
		const char *what, struct pmon_err *err)
{
	return pmon_err_set(
		err, PMON_E_UNSUPPORTED, 0,
		"the cluster %s has %u replicas in a shard, and %s %s; rows would be on "
		"one replica only. See docs/engines/clickhouse.md, \"Replicas\"",
		e->place.cluster, t->replicas, e->url.hosts[host], what);
}

static enum pmon_status
check_replication(struct ch_engine *e, size_t host, struct ch_topology *t, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status =
		pmon_ch_run(e, UINT64_C(1) << host, "EXISTS TABLE system.zookeeper", &answer, err);

	if (status == PMON_OK && (answer.len == 0 || answer.ptr[0] != '1'))
		return refuse_replicas(e, host, t, "has no Keeper (<zookeeper>)", err);
	if (status == PMON_OK)
		status = pmon_ch_run(
			e, UINT64_C(1) << host,
			"SELECT anyIf(substitution, macro = 'shard') FROM system.macros "
			"WHERE macro IN ('shard', 'replica') HAVING count() = 2",
			&answer, err);
	if (status != PMON_OK)
		return status;
	if (answer.len <= 1 || answer.len > sizeof(t->macro))
		return refuse_replicas(e, host, t, "has no <macros> shard and replica", err);
	(void)snprintf(t->macro, sizeof(t->macro), "%.*s", (int)answer.len - 1, answer.ptr);
	return PMON_OK;
}

enum pmon_status
pmon_ch_read_topology(struct ch_engine *e, size_t host, struct ch_topology *t, struct pmon_err *err)
{
	unsigned n_here;
	enum pmon_status status = ask_shards(e, host, t, &n_here, err);

	if (status != PMON_OK)
		return status;
	if (t->shards == 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "%s has no cluster %s in its remote_servers",
				    e->url.hosts[host], e->place.cluster);
	if (n_here != 1)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "%s is in %u shards of the cluster %s (is_local in "
				    "system.clusters); each node of the URL must be in one",
				    e->url.hosts[host], n_here, e->place.cluster);
	return t->replicas > 1 ? check_replication(e, host, t, err) : PMON_OK;
}

// ---- What it has recorded -------------------------------------------------------------------

void
pmon_ch_put_cluster(const struct ch_place *place, const struct ch_topology *t,
		    struct pmon_text *sql)
{
	pmon_text_str(sql, "CREATE VIEW IF NOT EXISTS ");
	pmon_ch_put_name(place, "pmon_cluster", false, sql);
	pmon_text_str(sql, " AS\nSELECT '");
	pmon_text_str(sql, place->cluster);
	pmon_text_str(sql, "' AS cluster, '");
	pmon_text_str(sql, t->weights);
	pmon_text_str(sql, "' AS weights, toUInt32(");
	pmon_text_u64(sql, t->shard);
	pmon_text_str(sql, ") AS shard");
}

// What differs between what was recorded and what is.
static enum pmon_status
compare(const struct ch_engine *e, size_t host, const struct ch_topology *t, char *recorded,
	struct pmon_err *err)
{
	const char *cluster = strtok_r(recorded, "\t", &recorded);
	const char *weights = strtok_r(NULL, "\t", &recorded);
	const char *shard = strtok_r(NULL, "\n", &recorded);
	char number[16];

	(void)snprintf(number, sizeof(number), "%u", t->shard);
	if (shard == NULL)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "%s: the view %s.pmon_cluster is broken",
				    e->url.hosts[host], e->place.database);
	if (strcmp(cluster, e->place.cluster) != 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "%s: the database %s is distributed over the cluster %s, not "
				    "over %s; " GROWING,
				    e->url.hosts[host], e->place.database, cluster,
				    e->place.cluster);
	if (strcmp(weights, t->weights) != 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "%s: the shards of the cluster %s changed: their weights were "
				    "%s, and are %s; " GROWING,
				    e->url.hosts[host], cluster, weights, t->weights);
	if (strcmp(shard, number) != 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "%s was shard %s of the cluster %s, and is shard %s now; the "
				    "order of shards must stay. " GROWING,
				    e->url.hosts[host], shard, cluster, number);
	return PMON_OK;
}

static enum pmon_status
check_recorded(struct ch_engine *e, size_t host, const struct ch_topology *t, struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql), "SELECT cluster, weights, shard FROM %s.pmon_cluster",
		       e->place.database);
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	if (status != PMON_OK)
		return status;
	(void)snprintf(sql, sizeof(sql), "%.*s", (int)answer.len, answer.ptr);
	return compare(e, host, t, sql, err);
}

// Nothing is recorded: are all series here those of this shard?
static enum pmon_status
check_series(struct ch_engine *e, size_t host, const struct ch_topology *t, struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	uint64_t n = 0;
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql),
		       "SELECT uniqExact(key) FROM %s.pmon_series_local WHERE " CH_SHARD_BY(
			       "key") " %% %" PRIu64 " < %" PRIu64
				      " OR " CH_SHARD_BY("key") " %% %" PRIu64 " >= %" PRIu64,
		       e->place.database, t->total, t->from, t->total, t->from + t->weight);
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	s = pmon_scan_init(answer);
	if (status != PMON_OK || !pmon_scan_u64(&s, &n) || n == 0)
		return status;
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "%s stores %" PRIu64 " series of other shards: the cluster %s had "
			    "another number of shards before, and values count twice; " GROWING,
			    e->url.hosts[host], n, e->place.cluster);
}

static bool
has(struct pmon_span answer, const char *row)
{
	size_t len = strlen(row);

	for (size_t i = 0; i + len <= answer.len; i++)
		if ((i == 0 || answer.ptr[i - 1] == '\n') && memcmp(answer.ptr + i, row, len) == 0)
			return true;
	return false;
}

// A table of all nodes where one node's own is wanted, or the other way round.
static enum pmon_status
refuse_kind(const struct ch_engine *e, size_t host, bool is_spread, struct pmon_err *err)
{
	return pmon_err_set(
		err, PMON_E_UNSUPPORTED, 0,
		"%s: the database %s is %s; push %s --cluster, or into another database",
		e->url.hosts[host], e->place.database,
		is_spread ? "distributed over a cluster" : "of this node alone",
		is_spread ? "with" : "without");
}

// A node that was started without its Keeper has no replicated tables until it is started again.
static enum pmon_status
refuse_bare(const struct ch_engine *e, size_t host, struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_NOTFOUND, 0,
			    "%s does not have the replicated tables of %s: it was started "
			    "while its Keeper was away; restart it",
			    e->url.hosts[host], e->place.database);
}

enum pmon_status
pmon_ch_check_node(struct ch_engine *e, size_t host, const struct ch_topology *t, bool *is_recorded,
		   struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_span answer = {NULL, 0};
	bool wants_spread = e->place.cluster[0] != '\0';
	enum pmon_status status;

	*is_recorded = false;
	(void)snprintf(sql, sizeof(sql),
		       "SELECT name, engine FROM system.tables WHERE database = '%s' AND name IN "
		       "('pmon_raw', 'pmon_series_local', 'pmon_cluster')",
		       e->place.database);
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	if (status != PMON_OK)
		return status;
	if (has(answer, "pmon_raw\t") && has(answer, "pmon_raw\tDistributed\n") != wants_spread)
		return refuse_kind(e, host, !wants_spread, err);
	if (wants_spread && t->replicas > 1 && has(answer, "pmon_series_local\t") &&
	    !has(answer, "pmon_series_local\tReplicated"))
		return refuse_replicas(e, host, t, "has tables that are not replicated", err);
	*is_recorded = has(answer, "pmon_cluster\t");
	if (*is_recorded && wants_spread && t->replicas > 1 && !has(answer, "pmon_series_local\t"))
		return refuse_bare(e, host, err);
	if (*is_recorded && wants_spread)
		return check_recorded(e, host, t, err);
	return has(answer, "pmon_series_local\t") && wants_spread ? check_series(e, host, t, err)
								  : PMON_OK;
}
