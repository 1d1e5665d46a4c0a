// zoom.js - which window of the log is shown: zooming, moving, the whole
// SPDX-License-Identifier: MIT

import { mainSet, shown, wantedWindow } from "./load.js";
import { change, state } from "./state.js";
import { isoOfMs, msOfIso } from "./time.js";

const LEAST_SAMPLES = 2; // that a window shows
const LEAST_MARGIN = 10; // samples before and after a part that is shown

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

// The times of samples that are on the page; of columns, their middles.
const timesShown = () => [...new Set((shown.data?.times ?? []).flat())].sort((a, b) => a - b);

// A window with fewer samples than that becomes the one of the neighbouring samples: there is nothing to see within.
function withSamples(from_ms, to_ms) {
	const times = timesShown();
	const inside = times.filter((ms) => ms >= from_ms && ms <= to_ms).length;
	if (inside >= LEAST_SAMPLES || times.length < LEAST_SAMPLES) return [from_ms, to_ms];
	const after = times.findIndex((ms) => ms > (from_ms + to_ms) / 2);
	const last = Math.max(1, after < 0 ? times.length - 1 : after);
	return [Math.min(from_ms, times[last - 1]), Math.max(to_ms, times[last])];
}

// Shows a window; ends that reach the ends of the log are those of the log. Wide windows begin and
// end on whole milliseconds, so that links stay short.
export function showWindow(from_ms, to_ms) {
	const whole = wholeWindow();
	if (!whole || !(to_ms > from_ms)) return;
	[from_ms, to_ms] = withSamples(from_ms, to_ms);
	const unit = to_ms - from_ms > 2000 ? 1 : 0.001;
	change({
		from: from_ms <= whole.from ? null : isoOfMs(Math.max(whole.from, unit * Math.floor(from_ms / unit))),
		to: to_ms >= whole.to ? null : isoOfMs(Math.min(whole.to, unit * Math.ceil(to_ms / unit))),
	});
}

// The window around a part of the log, wider by `part` of its length on either side.
export function aroundOf(from_ms, to_ms, part) {
	const whole = wholeWindow();
	const margin = Math.max(part * (to_ms - from_ms), LEAST_MARGIN * (mainSet().interval_s ?? 1) * 1000);
	const [from, to] = [Math.floor(from_ms - margin), Math.ceil(to_ms + margin)];
	return {
		from: from <= whole.from ? null : isoOfMs(from),
		to: to >= whole.to ? null : isoOfMs(to),
	};
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
