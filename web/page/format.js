// format.js - numbers and names for the eye. Exact digits go into titles and labels.
// SPDX-License-Identifier: MIT

const DIGITS = 6;

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
};

export const statusWords = (status) => STATUS_WORDS[status] ?? status.replaceAll("_", " ");

// Six significant digits, or more where the whole part has more.
export function showNumber(value) {
	if (value === null || value === undefined) return "–";
	const number = Number(value);
	const whole = Number.isInteger(number) || Math.abs(number) >= 10 ** (DIGITS - 1);
	if (whole && Math.abs(number) < 1e15) return group(String(Math.round(number)));
	const [digits, power] = number.toPrecision(DIGITS).split("e");
	const trimmed = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
	return power ? `${trimmed}e${power}` : group(trimmed);
}

// Thin spaces between thousands, from five digits on.
function group(text) {
	const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(text);
	if (whole.length < 5) return text;
	return sign + whole.replace(/\B(?=(\d{3})+$)/g, "\u2009") + rest;
}

// A value of a series: of HEX types in hexadecimal, where it is whole. An average may not be.
export function showValue(value, series) {
	if (!series?.hex || value === null || value === undefined) return showNumber(value);
	const number = Number(value);
	if (!Number.isInteger(number)) return showNumber(value);
	return `0x${BigInt.asUintN(64, BigInt(number)).toString(16).toUpperCase()}`;
}

export function withUnit(value, series) {
	const unit = series?.unit;
	const space = unit === "%" || unit === "/s" ? "\u202f" : " ";
	return showValue(value, series) + (unit && value !== null ? space + unit : "");
}

// The factor of a scale, written as Performance Monitor writes it.
export function showScale(factor) {
	if (factor >= 1) return factor.toFixed(1);
	return factor.toFixed(Math.round(-Math.log10(factor)));
}

// The instance as a path has it, without its parent.
export function showInstance(series) {
	if (series.instance === null) return "";
	return series.instance + (series.index ? `#${series.index}` : "");
}

// A short name: what it counts, and of which.
export function shortName(series) {
	const parent = series.parent === null ? "" : series.parent + "/";
	const instance = series.instance === null ? "" : ` (${parent}${showInstance(series)})`;
	return series.counter + instance;
}

export const plural = (count, one, many) => `${group(String(count))} ${count === 1 ? one : many}`;

export function showBytes(bytes) {
	const units = ["bytes", "KB", "MB", "GB", "TB"];
	let n = 0;
	while (bytes >= 1024 && n < units.length - 1) {
		bytes /= 1024;
		n++;
	}
	return `${n ? bytes.toPrecision(3) : bytes} ${units[n]}`;
}

// Scale selected: the largest power of ten, within those of Performance Monitor, with which the
// maximum stays within 0..100.
export function scaleToFit(maximum) {
	if (!(maximum > 0)) return 1;
	let power = Math.min(7, Math.max(-7, Math.floor(Math.log10(100 / maximum))));
	if (power > -7 && maximum * 10 ** power > 100) power--;
	if (power < 7 && maximum * 10 ** (power + 1) <= 100) power++;
	return Number(`1e${power}`);
}
