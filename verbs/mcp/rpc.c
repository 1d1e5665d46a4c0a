// rpc.c - read a message of the client
// SPDX-License-Identifier: MIT

#include "verbs/mcp/rpc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

char *
rpc_id(const struct json_t *value)
{
	if (!json_is_string(value) && !json_is_number(value))
		return NULL;
	return json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
}

static void
invalid(struct rpc_message *message, const char *why)
{
	message->kind = RPC_INVALID;
	(void)snprintf(message->why, sizeof(message->why), "%s", why);
}

static void
take_members(struct rpc_message *message)
{
	const json_t *id = json_object_get(message->root, "id");
	const char *version = json_string_value(json_object_get(message->root, "jsonrpc"));
	bool is_answer = json_object_get(message->root, "result") != NULL ||
			 json_object_get(message->root, "error") != NULL;

	message->id = rpc_id(id);
	message->method = json_string_value(json_object_get(message->root, "method"));
	message->params = json_object_get(message->root, "params");
	if (version == NULL || strcmp(version, "2.0") != 0)
		invalid(message, "\"jsonrpc\" must be \"2.0\"");
	else if (message->method == NULL && is_answer)
		message->kind = RPC_ANSWER;
	else if (message->method == NULL)
		invalid(message, "\"method\" must be a text");
	else if (message->params != NULL && !json_is_object(message->params))
		invalid(message, "\"params\" must be an object");
	else if (id != NULL && message->id == NULL)
		invalid(message, "\"id\" must be a text or a number");
	else
		message->kind = id != NULL ? RPC_REQUEST : RPC_NOTIFICATION;
}

void
rpc_read(const char *line, size_t len, struct rpc_message *message)
{
	json_error_t error;

	*message = (struct rpc_message){.kind = RPC_NOT_JSON};
	message->root = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (message->root == NULL)
		(void)snprintf(message->why, sizeof(message->why), "%.150s, at byte %d", error.text,
			       error.position);
	else if (json_is_array(message->root))
		invalid(message,
			"batches are not supported: write each message as a line of its own");
	else if (!json_is_object(message->root))
		invalid(message, "a message is an object");
	else
		take_members(message);
}

void
rpc_free(struct rpc_message *message)
{
	free(message->id);
	json_decref(message->root);
}

const struct json_t *
rpc_member(const struct json_t *object, const char *name)
{
	return json_object_get(object, name);
}

bool
rpc_is_object(const struct json_t *value)
{
	return json_is_object(value);
}

const char *
rpc_text(const struct json_t *value)
{
	return json_string_value(value);
}

bool
rpc_number(const struct json_t *value, uint64_t *out)
{
	double real = json_real_value(value);

	if (json_is_integer(value) && json_integer_value(value) >= 0)
		*out = (uint64_t)json_integer_value(value);
	else if (json_is_real(value) && real >= 0 && real < 1e15 && (double)(uint64_t)real == real)
		*out = (uint64_t)real; // 50.0
	else
		return false;
	return true;
}

bool
rpc_flag(const struct json_t *value, bool *out)
{
	*out = json_is_true(value);
	return json_is_boolean(value);
}

bool
rpc_is_list(const struct json_t *value)
{
	return json_is_array(value);
}

size_t
rpc_count(const struct json_t *list)
{
	return json_array_size(list);
}

const struct json_t *
rpc_at(const struct json_t *list, size_t i)
{
	return json_array_get(list, i);
}

const char *
rpc_unknown(const struct json_t *object, bool (*is_known)(const void *ctx, const char *name),
	    const void *ctx)
{
	// jansson can only iterate over an object that is not const.
	json_t *walked = (json_t *)(uintptr_t)object;
	const char *name;
	json_t *value;

	json_object_foreach(walked, name, value) if (!is_known(ctx, name)) return name;
	return NULL;
}

struct json_t *
rpc_keep(const struct json_t *value)
{
	return json_incref((json_t *)(uintptr_t)value);
}

void
rpc_drop(struct json_t *value)
{
	json_decref(value);
}
