// key.c - the one-time key in the page's URL, which admits one browser
// SPDX-License-Identifier: MIT

#include "web/key.h"

#include <string.h>

void
key_init(struct key *key)
{
	*key = (struct key){.text = ""};
	(void)pmon_lock_init(&key->lock);
}

void
key_free(struct key *key)
{
	pmon_lock_destroy(&key->lock);
}

bool
key_make(struct key *key)
{
	char text[GUARD_TOKEN + 1];

	if (!guard_random(text))
		return false;
	pmon_lock_take(&key->lock);
	memcpy(key->text, text, sizeof(text));
	pmon_lock_give(&key->lock);
	return true;
}

void
key_get(struct key *key, char out[GUARD_TOKEN + 1])
{
	pmon_lock_take(&key->lock);
	memcpy(out, key->text, sizeof(key->text));
	pmon_lock_give(&key->lock);
}

bool
key_use(struct key *key, const char *given)
{
	bool good;

	pmon_lock_take(&key->lock);
	good = guard_is(key->text, given);
	if (good)
		key->text[0] = '\0';
	pmon_lock_give(&key->lock);
	return good;
}
