// spark.js - a sparkline of a counter in the window
// SPDX-License-Identifier: MIT

import { setAttribute } from "./dom.js";
import { pointsOf } from "./load.js";
import { colorOf } from "./theme.js";

const WIDTH = 90;
const HEIGHT = 18;
const NAMESPACE = "http://www.w3.org/2000/svg";

function newPicture(box, name) {
	const picture = document.createElementNS(NAMESPACE, "svg");
	picture.setAttribute("viewBox", box);
	picture.setAttribute("class", name);
	picture.setAttribute("aria-hidden", "true"); // the text next to it says the same
	picture.append(document.createElementNS(NAMESPACE, "path"));
	return picture;
}

export const spark = () => newPicture(`0 -1 ${WIDTH} ${HEIGHT + 2}`, "course");

// A piece of a line as the chart draws it, with its dashes.
export const sample = () => newPicture("0 0 26 4", "swatch");

export function drawSample(picture, color, dash) {
	setAttribute(picture.firstChild, "d", "M0 2H26");
	setAttribute(picture.firstChild, "stroke", color);
	setAttribute(picture.firstChild, "stroke-dasharray", dash.join(" ") || null);
	return picture;
}

// For each pixel the smallest and the largest value, so that peaks stay visible: {points: x ->
// [low, high], bottom, top}.
function thinned({ times, low, high }) {
	const values = high.map((value, i) => (value === null ? null : [low[i], value]));
	const some = values.filter((pair) => pair !== null);
	if (some.length === 0) return null;
	const bottom = some.reduce((least, [value]) => Math.min(least, value), Infinity);
	const top = some.reduce((most, [, value]) => Math.max(most, value), -Infinity);
	const [from, to] = [times[0], times.at(-1)];
	const points = new Map();
	values.forEach((pair, i) => {
		const x = to > from ? Math.round((WIDTH * (times[i] - from)) / (to - from)) : 0;
		if (pair === null) return;
		const [low, high] = points.get(x) ?? pair;
		points.set(x, [Math.min(low, pair[0]), Math.max(high, pair[1])]);
	});
	return { points, bottom, top };
}

function pathOf(line) {
	const found = line && thinned(line);
	if (!found) return "";
	const { points, bottom, top } = found;
	const yOf = (value) => (top > bottom ? HEIGHT * (1 - (value - bottom) / (top - bottom)) : HEIGHT / 2);
	const corners = [...points].flatMap(([x, [low, high]]) => {
		const [a, b] = [low, high].map((value) => `${x} ${yOf(value).toFixed(1)}`);
		return a === b ? [a] : [a, b];
	});
	return `M${corners.join("L")}`;
}

export function drawSpark(picture, counter) {
	setAttribute(picture.firstChild, "d", pathOf(pointsOf(counter)));
	setAttribute(picture.firstChild, "stroke", colorOf(counter.color));
}
