// time.js - times: exact as text and ticks of 100 ns, and readable on the log's clock
// SPDX-License-Identifier: MIT

const TICKS_PER_MS = 10000n;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MOST_DAYS = 60;
const MONDAY = 4 * DAY; // 1970-01-05
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const STEPS_MS = [
	0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500,
	SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE,
	5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR,
	12 * HOUR, DAY, 2 * DAY, WEEK, 2 * WEEK, 30 * DAY, 90 * DAY, 365 * DAY,
];

// "2016-11-26T21:46:30.8741234Z" -> ticks since 1970; null if it is malformed.
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

// The part of the axis that an incident or an episode takes: its end is first if the clock was set back in it.
export function withSpan(one) {
	const [from_ms, to_ms] = [msOfIso(one.from), msOfIso(one.to)].sort((a, b) => a - b);
	return { ...one, from_ms, to_ms };
}

// All times of that part.
export const windowOf = ({ from, to, from_ms }) => (msOfIso(from) === from_ms ? { from, to } : { from: to, to: from });
export const isoOfMs = (ms) => isoOfTicks(BigInt(Math.round(ms * 1000)) * 10n);

// The offset of the log's clock from UTC.
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

// The decimals of a second needed for a step in milliseconds.
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

// "Mon 9 Mar", with the year if it is asked for.
export function showDay(ms, hasYear = false) {
	const date = new Date(Date.parse(showDate(ms)));
	const year = hasYear ? ` ${date.getUTCFullYear()}` : "";
	return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}${year}`;
}

// "Mon 9 Mar 2026, 09:00–13:00", "Mon 9 Mar 2026, 09:00 – Tue 10 Mar 2026, 09:00"; to the second if that is needed.
export function showRange(from_ms, to_ms) {
	const isShort = to_ms - from_ms < 10 * MINUTE;
	const time = (ms) => clockTime(ms, 0).slice(0, isShort ? 8 : 5);
	const begin = `${showDay(from_ms, true)}, ${time(from_ms)}`;
	if (showDate(from_ms) === showDate(to_ms)) return `${begin}–${time(to_ms)}`;
	return `${begin} – ${showDay(to_ms, true)}, ${time(to_ms)}`;
}

// "4 h", "7 min 30 s", "2 d 3 h": the two largest units.
export function showLength(seconds) {
	const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
	const at = units.findIndex(([, size]) => Math.round(seconds) >= size);
	if (at < 0) return `${+seconds.toPrecision(2)} s`;
	const [[name, size], next] = units.slice(at);
	const smaller = next ?? [name, size];
	const whole = Math.round(seconds / smaller[1]) * smaller[1];
	const rest = Math.round((whole % size) / smaller[1]);
	return `${Math.floor(whole / size)} ${name}` + (next && rest ? ` ${rest} ${next[0]}` : "");
}

export const showTime = (ms) => clockTime(ms, digits_shown);
export const showMoment = (ms) => `${showDate(ms)} ${showTime(ms)}`;
export const showExactMoment = (ms) => `${showDate(ms)} ${clockTime(ms, 3)}`;

// "17:30:15" or "2016-11-26 17:30:15", on the log's clock -> milliseconds since 1970; null if it is
// neither. A time without a date is on the day of `day_ms`.
export function readMoment(text, day_ms) {
	const match = /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?$/.exec(
		text.trim(),
	);
	if (!match) return null;
	const ms = Date.parse(`${match[1] ?? showDate(day_ms)}T${match[2]}:00Z`);
	return Number.isNaN(ms) ? null : ms + Number(match[3] ?? 0) * SECOND - offset_ms;
}

// Ticks for an axis from min to max, at most `count`, at round clock times. Weeks begin on Monday.
export function timeTicks(min_ms, max_ms, count) {
	const least = (max_ms - min_ms) / Math.max(1, count);
	const step = STEPS_MS.find((ms) => ms >= least) ?? STEPS_MS.at(-1);
	return { step, ticks: everyStep(min_ms, max_ms, step) };
}

function everyStep(min_ms, max_ms, step) {
	const begin = (step % WEEK === 0 ? MONDAY : 0) - offset_ms;
	const ticks = [];
	let n = Math.ceil((min_ms - begin) / step);
	for (; n * step + begin <= max_ms; n++) ticks.push(n * step + begin);
	return ticks;
}

// Where days begin, for a window that has a few of them.
export function dayTicks(min_ms, max_ms) {
	return max_ms - min_ms > MOST_DAYS * DAY ? [] : everyStep(min_ms, max_ms, DAY);
}

// Their labels; the day is at the first tick and where a day begins.
export function tickLabels(ticks, step_ms) {
	return ticks.map((ms, i) => {
		const isFirst = i === 0;
		const isNewYear = isFirst || showDate(ticks[i - 1]).slice(0, 4) !== showDate(ms).slice(0, 4);
		if (step_ms >= DAY) return showDay(ms, isNewYear);
		const time = clockTime(ms, step_ms < SECOND ? decimals(step_ms) : 0);
		const short = step_ms >= MINUTE ? time.slice(0, 5) : time;
		if (!isFirst && showDate(ticks[i - 1]) === showDate(ms)) return short;
		return short === "00:00" ? showDay(ms) : `${showDay(ms)}, ${short}`;
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
