// id.c - the id of a machine
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/sha256.h"
#include "live/live.h"
#include "model/machine.h"

// pmon's id of a machine. The system's own id must not leave the machine, since programs treat it as a secret, so it is
// the key of an HMAC-SHA-256 of pmon's application id; the first 16 bytes are marked as a version 4 UUID. This is what
// sd_id128_get_machine_app_specific(3) computes from /etc/machine-id. A machine without one, such as many containers,
// or one that is not set up yet ("uninitialized") has no id: a boot id would change with each boot.
enum pmon_status
pmon_live_give_id(struct live *live, const char *text, struct pmon_err *err)
{
	static const uint8_t application[16] = {0x5C, 0xE2, 0x4D, 0x0A, 0x7B, 0x1F, 0x4B, 0x6E,
						0x9A, 0x35, 0xD8, 0x60, 0x13, 0xC9, 0x72, 0xAF};
	struct pmon_machines machines = {.arena = &live->arena};
	struct pmon_hash128 number;
	uint8_t key[16];
	uint8_t digest[PMON_SHA256_BYTES];
	char id[PMON_HASH128_SIZE];

	if (!pmon_hash128_parse((struct pmon_span){text, strlen(text)}, &number) ||
	    (number.high == 0 && number.low == 0))
		return PMON_OK;
	for (size_t i = 0; i < 8; i++) {
		key[i] = (uint8_t)(number.high >> (56 - 8 * i));
		key[8 + i] = (uint8_t)(number.low >> (56 - 8 * i));
	}
	pmon_hmac_sha256(key, sizeof(key), application, sizeof(application), digest);
	digest[6] = (uint8_t)((digest[6] & 0x0F) | 0x40);
	digest[8] = (uint8_t)((digest[8] & 0x3F) | 0x80);
	for (size_t i = 0; i < 16; i++)
		(void)snprintf(id + 2 * i, 3, "%02x", digest[i]);
	if (!pmon_machines_add(&machines, live->machine, (struct pmon_span){id, PMON_MACHINE_ID}))
		return pmon_err_nomem(err);
	pmon_machines_give(&machines, &live->source.info);
	return PMON_OK;
}
