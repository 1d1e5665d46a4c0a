// screen.h - pmon top on a terminal
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_TOP_SCREEN_H
#define PMON_VERBS_TOP_SCREEN_H

#include <stdio.h>

#include "verbs/top/view.h"

// Keys that are not characters.
enum {
	TOP_KEY_NONE = -1,   // no key is available
	TOP_KEY_FAILED = -2, // the terminal cannot be read
	TOP_KEY_RESIZE = 0x200000,
	TOP_KEY_UP,
	TOP_KEY_DOWN,
	TOP_KEY_LEFT,
	TOP_KEY_RIGHT,
	TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_DELETE,
	TOP_KEY_BACKSPACE,
	TOP_KEY_ENTER,
	TOP_KEY_ESCAPE,
	TOP_KEY_HELP,
	TOP_KEY_OTHER
};

// Load ncurses. Call it before everything below.
PMON_NODISCARD enum pmon_status top_screen_load(struct pmon_err *err);

// Take over the terminal; keys are read from `keys`. False if it cannot be used.
bool top_screen_begin(FILE *keys, bool colors);
void top_screen_end(void);

void top_screen_draw(struct top_view *view);
void top_screen_redraw(void); // redraw everything next time: other output appeared on the terminal

// The next key: a code point, one of the above, TOP_KEY_NONE or TOP_KEY_FAILED. Never waits.
int32_t top_screen_key(void);

#endif
