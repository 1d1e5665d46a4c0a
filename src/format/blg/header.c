// header.c - the header event: who wrote the log, when, and in which buffers
// SPDX-License-Identifier: MIT

#include "format/blg/blg.h"

#include "base/text.h"

#define MIN_BUFFER     0x200u
#define MAX_BUFFER     0x1000000u // 16 MiB; Windows allows at most 1 MiB
#define HEADER_EVENT   0x48       // file offset: directly after the first buffer header
#define LOGFILE_HEADER 0x68

static bool
is_buffer_size(uint32_t n)
{
	return n >= MIN_BUFFER && n <= MAX_BUFFER && n % 8 == 0;
}

// The header event is marked by its type (1 from 32-bit, 2 from 64-bit writers) and the byte 0xC0,
// and the size of the buffers is stored both at 0 and in it. One of the two sizes may be damaged.
bool
pmon_blg_header_probe(const uint8_t *head, size_t len)
{
	if (len < LOGFILE_HEADER + 4)
		return false;
	return (head[HEADER_EVENT + 2] == 1 || head[HEADER_EVENT + 2] == 2) &&
	       head[HEADER_EVENT + 3] == 0xC0 &&
	       (is_buffer_size(pmon_le32(head)) ||
		is_buffer_size(pmon_le32(head + LOGFILE_HEADER)));
}

// The two copies of the buffer size differ: the right one is that which the next buffer repeats.
static enum pmon_status
choose_size(struct pmon_file *file, uint32_t a, uint32_t b, uint32_t *out, struct pmon_err *err)
{
	const uint32_t sizes[2] = {a, b};

	*out = is_buffer_size(a) ? a : b;
	for (size_t i = 0; i < 2 && a != b; i++) {
		uint8_t bytes[4];
		size_t got;
		enum pmon_status status;

		if (!is_buffer_size(sizes[i]))
			continue;
		status = pmon_file_read(file, sizes[i], bytes, sizeof(bytes), &got, err);
		if (status != PMON_OK)
			return status;
		if (got == sizeof(bytes) && pmon_le32(bytes) == sizes[i])
			*out = sizes[i];
	}
	return PMON_OK;
}

static pmon_time
read_filetime(struct pmon_rd *r)
{
	pmon_time t = pmon_rd_i64(r);

	return pmon_time_if_sane(t);
}

// TRACE_LOGFILE_HEADER, at file offset 0x68
//	0x00  u32      size of the buffers
//	0x04  u8 x 4   Windows major and minor version, two more
//	0x08  u32      build
//	0x0C  u32      number of CPU buffers
//	0x10  FILETIME end, UTC; 0 when the log was not closed
//	0x18  u32 u32  timer resolution, maximum file size in MB
//	0x20  u32      log file mode; bit 1: circular
//	0x24  u32      buffers written
//	0x28  u32      start buffers
//	0x2C  u32      size of a pointer, 4 or 8
//	0x30  u32 u32  events lost, CPU MHz
//	0x38  ptr ptr  two dead pointers
//	....  172 B    TIME_ZONE_INFORMATION, then up to a multiple of 8 in the file:
//	+0    FILETIME boot time, UTC
//	+8    u64      ticks a second of the performance clock
//	+16   FILETIME start, UTC
//	+24   u32 u32  clock type, buffers lost
//	+32            name of the logger, path of the file; then what pmon adds (origin.c)
// Source: evntrace.h; offsets seen in files of Windows XP, Vista, 8, 10 and 11.
static bool
read_logfile_header(struct pmon_rd *r, struct blg_header *out)
{
	size_t zone_at;

	pmon_rd_seek(r, LOGFILE_HEADER + 4);
	out->os_major = pmon_rd_u8(r);
	out->os_minor = pmon_rd_u8(r);
	pmon_rd_skip(r, 2);
	out->os_build = pmon_rd_u32(r);
	pmon_rd_skip(r, 4);
	out->end = read_filetime(r);
	pmon_rd_skip(r, 8);
	out->log_mode = pmon_rd_u32(r);
	out->buffers_written = pmon_rd_u32(r);
	pmon_rd_skip(r, 4);
	out->pointer_bytes = pmon_rd_u32(r);
	pmon_rd_skip(r, 4);
	out->host.cpu_mhz = pmon_rd_u32(r);
	// If the pointer size is damaged, the type of the header event gives the same size.
	if (out->pointer_bytes != 4 && out->pointer_bytes != 8)
		out->pointer_bytes = r->base[HEADER_EVENT + 2] == 1 ? 4 : 8;
	pmon_rd_skip(r, (size_t)out->pointer_bytes * 2);
	zone_at = pmon_rd_pos(r);
	out->zone = pmon_blg_zone_read(r, &out->zone_name);
	out->host.zone_info = r->base + zone_at;
	pmon_rd_seek(r, (pmon_rd_pos(r) + 7) & ~(size_t)7);
	out->host.boot = read_filetime(r);
	out->host.perf_freq = pmon_rd_i64(r);
	out->start = read_filetime(r);
	if (!pmon_rd_ok(r))
		return false;
	pmon_rd_skip(r, 8); // clock type, buffers lost
	(void)pmon_blg_origin_read(
		r, HEADER_EVENT + (size_t)pmon_le32(r->base + HEADER_EVENT + 4) % 0x10000,
		&out->origin);
	return true;
}

enum pmon_status
pmon_blg_header_read(struct pmon_file *file, const uint8_t *head, size_t len,
		     struct blg_header *out, struct pmon_err *err)
{
	struct pmon_rd r = pmon_rd_init(head, len, 0);
	enum pmon_status status;

	*out = (struct blg_header){0};
	if (!pmon_blg_header_probe(head, len))
		return pmon_err_set(err, PMON_E_FORMAT, 0, "not a binary performance log");
	status = choose_size(file, pmon_le32(head), pmon_le32(head + LOGFILE_HEADER),
			     &out->buffer_bytes, err);
	if (status != PMON_OK)
		return status;
	if (!read_logfile_header(&r, out))
		return pmon_err_set(err, PMON_E_FORMAT, r.fail_at,
				    "a binary performance log that ends inside its header");
	// Windows Vista changed the header of the buffers.
	out->old_buffers = out->os_major < 6;
	return PMON_OK;
}

// ---- The writer in words --------------------------------------------------------------------

static const struct {
	uint8_t major;
	uint8_t minor;
	uint32_t build; // and later ones
	const char *name;
} windows[] = {
	// for the same version, the newest first
	{5, 0, 0, "Windows 2000"},        {5, 1, 0, "Windows XP"},
	{5, 2, 0, "Windows Server 2003"}, {6, 0, 6001, "Windows Vista or Server 2008"},
	{6, 0, 0, "Windows Vista"},       {6, 1, 0, "Windows 7"},
	{6, 2, 0, "Windows 8"},           {6, 3, 0, "Windows 8.1"},
	{10, 0, 22000, "Windows 11"},     {10, 0, 0, "Windows 10"},
};

void
pmon_blg_header_writer(const struct blg_header *header, char buf[BLG_WRITER_SIZE])
{
	struct pmon_text t = pmon_text_init(buf, BLG_WRITER_SIZE);
	const char *name = NULL;

	if (header->origin.exists) {
		pmon_text_str(&t, header->origin.writer);
		return;
	}
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]) && name == NULL; i++)
		if (windows[i].major == header->os_major && windows[i].minor == header->os_minor &&
		    header->os_build >= windows[i].build)
			name = windows[i].name;
	if (name != NULL) {
		pmon_text_str(&t, name);
	} else {
		pmon_text_str(&t, "Windows ");
		pmon_text_u64(&t, header->os_major);
		pmon_text_char(&t, '.');
		pmon_text_u64(&t, header->os_minor);
	}
	pmon_text_str(&t, " build ");
	pmon_text_u64(&t, header->os_build);
	pmon_text_str(&t, header->pointer_bytes == 4 ? " x86" : " x64");
}
