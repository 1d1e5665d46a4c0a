// rpc.h - one message of the client: JSON-RPC 2.0, read with jansson
// SPDX-License-Identifier: MIT
//
// jansson's header and shell/output/json.h declare functions of the same names, so no file includes both.

#ifndef PMON_VERBS_MCP_RPC_H
#define PMON_VERBS_MCP_RPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t; // jansson's value

enum rpc_kind {
	RPC_NOT_JSON,
	RPC_INVALID, // JSON, but no message
	RPC_REQUEST,
	RPC_NOTIFICATION,
	RPC_ANSWER, // to a request of the server, which makes none
};

struct rpc_message {
	enum rpc_kind kind;
	char *id; // as JSON; NULL: none
	const char *method;
	const struct json_t *params; // NULL: none
	struct json_t *root;
	char why[200]; // of the first two kinds
};

void rpc_read(const char *line, size_t len, struct rpc_message *message);
void rpc_free(struct rpc_message *message);

// ---- Values: NULL is allowed, and is no value ------------------------------------------------

const struct json_t *rpc_member(const struct json_t *object, const char *name);
bool rpc_is_object(const struct json_t *value);
const char *rpc_text(const struct json_t *value); // NULL: no text
bool rpc_number(const struct json_t *value, uint64_t *out);
bool rpc_flag(const struct json_t *value, bool *out);
bool rpc_is_list(const struct json_t *value);
size_t rpc_count(const struct json_t *list);
const struct json_t *rpc_at(const struct json_t *list, size_t i);

// The JSON of a request's id; NULL if it is none. The caller frees it.
char *rpc_id(const struct json_t *value);

// The first name of an object that is_known() does not know; NULL: it knows all.
const char *rpc_unknown(const struct json_t *object,
			bool (*is_known)(const void *ctx, const char *name), const void *ctx);

// Keep a value for longer than its message.
struct json_t *rpc_keep(const struct json_t *value);
void rpc_drop(struct json_t *value);

#endif
