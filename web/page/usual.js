// usual.js - what the counters of an incident are usually between: the percentiles 5 and 95 outside of incidents
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { withUnit } from "./format.js";
import { mainSet } from "./load.js";
import { msOfIso, windowOf } from "./time.js";

const LONG = 0.3; // of the log
const MOST_PARTS = 16;
const LEAST_VALUES = 20; // fewer say little about what is usual

let bands = new Map(); // by the number of a series
let without = []; // as asked for last
let known_for = ""; // an incident and its counters

// The times that were left out, for a page that is saved.
export const withoutNow = () => without;

// {low, high} in the unit of the counter; null: not known.
export const usualOf = (id) => bands.get(id) ?? null;

// The band in words, "" if it is not known.
export function usualRange(series) {
	const usual = usualOf(series.id);
	if (!usual) return "";
	const [low, high] = [usual.low, usual.high].map((value) => withUnit(Number(value.toPrecision(2)), series));
	return low === high ? low : `${low} … ${high}`;
}

const isKnown = ({ p5, p95, values }) => values >= LEAST_VALUES && typeof p5 === "number" && typeof p95 === "number";

// The times that are not usual: those of this incident, and of others on its machine, unless they fill much of the log.
function withoutOf(incident, all, whole_ms) {
	const isShort = ({ from_ms, to_ms }) => to_ms - from_ms < LONG * whole_ms;
	const others = all.filter((one) => one !== incident && one.machine === incident.machine && isShort(one));
	return [incident, ...others].slice(0, MOST_PARTS).map((one) => {
		const { from, to } = windowOf(one);
		return `${from}/${to}`;
	});
}

// Asks for the counters on the page while one of all incidents is open. True if there is something new to draw.
export async function updateUsual(incident, all, ids) {
	const wanted = incident && ids.length > 0 ? JSON.stringify([incident.id, ids]) : "";
	if (wanted === known_for) return false;
	known_for = wanted;
	if (wanted === "") {
		bands = new Map();
		return true;
	}
	const { first_time, last_time } = mainSet();
	without = withoutOf(incident, all, msOfIso(last_time) - msOfIso(first_time));
	const answer = await ask("usual", { set: 0, ids, without });
	if (known_for !== wanted) return false;
	bands = new Map(answer.series.filter(isKnown).map(({ id, p5, p95 }) => [id, { low: p5, high: p95 }]));
	return true;
}
