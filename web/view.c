// view.c - the logs and machines on a page
// SPDX-License-Identifier: MIT

#include "web/view.h"

#include "base/err.h"
#include "base/mem.h"
#include "web/view_private.h"

static struct set *
new_set(void)
{
	struct set *set = pmon_mem_alloc0(pmon_mem_allocator(NULL), sizeof(*set));

	if (set != NULL)
		set_init(set);
	return set;
}

static void
free_set(struct set *set)
{
	if (set == NULL)
		return;
	set_close(set);
	pmon_mem_free(pmon_mem_allocator(NULL), set, sizeof(*set));
}

enum pmon_status
view_new(struct view **out, struct pmon_err *err)
{
	struct view *view = pmon_mem_alloc0(pmon_mem_allocator(NULL), sizeof(*view));

	*out = view;
	if (view == NULL)
		return pmon_err_nomem(err);
	notify_init(&view->notifier);
	(void)pmon_lock_init(&view->lock);
	for (size_t i = 0; i < VIEW_SETS; i++) {
		view->sets[i] = new_set();
		if (view->sets[i] != NULL)
			continue;
		view_free(view);
		*out = NULL;
		return pmon_err_nomem(err);
	}
	return PMON_OK;
}

enum pmon_status
view_open(struct view *view, const struct set_plan plans[VIEW_SETS],
	  const struct pmon_calc_options *calc, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	view->calc = *calc;
	for (size_t i = 0; status == PMON_OK && i < VIEW_SETS; i++) {
		view->sets[i]->opened = ++view->opened;
		if (plans[i].source != NULL)
			status = set_open(view->sets[i], &plans[i], &view->notifier, err);
	}
	return status;
}

void
view_note_damage(struct view *view, size_t i, const struct pmon_notice *notice)
{
	set_note_damage(view->sets[i], notice);
}

// ---- Sets in use ----------------------------------------------------------------------------

struct set *
view_take(struct view *view, size_t i)
{
	struct set *set = NULL;

	pmon_lock_take(&view->lock);
	if (i < VIEW_SETS && view->sets[i]->open)
		set = view->sets[i];
	if (set != NULL)
		set->users++;
	pmon_lock_give(&view->lock);
	return set;
}

struct set *
view_keep(struct view *view, struct set *set)
{
	pmon_lock_take(&view->lock);
	set->users++;
	pmon_lock_give(&view->lock);
	return set;
}

void
view_give(struct view *view, struct set *set)
{
	bool is_last;

	if (set == NULL)
		return;
	pmon_lock_take(&view->lock);
	is_last = --set->users == 0 && set->is_replaced;
	pmon_lock_give(&view->lock);
	if (is_last)
		free_set(set);
}

// ---- Logs that are sent ---------------------------------------------------------------------

void
view_take_logs(struct view *view, const struct set_opener *opener)
{
	view->opener = *opener;
}

static void
replace(struct view *view, struct set *set)
{
	struct set *old;

	pmon_lock_take(&view->lock);
	old = view->sets[1];
	old->users++;
	old->is_replaced = true;
	set->opened = ++view->opened;
	view->sets[1] = set;
	pmon_lock_give(&view->lock);
	set_stop(old);
	view_give(view, old);
	notify_all(&view->notifier);
}

enum pmon_status
view_take_log(struct view *view, int fd, const char *name, struct pmon_err *err)
{
	struct set *set = new_set();
	struct set_plan plan = {.n_files = 0};
	enum pmon_status status;

	if (set == NULL)
		return pmon_err_nomem(err);
	status = view->opener.open(view->opener.ctx, set, fd, name, &plan, err);
	if (status == PMON_OK)
		status = set_open(set, &plan, &view->notifier, err);
	if (status == PMON_OK)
		replace(view, set);
	else
		free_set(set);
	return status;
}

enum pmon_status
view_remove_log(struct view *view, struct pmon_err *err)
{
	struct set *set = new_set();

	if (set == NULL)
		return pmon_err_nomem(err);
	if (view->opener.cancel != NULL)
		view->opener.cancel(view->opener.ctx);
	replace(view, set);
	return PMON_OK;
}

// ---- The end --------------------------------------------------------------------------------

void
view_stop(struct view *view)
{
	if (view == NULL)
		return;
	notify_stop(&view->notifier);
	if (view->opener.cancel != NULL)
		view->opener.cancel(view->opener.ctx);
}

void
view_free(struct view *view)
{
	if (view == NULL)
		return;
	view_stop(view);
	for (size_t i = 0; i < VIEW_SETS; i++)
		free_set(view->sets[i]);
	notify_free(&view->notifier);
	pmon_lock_destroy(&view->lock);
	pmon_mem_free(pmon_mem_allocator(NULL), view, sizeof(*view));
}
