// engine.h - one push into ClickHouse under way
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_CLICKHOUSE_ENGINE_H
#define PMON_PUSH_CLICKHOUSE_ENGINE_H

#include "push/clickhouse/batch.h"
#include "push/clickhouse/clickhouse.h"
#include "push/http.h"

#define CH_WEIGHTS_SIZE 512
#define CH_MACRO_SIZE   64

struct ch_engine {
	struct pmon_push_sink push; // first
	struct pmon_push_url url;
	struct ch_place place;
	struct pmon_http *http;
	char log[PMON_HASH128_SIZE];
	struct ch_shards shards;
	uint64_t away; // hosts that did not answer at the beginning, a bit for each
	struct pmon_push_bytes series[PMON_PUSH_HOSTS]; // rows not sent yet, by shard
	size_t n_sent;                                  // series that are
	struct pmon_push_identity identity;
	struct ch_batch batch;
	uint32_t retention_days;       // that values are kept; 0: all are
	bool is_making;                // tables, as others may do at the same time
	size_t answer_max;             // bytes of an answer that are taken; 0: those of a ledger
	bool is_old;                   // the server needs help to read only what a query names
	bool may_pack;                 // all nodes take compressed rows
	bool asks_once;                // a host that does not answer is not asked again
	char weights[CH_WEIGHTS_SIZE]; // of the cluster's shards as at the beginning
	char macros[PMON_PUSH_HOSTS][CH_MACRO_SIZE]; // {shard} on the nodes of each; "": not known
};

// Run a statement, in the body of a request, on one of the hosts of the URL: a bit for each, 0 for any.
// sink.c
PMON_NODISCARD enum pmon_status pmon_ch_run(struct ch_engine *e, uint64_t hosts, const char *sql,
					    struct pmon_span *answer, struct pmon_err *err);

// May a request that was answered in this way go better the next time? sink.c
bool pmon_ch_may_pass(long code, struct pmon_span answer);

// Count the raw values of the batch that are not stored (push.h). verify.c
PMON_NODISCARD enum pmon_status pmon_ch_count_missing(struct pmon_push_sink *push, uint64_t *n,
						      struct pmon_err *err);

// Check the topology, and create what is missing on each node. begin.c
PMON_NODISCARD enum pmon_status pmon_ch_begin(struct ch_engine *e, struct pmon_err *err);

// Find a node of a shard of which none is known yet, since those that are away did not answer before.
PMON_NODISCARD enum pmon_status pmon_ch_find_shard(struct ch_engine *e, size_t shard,
						   struct pmon_err *err);

// Read for how many days a host keeps values, and set what the options want. retention.c
PMON_NODISCARD enum pmon_status pmon_ch_keep(struct ch_engine *e, size_t host,
					     const struct ch_place *place, uint32_t *days,
					     struct pmon_err *err);

// The ids that are stored for a machine, and one more (push.h). machines.c
PMON_NODISCARD enum pmon_status pmon_ch_read_machine(struct pmon_push_sink *push, const char *name,
						     struct pmon_push_machines *out,
						     struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_ch_write_machine(struct pmon_push_sink *push, const char *name,
						      const char *id, bool is_accepted,
						      struct pmon_err *err);
// Compute sums of whole hours. rollup.c
PMON_NODISCARD enum pmon_status pmon_ch_rollup(struct pmon_push_sink *push,
					       const struct pmon_rollup_options *options,
					       struct pmon_rollup_counts *counts,
					       struct pmon_err *err);

// ---- topology.c -----------------------------------------------------------------------------
//
// The shard of a row follows from the hash of its series modulo the sum of the weights of all shards,
// as in ClickHouse's own Distributed tables. So the list of weights, and which of them is a node's own, must stay as they were when the
// first row was stored: otherwise a series is on two shards, counts twice, and has wrong pairs. Each
// node records both, in the view pmon_cluster.

// The cluster as a node's system.clusters has it.
struct ch_topology {
	char weights[CH_WEIGHTS_SIZE]; // of the shards in their order, "1 1 2"
	unsigned shards;
	uint64_t ends[PMON_PUSH_HOSTS]; // the sums of their weights up to each
	unsigned replicas;              // that a shard has at most
	unsigned shard;                 // of this node: 1, 2 ...
	uint64_t from;                  // the sum of the weights before it
	uint64_t weight;                // its own
	uint64_t total;
	char macro[CH_MACRO_SIZE]; // {shard}, if a shard has several replicas
};

// Ask a node. Refuses a cluster that it does not know, or is not in, and one with replicas that would
// not have the same rows.
PMON_NODISCARD enum pmon_status pmon_ch_read_topology(struct ch_engine *e, size_t host,
						      struct ch_topology *t, struct pmon_err *err);

// Compare it with what the node has: *is_recorded says whether it has pmon_cluster. A node that has
// none, as it was filled by an older pmon, must have no series of another shard. PMON_E_NOTFOUND: it has no replicated
// tables at present.
PMON_NODISCARD enum pmon_status pmon_ch_check_node(struct ch_engine *e, size_t host,
						   const struct ch_topology *t, bool *is_recorded,
						   struct pmon_err *err);

// The statement that records it.
void pmon_ch_put_cluster(const struct ch_place *place, const struct ch_topology *t,
			 struct pmon_text *sql);

#endif
