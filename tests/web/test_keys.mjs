// test_keys.mjs - the page by keyboard alone, and what a screen reader gets of it
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import {
	addressOf,
	finish,
	openView,
	picture,
	settled,
	step,
	stepNoErrors,
	temporary,
} from "./lib.mjs";
import { writeLog } from "./made_log.mjs";

const { browser, server, page, errors } = await openView(
	[await writeLog(temporary("made.jsonl"))],
	{ colorScheme: "dark" },
);
await settled(page);

const keys = async (...list) => {
	for (const key of list) await page.keyboard.press(key);
	await settled(page);
};
const address = (name) => addressOf(page, name);
const isOpen = (id) => page.evaluate((one) => document.getElementById(one).open, id);

await step("1 2 3 switch the view", async () => {
	for (const [key, view] of [
		["4", "line"],
		["2", "histogram"],
		["3", "report"],
		["1", "panels"],
	]) {
		await keys(key);
		assert.equal(address("view"), view);
	}
});

await step("arrows move the cursor from sample to sample, and it is said", async () => {
	await keys("ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft"); // not at the gap
	const first = await page.textContent("#said");
	assert.match(first, /^2026-01-05 09:\d\d:\d\d: .* %$/);
	await keys("ArrowRight");
	const next = await page.textContent("#said");
	const seconds = (text) => Date.parse(text.slice(0, 19).replace(" ", "T")) / 1000;
	assert.equal(seconds(next) - seconds(first), 1);
	await keys("ArrowLeft");
	assert.equal(await page.textContent("#said"), first);
});

await step("plus and minus zoom, Page Up and Down, Home and End move, 0 ends it", async () => {
	await keys("+", "+");
	const from = address("from");
	assert.ok(from);
	await keys("PageDown");
	assert.ok(address("from") > from);
	await keys("Home");
	assert.equal(address("from"), null);
	assert.ok(address("to"));
	await keys("End");
	assert.ok(address("from"));
	assert.equal(address("to"), null);
	await keys("-", "-", "-");
	assert.equal(address("from"), null);
	await keys("+", "0");
	assert.equal(address("from"), null);
});

await step("down and up select, x hides, h highlights, s scales, Delete removes", async () => {
	const count = (await page.$$("#legend-rows tr")).length;
	const first = address("selected");
	await keys("ArrowDown");
	assert.notEqual(address("selected"), first);
	await keys("x", "h", "s");
	assert.match(address("o"), /hidden/);
	assert.equal(address("highlight"), "1");
	await keys("x", "h", "Delete");
	assert.equal((await page.$$("#legend-rows tr")).length, count - 1);
});

await step("a opens the dialog; the tree is walked with arrows and adds with Enter", async () => {
	const before = (await page.$$("#legend-rows tr")).length;
	await page.keyboard.press("/");
	assert.ok(await isOpen("add"));
	await page.keyboard.type("writes");
	await page.waitForFunction(
		() => document.getElementById("add-said").textContent === "1 counter matches",
	);
	await page.waitForSelector("#add-tree [aria-level='4']");
	await page.waitForTimeout(200);
	await keys("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight");
	assert.equal(
		await page.evaluate(() => document.activeElement.getAttribute("aria-level")),
		"4",
	);
	await keys("Enter");
	assert.equal(
		await page.evaluate(() => document.activeElement.getAttribute("aria-selected")),
		"true",
	);
	await picture(page, "add-dark");
	await keys("ArrowLeft", "ArrowLeft");
	assert.equal(
		await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")),
		"false",
	);
	await keys("Escape");
	assert.equal((await page.$$("#legend-rows tr")).length, before + 1);
});

await step("w explains the value at the cursor, Escape closes", async () => {
	await keys("ArrowRight", "w");
	await page.waitForSelector("#why .result");
	assert.match(await page.textContent("#why-title"), /^Why\? The value of/);
	await picture(page, "why-dark");
	await keys("Escape");
	assert.ok(!(await isOpen("why")));
	await keys("Escape", "w");
	assert.match(await page.textContent("#why-title"), /^Why\? The average of/);
	await keys("Escape");
});

await step("c compares with the window before, by keys", async () => {
	await keys("+", "End", "c");
	assert.ok(await isOpen("compare"));
	await page.focus("#compare-before");
	await keys("Space", "Enter");
	assert.match(address("compare"), /^0:-/);
	assert.ok(await page.isVisible("#comparison"));
	await picture(page, "compare-dark");
	await keys("c");
	await page.focus("#compare-stop");
	await keys("Enter", "0");
	assert.equal(address("compare"), null);
});

await step(
	"t changes the theme, m and e open their dialogs, ? has every key and a button for it",
	async () => {
		await keys("t");
		assert.equal(
			await page.evaluate(() => document.documentElement.dataset.theme),
			"light",
		);
		await keys("t", "e");
		assert.ok(await isOpen("export"));
		await keys("Escape", "m");
		assert.ok(await isOpen("marks"));
		await keys("Escape", "?");
		assert.ok(await isOpen("help"));
		assert.ok((await page.$$("#help-rows button")).length >= 25);
		await picture(page, "help-dark");
		await page.focus("#help-rows [data-help=report]");
		await keys("Enter");
		assert.equal(address("view"), "report");
		await keys("1");
	},
);

await step(
	"everything that can be used can be reached by Tab, has a name, and shows the focus",
	async () => {
		await page.evaluate(() => document.activeElement.blur());
		const seen = new Map();
		for (let i = 0; i < 400; i++) {
			await page.keyboard.press("Tab");
			if (await page.evaluate(() => document.activeElement === document.body))
				break; // after the last one
			const [key, name, outline] = await page.evaluate(() => {
				const node = document.activeElement;
				window.numbered ??= new Map();
				if (!window.numbered.has(node))
					window.numbered.set(node, window.numbered.size);
				return [
					window.numbered.get(node),
					node.getAttribute("aria-label") ||
						node.textContent.trim() ||
						node.title ||
						node.labels?.[0]?.textContent ||
						"",
					getComputedStyle(node).outlineStyle,
				];
			});
			if (seen.has(key)) break;
			assert.ok(name, `number ${key} has no name`);
			assert.notEqual(
				outline,
				"none",
				`${name} does not show that it has the focus`,
			);
			seen.set(key, name);
		}
		const all = await page.$$eval(
			"main button, main select, main input, nav button, nav select",
			(list) =>
				list.filter((node) => node.checkVisibility() && !node.disabled)
					.length,
		);
		assert.ok(seen.size >= all, `${seen.size} of ${all}`);
	},
);

await step(
	"the colours of text have a contrast of 4.5 to 1, of lines 3 to 1, in either theme",
	async () => {
		const luminance = (hex) => {
			const [r, g, b] = [1, 3, 5]
				.map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
				.map((c) =>
					c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
				);
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		const contrast = (a, b) => {
			// WCAG 2.2, contrast ratio
			const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
			return (light + 0.05) / (dark + 0.05);
		};
		for (const theme of ["light", "dark"]) {
			const color = await page.evaluate((name) => {
				document.documentElement.dataset.theme = name;
				const style = getComputedStyle(document.documentElement);
				return Object.fromEntries(
					[
						"paper",
						"ground",
						"raised",
						"ink",
						"quiet",
						"accent",
						"bad",
						"tint",
						...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => `line-${n}`),
					].map((one) => [
						one,
						style.getPropertyValue(`--${one}`).trim(),
					]),
				);
			}, theme);
			for (const text of ["ink", "quiet", "accent", "bad"]) {
				for (const ground of ["paper", "ground", "raised"])
					assert.ok(
						contrast(color[text], color[ground]) >= 4.5,
						`${theme} ${text} on ${ground}`,
					);
			}
			assert.ok(
				contrast(color.accent, color.tint) >= 4.5,
				`${theme} accent on tint`,
			);
			for (let n = 0; n < 8; n++)
				assert.ok(
					contrast(color[`line-${n}`], color.paper) >= 3,
					`${theme} line ${n}`,
				);
		}
	},
);

await stepNoErrors(errors);

await server.stop();
await browser.close();
finish();
