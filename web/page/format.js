// format.js - format names, counts and words
// SPDX-License-Identifier: MIT

import { grouped, showAmount } from "./units.js";

const STATUS_WORDS = {
	ok: "good",
	wrapped: "counted through a wrap",
	base_zero: "nothing happened, so 0",
	clamped: "below zero, shown as 0",
	first_sample: "first sample",
	no_data: "no data",
	counter_went_back: "reset",
	clock_went_back: "clock went back",
	base_went_back: "base went back",
	below_zero: "below zero",
	bad_time_base: "no time base",
	bad_raw_status: "not usable",
	not_finite: "not finite",
	not_displayed: "not displayed",
	unknown_type: "unknown type",
	instance_changed: "another process",
	clock_stepped: "clock was set",
};

export const statusWords = (status) => STATUS_WORDS[status] ?? status.replaceAll("_", " ");

export const signed = (value, text) => (value > 0 ? "+" : "") + text;

export const withUnit = (value, series) => showAmount(value, series);

// The factor of a scale, written as Performance Monitor writes it.
export function showScale(factor) {
	if (factor > 1e7 || factor < 1e-7) return factor.toExponential(0);
	return factor >= 1 ? factor.toFixed(1) : factor.toFixed(Math.round(-Math.log10(factor)));
}

// ---- Names --------------------------------------------------------------------------------------

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g;

// A name within a longer text. It is isolated, because right-to-left text would reorder the text
// around it; direction control characters are shown instead of applied.
export function isolated(name) {
	const plain = name.replace(DIRECTIONS, "\ufffd");
	return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

// The instance as in a path, without its parent.
export function showInstance(series) {
	if (series.instance === null) return "";
	return isolated(series.instance + (series.index ? `#${series.index}` : ""));
}

// A short name: the counter and its instance.
export function shortName(series) {
	const parent = series.parent === null ? "" : isolated(series.parent) + "/";
	const instance = series.instance === null ? "" : ` (${parent}${showInstance(series)})`;
	return isolated(series.counter) + instance;
}

// At most `most` characters: the middle of a longer text becomes an ellipsis.
export function elided(text, most) {
	const letters = [...text];
	if (letters.length <= most) return text;
	const keep = most - 1;
	return letters.slice(0, Math.ceil(keep / 2)).join("") + "…" + letters.slice(-Math.floor(keep / 2)).join("");
}

export const plural = (count, one, many) => `${grouped(String(count))} ${count === 1 ? one : many}`;

export const showBytes = (bytes) => showAmount(bytes, { quantity: "bytes", factor: 1 });

// ---- Scales of the classic view -----------------------------------------------------------------

// Scale selected: the largest power of ten with which the value stays within 0..100.
export function scaleToFit(largest) {
	if (!(largest > 0) || !Number.isFinite(largest)) return 1;
	let power = Math.floor(Math.log10(100 / largest));
	if (largest * Number(`1e${power}`) > 100) power--;
	if (largest * Number(`1e${power + 1}`) <= 100) power++;
	return Number(`1e${power}`);
}

const LEAST_SEEN = 0.5; // of 100: a line below this lies on the axis

// The counter's own scale, unless the line would leave the axis, or lie on it.
export function defaultScale(largest, own) {
	const top = largest * own;
	return largest === 0 || (top <= 100 && top >= LEAST_SEEN) ? own : scaleToFit(largest);
}
