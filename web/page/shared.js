// shared.js - a page saved with its data: serve requests from the file instead of the server
// SPDX-License-Identifier: MIT

import { msOfIso } from "./time.js";

const node = document.getElementById("shared");
const stored = node ? JSON.parse(node.textContent) : null;

export const isShared = stored !== null;
export const sharedHash = stored?.hash ?? "";

// What is drawn of a series between two times. An average needs the raw values, which only the log
// has: so it exists only for the saved window.
function cutSeries(series, times, from, to, isWhole) {
	const inside = times.map((ms) => ms >= from && ms <= to);
	const cut = (list) => list?.filter((_, i) => inside[i]);
	const answer = { ...series };
	for (const key of ["value", "min", "max", "mean"]) if (series[key]) answer[key] = cut(series[key]);
	if (isWhole) return answer;
	const some = (list) => list.filter((value) => value !== null);
	const low = some(answer.value ?? answer.min);
	const high = some(answer.value ?? answer.max);
	answer.bar = {
		...series.bar,
		minimum: low.length ? low.reduce((a, b) => Math.min(a, b)) : null,
		maximum: high.length ? high.reduce((a, b) => Math.max(a, b)) : null,
		last: high.at(-1) ?? null,
		average: null,
		p95: null,
		average_status: "no_data",
	};
	return answer;
}

function cutData({ from, to, ids }) {
	const { data } = stored;
	const window = { from: from ?? data.from, to: to ?? data.to };
	const [begin, end] = [msOfIso(window.from), msOfIso(window.to)];
	const isWhole = begin <= msOfIso(data.from) && end >= msOfIso(data.to);
	const list = data.series.filter(({ id }) => ids.includes(id));
	const times = data.times.map((all) => all.filter((ms) => ms >= begin && ms <= end));
	return {
		...data,
		...window,
		duration_s: (end - begin) / 1000,
		samples: isWhole ? data.samples : (times[0]?.length ?? 0),
		times,
		series: list.map((one) => cutSeries(one, data.times[one.times], begin, end, isWhole)),
	};
}

function select({ pattern = "", q = "" }) {
	const words = q.toLowerCase().split(/[\s*]+/);
	const matches = ({ path }) =>
		pattern ? path === pattern : words.every((word) => path.toLowerCase().includes(word));
	const series = stored.series.filter(matches);
	return { total: series.length, offset: 0, series };
}

const ANSWERS = {
	log: () => stored.log,
	first: () => ({ series: stored.series }),
	top: () => ({ total: 0, rows: [] }),
	series: ({ ids }) => ({ series: ids.map((id) => stored.series.find((one) => one.id === id)).filter(Boolean) }),
	select,
	tree: () => ({ level: "machine", total: 0, offset: 0, nodes: [] }),
	data: cutData,
	marks: () => stored.marks,
	findings: ({ q }) => (q ? null : stored.findings),
	incidents: () => stored.incidents,
	usual: () => stored.usual,
};

// The response, or null if only pmon can compute it.
export const answerOf = (endpoint, parameters) => ANSWERS[endpoint]?.(parameters) ?? null;
