// view.c - logs and machines on a page
// SPDX-License-Identifier: MIT

#include "web/view.h"

#include "base/err.h"
#include "base/mem.h"
#include "web/view_private.h"

enum pmon_status
view_new(struct view **out, struct pmon_err *err)
{
	struct view *view = pmon_mem_alloc0(pmon_mem_allocator(NULL), sizeof(*view));

	*out = view;
	if (view == NULL)
		return pmon_err_nomem(err);
	for (size_t i = 0; i < VIEW_SETS; i++)
		set_init(&view->sets[i]);
	notify_init(&view->notifier);
	(void)pmon_lock_init(&view->lock);
	return PMON_OK;
}

enum pmon_status
view_open(struct view *view, const struct set_plan plans[VIEW_SETS],
	  const struct pmon_calc_options *calc, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	view->calc = *calc;
	for (size_t i = 0; status == PMON_OK && i < VIEW_SETS; i++)
		if (plans[i].source != NULL)
			status = set_open(&view->sets[i], &plans[i], &view->notifier, err);
	return status;
}

struct set *
view_set(struct view *view, size_t i)
{
	return i < VIEW_SETS && view->sets[i].open ? &view->sets[i] : NULL;
}

void
view_note_damage(struct view *view, size_t i, const struct pmon_notice *notice)
{
	set_note_damage(&view->sets[i], notice);
}

void
view_stop(struct view *view)
{
	if (view != NULL)
		notify_stop(&view->notifier);
}

void
view_free(struct view *view)
{
	if (view == NULL)
		return;
	view_stop(view);
	for (size_t i = 0; i < VIEW_SETS; i++)
		set_close(&view->sets[i]);
	notify_free(&view->notifier);
	pmon_lock_destroy(&view->lock);
	pmon_mem_free(pmon_mem_allocator(NULL), view, sizeof(*view));
}
