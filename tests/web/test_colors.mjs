// test_colors.mjs - the eight colours of lines can be distinguished, also without green or red cones
// SPDX-License-Identifier: MIT
//
// Colours are simulated with the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1.0, on linear sRGB (IEC 61966-2-1).
// Distances are those of CIE L*a*b* of 1976 under D65; contrast is that of WCAG 2.2.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { finish, source, step } from "./lib.mjs";

const COLORS = 8;
const LEAST_DISTANCE = 20; // about nine of the differences that are just seen (2.3)
const LEAST_CONTRAST = 3; // WCAG 1.4.11, graphical objects

const SIGHTS = {
	"full colour vision": null,
	deuteranopia: [
		[0.367322, 0.860646, -0.227968],
		[0.280085, 0.672501, 0.047413],
		[-0.01182, 0.04294, 0.968881],
	],
	protanopia: [
		[0.152286, 1.052583, -0.204868],
		[0.114503, 0.786281, 0.099216],
		[-0.003882, -0.048116, 1.051998],
	],
};
const LEAST = { "full colour vision": LEAST_DISTANCE, deuteranopia: LEAST_DISTANCE, protanopia: 15 };

const clamp = (x) => Math.min(1, Math.max(0, x));
const times = (matrix, v) => matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
const rgbOf = (hex) => [1, 3, 5].map((at) => linear(parseInt(hex.slice(at, at + 2), 16) / 255));
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

const XYZ = [
	[0.4124564, 0.3575761, 0.1804375],
	[0.2126729, 0.7151522, 0.072175],
	[0.0193339, 0.119192, 0.9503041],
];
const WHITE = [0.95047, 1, 1.08883];

function labOf(rgb) {
	const f = (t) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
	const [x, y, z] = times(XYZ, rgb).map((value, i) => f(value / WHITE[i]));
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function contrast(a, b) {
	const [dark, light] = [luminance(rgbOf(a)), luminance(rgbOf(b))].sort((x, y) => x - y);
	return (light + 0.05) / (dark + 0.05);
}

// The two colours that are nearest to each other: {a, b, apart}.
function nearest(colors, matrix) {
	const seen = colors.map((hex) => labOf(matrix ? times(matrix, rgbOf(hex)).map(clamp) : rgbOf(hex)));
	const pairs = colors.flatMap((a, i) =>
		colors.slice(0, i).map((b, j) => ({ a, b, apart: distance(seen[i], seen[j]) })),
	);
	return pairs.sort((p, q) => p.apart - q.apart)[0];
}

const css = readFileSync(join(source, "web/page/style.css"), "utf8");
const [light, dark] = css.split(':root[data-theme="dark"]');
const valueOf = (text, name) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(text)[1];
const paletteOf = (text) => Array.from({ length: COLORS }, (_, i) => valueOf(text, `line-${i}`));

for (const [theme, text] of Object.entries({ light, dark })) {
	const colors = paletteOf(text);
	for (const [sight, matrix] of Object.entries(SIGHTS))
		await step(`${theme}: any two of eight lines are apart with ${sight}`, () => {
			const { a, b, apart } = nearest(colors, matrix);
			assert.ok(apart >= LEAST[sight], `${a} and ${b} are ${apart.toFixed(1)} apart`);
		});
	await step(`${theme}: each line has contrast with the paper`, () => {
		for (const color of colors)
			assert.ok(contrast(color, valueOf(text, "paper")) >= LEAST_CONTRAST, color);
	});
}

await step("the check fails for two colours that deuteranopes confuse", () => {
	const { apart } = nearest(["#d55e00", "#b87700"], SIGHTS.deuteranopia);
	assert.ok(apart < LEAST_DISTANCE, `${apart.toFixed(1)}`);
});

finish();
