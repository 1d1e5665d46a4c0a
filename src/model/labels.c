// labels.c - labels that the user gives to machines
// SPDX-License-Identifier: MIT

#include "model/labels.h"

#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "base/utf.h"

// Labels that series have already, or that Prometheus or PromQL gives a meaning.
static bool
is_reserved(const char *name)
{
	static const char *const names[] = {"counter", "counter_instance", "duplicate", "family",
					    "index",   "instance",         "le",        "machine",
					    "object",  "parent",           "quantile",  "type"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "__", 2) == 0;
}

// The length of the name that a text begins with. Remote write wants labels in order, "__name__" first: so no capitals.
static size_t
name_len(const char *text)
{
	size_t len = 0;

	while ((pmon_is_letter(text[len]) && text[len] >= 'a') || text[len] == '_' ||
	       (len > 0 && pmon_is_digit(text[len])))
		len++;
	return len;
}

static bool
is_value(const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7F)
			return false;
	return len > 0 && len <= PMON_LABEL_VALUE && pmon_utf8_valid((struct pmon_span){text, len});
}

static enum pmon_status
parse(const char *text, struct pmon_label *out, struct pmon_err *err)
{
	size_t len = name_len(text);

	if (len == 0 || len >= PMON_LABEL_NAME || text[len] != '=' || !is_value(text + len + 1))
		return pmon_err_set(
			err, PMON_E_ARG, 0,
			"\"%.100s\" is not a label; write it as NAME=VALUE, where NAME is a "
			"lowercase letter or _, and then lowercase letters, digits and _, and "
			"VALUE has 1 to %d bytes",
			text, PMON_LABEL_VALUE);
	memcpy(out->name, text, len);
	out->name[len] = '\0';
	out->value = text + len + 1;
	if (is_reserved(out->name))
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "the label %s is reserved; choose another name", out->name);
	return PMON_OK;
}

// Insert it in order.
static enum pmon_status
add(struct pmon_labels *labels, const struct pmon_label *label, struct pmon_err *err)
{
	size_t at = labels->n;

	while (at > 0 && strcmp(labels->list[at - 1].name, label->name) > 0)
		at--;
	if (at > 0 && strcmp(labels->list[at - 1].name, label->name) == 0)
		return pmon_err_set(err, PMON_E_ARG, 0, "the label %s is given twice", label->name);
	memmove(labels->list + at + 1, labels->list + at, (labels->n - at) * sizeof(*label));
	labels->list[at] = *label;
	labels->n++;
	return PMON_OK;
}

enum pmon_status
pmon_labels_parse(const char *const *texts, size_t n, struct pmon_labels *out, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct pmon_label label;

	out->n = 0;
	if (n > PMON_LABELS)
		return pmon_err_set(err, PMON_E_ARG, 0, "more than %d labels", PMON_LABELS);
	for (size_t i = 0; status == PMON_OK && i < n; i++) {
		status = parse(texts[i], &label, err);
		if (status == PMON_OK)
			status = add(out, &label, err);
	}
	return status;
}
