// notices.c - print the notices of logs on standard error
// SPDX-License-Identifier: MIT

#include "shell/input/notices.h"

#include "base/text.h"
#include "shell/output/say.h"

static bool muted;           // the notices of these logs were already printed
static bool clashes_are_new; // the logs were read one at a time, which finds no clashes
static struct notices_listener listener;

void
notices_tell(pmon_notice_fn fn, void *ctx)
{
	listener = (struct notices_listener){fn, ctx};
}

void
notices_mute(void)
{
	muted = true;
	clashes_are_new = false;
}

void
notices_mute_known(void)
{
	muted = true;
	clashes_are_new = true;
}

void
notices_unmute(void)
{
	muted = false;
}

bool
notices_are_muted(void)
{
	return muted;
}

bool
notices_show_clashes(void)
{
	return !muted || clashes_are_new;
}

struct notices_listener
notices_listener(void)
{
	return listener;
}

void
notices_print(const char *path, const struct pmon_notice *notice)
{
	const char *name = file_name(path);

	if (muted)
		return;
	if (notice->is_loss && notice->length > 0)
		say(0, "%s: lost at byte %llu, %llu %s: %s", name,
		    (unsigned long long)notice->offset, (unsigned long long)notice->length,
		    pmon_text_word(notice->length, "byte", "bytes"), notice->text);
	else if (notice->is_loss && notice->offset > 0)
		say(0, "%s: lost at byte %llu: %s", name, (unsigned long long)notice->offset,
		    notice->text);
	else if (
		// without an offset, the text names the position, such as the row of a table
		notice->is_loss)
		say(0, "%s: lost: %s", name, notice->text);
	else
		say(0, "%s: note: %s", name, notice->text);
}
