// calls.h - the calls of cairo
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_CALLS_H
#define PMON_DRAW_CALLS_H

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include "os/library.h"

// clang-format off
#define CAIRO_CALLS(CALL)                                                                          \
	CALL(cairo_, clip) CALL(cairo_, close_path) CALL(cairo_, create)                           \
	CALL(cairo_, destroy) CALL(cairo_, fill) CALL(cairo_, get_source)                          \
	CALL(cairo_, image_surface_create) CALL(cairo_, image_surface_get_data)                    \
	CALL(cairo_, line_to) CALL(cairo_, move_to)         \
	CALL(cairo_, paint) CALL(cairo_, pattern_set_filter)                                       \
	CALL(cairo_, pdf_surface_create_for_stream) CALL(cairo_, rectangle)                        \
	CALL(cairo_, restore) CALL(cairo_, save) CALL(cairo_, scale)                               \
	CALL(cairo_, select_font_face) CALL(cairo_, set_dash) CALL(cairo_, set_font_size)          \
	CALL(cairo_, set_line_cap) CALL(cairo_, set_line_join) CALL(cairo_, set_line_width)                                   \
	CALL(cairo_, set_source_rgba) CALL(cairo_, set_source_surface)                             \
	CALL(cairo_, show_text) CALL(cairo_, status) CALL(cairo_, status_to_string)                \
	CALL(cairo_, stroke) CALL(cairo_, surface_destroy) CALL(cairo_, surface_finish)            \
	CALL(cairo_, surface_flush) CALL(cairo_, surface_mark_dirty)                               \
	CALL(cairo_, surface_status) CALL(cairo_, surface_write_to_png_stream)                     \
	CALL(cairo_, svg_surface_create_for_stream) CALL(cairo_, text_extents)                     \
	CALL(cairo_, translate)
// clang-format on

struct cairo_calls {
	CAIRO_CALLS(PMON_OS_CALL)
};

extern struct cairo_calls cairo; // filled by draw_cairo_load()

#endif
