// time.js - times: exact ones as text and as ticks of 100 ns, and those for the eye on the log's clock
// SPDX-License-Identifier: MIT

const TICKS_PER_MS = 10000n;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS_MS = [
	0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500,
	SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE,
	5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR,
	12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY, 365 * DAY,
];

// "2016-11-26T21:46:30.8741234Z" -> ticks since 1970; null when it is not such a time.
export function ticksOfIso(iso) {
	const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?Z$/.exec(iso);
	const ms = match ? Date.parse(match[1] + "Z") : NaN;
	if (Number.isNaN(ms)) return null;
	return BigInt(ms) * TICKS_PER_MS + BigInt((match[2] ?? "0").padEnd(7, "0"));
}

export function isoOfTicks(ticks) {
	const second = TICKS_PER_MS * 1000n;
	const rest = ((ticks % second) + second) % second;
	const text = new Date(Number((ticks - rest) / TICKS_PER_MS)).toISOString().slice(0, 19);
	const digits = rest.toString().padStart(7, "0").replace(/0+$/, "");
	return text + (digits ? "." + digits : "") + "Z";
}

// A number holds milliseconds since 1970 to about a quarter of a microsecond.
export const msOfIso = (iso) => Number(ticksOfIso(iso)) / Number(TICKS_PER_MS);
export const isoOfMs = (ms) => isoOfTicks(BigInt(Math.round(ms * 1000)) * 10n);

// The shift from UTC to the clock that the log was written by.
let offset_ms = 0;
let digits_shown = 0; // of a second: none, unless samples are closer than that
export function setClock(utc_offset_min, interval_s = 1) {
	offset_ms = (utc_offset_min ?? 0) * MINUTE;
	digits_shown = interval_s !== null && interval_s > 0 && interval_s < 1 ? 3 : 0;
}

function clockParts(ms) {
	const shifted = ms + offset_ms;
	const whole = Math.floor(shifted);
	return { text: new Date(whole).toISOString(), rest_ms: shifted - whole };
}

// As many decimals of a second as a step of that many milliseconds needs.
function decimals(step_ms) {
	return Math.min(6, Math.max(0, Math.ceil(3 - Math.log10(step_ms))));
}

function clockTime(ms, digits) {
	const { text, rest_ms } = clockParts(ms);
	const micro = Math.floor(rest_ms * 1000)
		.toString()
		.padStart(3, "0");
	const fraction = text.slice(20, 23) + micro;
	return text.slice(11, 19) + (digits > 0 ? "." + fraction.slice(0, digits) : "");
}

export const showDate = (ms) => clockParts(ms).text.slice(0, 10);
export const showTime = (ms) => clockTime(ms, digits_shown);
export const showMoment = (ms) => `${showDate(ms)} ${showTime(ms)}`;
export const showExactMoment = (ms) => `${showDate(ms)} ${clockTime(ms, 3)}`;

// "17:30:15" or "2016-11-26 17:30:15", on the log's clock -> milliseconds since 1970; null when it is
// neither. A time without a date is on the day of `day_ms`.
export function readMoment(text, day_ms) {
	const match = /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?$/.exec(
		text.trim(),
	);
	if (!match) return null;
	const ms = Date.parse(`${match[1] ?? showDate(day_ms)}T${match[2]}:00Z`);
	return Number.isNaN(ms) ? null : ms + Number(match[3] ?? 0) * SECOND - offset_ms;
}

// Where to put ticks on an axis from min to max, at most `count` of them, on round times of the clock.
export function timeTicks(min_ms, max_ms, count) {
	const least = (max_ms - min_ms) / Math.max(1, count);
	const step = STEPS_MS.find((ms) => ms >= least) ?? STEPS_MS.at(-1);
	const ticks = [];
	let n = Math.ceil((min_ms + offset_ms) / step);
	for (; n * step - offset_ms <= max_ms; n++) ticks.push(n * step - offset_ms);
	return { step, ticks };
}

// Their labels; the date is at the first tick and where a day begins.
export function tickLabels(ticks, step_ms) {
	return ticks.map((ms, i) => {
		const date = showDate(ms);
		const fresh = i === 0 || showDate(ticks[i - 1]) !== date;
		if (step_ms >= DAY) return [date];
		const time = clockTime(ms, step_ms < SECOND ? decimals(step_ms) : 0);
		const short = step_ms >= MINUTE ? time.slice(0, 5) : time;
		return fresh ? [short, date] : [short];
	});
}

// h:mm:ss as in Performance Monitor, with days before and milliseconds after, if there are any.
export function showDuration(seconds) {
	if (seconds === null || seconds === undefined) return "–";
	const ms = Math.round(seconds * 1000);
	const two = (n) => String(n).padStart(2, "0");
	const days = Math.floor(ms / DAY);
	const clock =
		`${Math.floor((ms % DAY) / HOUR)}:${two(Math.floor((ms % HOUR) / MINUTE))}:` +
		two(Math.floor((ms % MINUTE) / SECOND));
	const rest = ms % SECOND ? "." + String(ms % SECOND).padStart(3, "0") : "";
	return (days ? `${days} d ` : "") + clock + rest;
}
