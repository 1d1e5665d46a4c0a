// write_header.c - the header event: who wrote the log, when, and in which time zone
// SPDX-License-Identifier: MIT

#include "format/blg/write.h"

#include "base/utf.h"

#define HEADER_EVENT    BLG_OUT_HEADER // file offset
#define LOGFILE_HEADER  0x68
#define MAX_PATH_UNITS  1023
#define TIMER_100NS     156250     // 15.625 ms, the timer of every PC
#define LOG_MODE        0x30020800 // an in-process logger, one buffer for all CPUs
#define MODE_SEQUENTIAL 1
#define MODE_CIRCULAR   2
#define MEGABYTE        0x100000
#define OS_BUILD        14393 // the Windows version whose layout this is: 10.0, build 14393
#define CLOCK_SYSTEM    2
#define BUFFER_IS_FIRST 4 // type of buffer
#define FLAG_FLUSHED    1

// A GUID as text: its first three fields are numbers, little-endian.
static void
put_guid_text(struct pmon_wr *w, const uint8_t id[16])
{
	static const uint8_t order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			pmon_wr_u16(w, '-');
		pmon_wr_u16(w, (uint16_t)hex[id[order[i]] >> 4]);
		pmon_wr_u16(w, (uint16_t)hex[id[order[i]] & 15]);
	}
	pmon_wr_u16(w, 0);
}

// The path, or as much of its beginning as fits.
static void
put_path(struct pmon_wr *w, struct pmon_span path)
{
	size_t pos = 0, units = 0;

	while (pos < path.len && units < MAX_PATH_UNITS - 1) {
		uint32_t c = pmon_utf8_next(path, &pos);

		units += c >= 0x10000 ? 2 : 1;
	}
	path.len = pos;
	pmon_blg_out_string(w, path);
}

// SYSTEM_TRACE_HEADER
//	0x00  u16      version
//	0x02  u8 u8    2: 64-bit writer; 0xC0
//	0x04  u16 u16  bytes of the event, hook id
//	0x08  u32 u32  thread, process
//	0x10  FILETIME start, UTC
//	0x18  u32 u32  kernel and user time of the thread
static void
put_trace_header(struct pmon_wr *w, const struct blg_out_facts *facts)
{
	pmon_wr_u16(w, 0);
	pmon_wr_u8(w, 2);
	pmon_wr_u8(w, 0xC0);
	pmon_wr_u16(w, 0); // the size, once known
	pmon_wr_u16(w, 0);
	pmon_wr_u64(w, 0);
	pmon_wr_i64(w, facts->start);
	pmon_wr_u64(w, 0);
}

// TRACE_LOGFILE_HEADER; the offsets are those in the file
//	0x68  u32      size of the buffers
//	0x6C  u8 x 4   Windows major and minor version, two more
//	0x70  u32 u32  build, number of CPU buffers
//	0x78  FILETIME end, UTC; 0 while the log is being written
//	0x80  u32 u32  timer resolution, maximum file size
//	0x88  u32 u32  log file mode, buffers written
//	0x90  u32 u32  start buffers, size of a pointer
//	0x98  u32 u32  events lost, CPU MHz
//	0xA0  u64 u64  two dead pointers
//	0xB0  172 B    TIME_ZONE_INFORMATION, and 4 bytes to a multiple of 8
//	0x160 FILETIME boot time, UTC
//	0x168 u64      ticks a second of the performance clock
//	0x170 FILETIME start, UTC
//	0x178 u32 u32  clock type, buffers lost
//	0x180          log id as text, path, and who recorded the log (origin.c)
// Source: evntrace.h; the values are those in files of Windows 8 and 10.
static void
put_logfile_header(struct pmon_wr *w, const struct blg_out_facts *facts)
{
	pmon_wr_u32(w, BLG_OUT_BUFFER);
	pmon_wr_u8(w, 10);
	pmon_wr_u8(w, 0);
	pmon_wr_u8(w, 1);
	pmon_wr_u8(w, 5);
	pmon_wr_u32(w, OS_BUILD);
	pmon_wr_u32(w, 1);
	pmon_wr_i64(w, facts->end);
	pmon_wr_u32(w, TIMER_100NS);
	pmon_wr_u32(w, (uint32_t)(facts->ring_bytes / MEGABYTE));
	pmon_wr_u32(w, LOG_MODE | (facts->ring_bytes > 0 ? MODE_CIRCULAR : MODE_SEQUENTIAL));
	pmon_wr_u32(w, (uint32_t)facts->n_buffers);
	pmon_wr_u32(w, 1);
	pmon_wr_u32(w, 8);
	pmon_wr_u32(w, 0);
	pmon_wr_u32(w, facts->cpu_mhz);
	pmon_wr_fill(w, 0, 16);
	pmon_wr_copy(w, facts->zone, BLG_OUT_ZONE);
	pmon_wr_fill(w, 0, 4);
	pmon_wr_i64(w, facts->boot);
	pmon_wr_i64(w, facts->perf_freq);
	pmon_wr_i64(w, facts->start);
	pmon_wr_u32(w, CLOCK_SYSTEM);
	pmon_wr_u32(w, 0);
}

// The header of buffer 0; in-process loggers leave the flush time and the state 0.
static void
put_buffer_header(struct pmon_wr *w, size_t used)
{
	pmon_wr_u32(w, BLG_OUT_BUFFER);
	pmon_wr_u32(w, (uint32_t)used);
	pmon_wr_fill(w, 0, 0x30 - 8);
	pmon_wr_u32(w, (uint32_t)used);
	pmon_wr_u16(w, FLAG_FLUSHED);
	pmon_wr_u16(w, BUFFER_IS_FIRST);
	pmon_wr_fill(w, 0, HEADER_EVENT - pmon_wr_pos(w));
}

size_t
pmon_blg_out_head(const struct blg_out_facts *facts, uint8_t *out)
{
	struct pmon_wr w = pmon_wr_init(out, BLG_OUT_HEAD);
	size_t end;

	pmon_wr_seek(&w, HEADER_EVENT);
	put_trace_header(&w, facts);
	put_logfile_header(&w, facts);
	put_guid_text(&w, facts->log_id);
	put_path(&w, facts->path);
	pmon_blg_origin_put(&w, facts->info);
	end = pmon_wr_pos(&w);
	pmon_wr_fill(&w, 0, blg_out_pad(end));
	pmon_wr_seek(&w, HEADER_EVENT + 4);
	pmon_wr_u16(&w, (uint16_t)(end - HEADER_EVENT));
	end += blg_out_pad(end);
	pmon_wr_seek(&w, 0);
	put_buffer_header(&w, end);
	return end;
}
