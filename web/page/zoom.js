// zoom.js - which window of the log is shown: zooming, moving, the whole
// SPDX-License-Identifier: MIT

import { mainSet, wantedWindow } from "./load.js";
import { change, state } from "./state.js";
import { isoOfMs, msOfIso } from "./time.js";

const SMALLEST_WINDOW_MS = 1;

// All that can be shown, in milliseconds.
function wholeWindow() {
	const set = mainSet();
	return set?.first_time
		? { from: msOfIso(set.first_time), to: msOfIso(set.last_time) }
		: null;
}

// The window that was asked for last, which may not be on the page yet: keys may come faster than
// answers.
function currentWindow() {
	const whole = wholeWindow();
	const { from, to } = wantedWindow();
	return (
		whole && {
			from: from === null ? whole.from : Math.max(whole.from, msOfIso(from)),
			to: to === null ? whole.to : Math.min(whole.to, msOfIso(to)),
		}
	);
}

// Shows a window; ends that reach the ends of the log are those of the log. Wide windows begin and
// end on whole milliseconds, so that links stay short.
export function showWindow(from_ms, to_ms) {
	const whole = wholeWindow();
	if (!whole || to_ms - from_ms < SMALLEST_WINDOW_MS) return;
	const round = to_ms - from_ms > 2000 ? Math.round : (ms) => ms;
	change({
		from: from_ms <= whole.from ? null : isoOfMs(round(from_ms)),
		to: to_ms >= whole.to ? null : isoOfMs(round(to_ms)),
	});
}

export function zoomOut() {
	change({ from: null, to: null });
}

// Zooms around a time by a factor; above 1 is closer. At an end of the log the window grows at the
// other.
export function zoom(factor, center_ms = null) {
	const window = currentWindow();
	const whole = wholeWindow();
	if (!window) return;
	const isInside = center_ms !== null && center_ms >= window.from && center_ms <= window.to;
	const center = isInside ? center_ms : (window.from + window.to) / 2;
	const width = (window.to - window.from) / factor;
	if (width >= whole.to - whole.from) zoomOut();
	else showFrom(center - (center - window.from) / factor, width);
}

// Shows a window of a width, moved so that it lies within the log.
function showFrom(from_ms, width_ms) {
	const whole = wholeWindow();
	const from = Math.max(whole.from, Math.min(from_ms, whole.to - width_ms));
	showWindow(from, from + width_ms);
}

// Moves the window by a part of its width, no farther than the log goes.
export function pan(part) {
	const window = currentWindow();
	const isZoomed = state.from !== null || state.to !== null;
	if (window && isZoomed)
		showFrom(window.from + part * (window.to - window.from), window.to - window.from);
}
