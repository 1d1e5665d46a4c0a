// cairo_png.c - how large the pixels of a PNG are (chunk pHYs, ISO/IEC 15948), which cairo does not write
// SPDX-License-Identifier: MIT

#include <math.h>
#include <string.h>

#include "draw/canvas.h"

#define HEAD 33 // bytes of the signature and of the chunk IHDR
#define PHYS 21 // of the chunk pHYs: its length, its name, nine bytes, its checksum

static void
put_u32(unsigned char *out, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		out[i] = (unsigned char)(value >> (24 - 8 * i));
}

// CRC-32 of ISO 3309.
static uint32_t
checksum(const unsigned char *bytes, size_t len)
{
	uint32_t crc = 0xFFFFFFFFu;

	for (size_t i = 0; i < len; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	return ~crc;
}

static bool
write_size(struct draw_png *png)
{
	unsigned char chunk[PHYS] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
	uint32_t per_metre = (uint32_t)lround(png->dpi / 0.0254);

	put_u32(chunk + 8, per_metre);
	put_u32(chunk + 12, per_metre);
	chunk[16] = 1; // metres
	put_u32(chunk + 17, checksum(chunk + 4, 13));
	return png->write(png->ctx, chunk, sizeof(chunk));
}

bool
draw_png_write(void *ctx, const void *bytes, size_t len)
{
	struct draw_png *png = ctx;
	size_t before = png->seen < HEAD ? HEAD - png->seen : 0;

	png->seen += len;
	if (before == 0 || len < before)
		return png->write(png->ctx, bytes, len);
	return png->write(png->ctx, bytes, before) && write_size(png) &&
	       (len == before ||
		png->write(png->ctx, (const unsigned char *)bytes + before, len - before));
}
