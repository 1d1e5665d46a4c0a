// test_many.mjs - 50,000 counters: the page opens, searches and adds with few nodes
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { finish, openView, settled, step, stepNoErrors, temporary } from "./lib.mjs";
import { writeManyCounters } from "./made_log.mjs";

const COUNTERS = 50000;

const { browser, server, page, errors } = await openView(
	[await writeManyCounters(temporary("many.jsonl"), COUNTERS)],
);

await step("the log is there, with a first selection", async () => {
	await page.waitForFunction(
		() => document.getElementById("facts").textContent.includes("50,000 counters"),
		null,
		{ timeout: 300000 },
	);
	await page.waitForFunction(() => document.getElementById("loading").hidden, null, {
		timeout: 300000,
	});
	await page.waitForSelector("#legend-rows tr");
});

await step("the tree opens, and has no more nodes than are looked at", async () => {
	await page.keyboard.press("a");
	const objects = page.locator("#add-tree [aria-level='2']");
	await objects.nth(9).waitFor();
	await objects.first().click();
	await page.locator("#add-tree [aria-level='3']").nth(4).waitFor();
	assert.ok((await page.locator("#add-tree [role=treeitem]").count()) < 300);
});

await step("a search finds one of them, and adds it", async () => {
	await page.fill("#add-search", "instance counter 17 object 7 42");
	await page.waitForFunction(() =>
		/^\d+ counters? match/.test(
			document.getElementById("add-said").textContent,
		),
	);
	await page.fill("#add-search", "\\Object 7(instance 42)\\Counter 17");
	await page.waitForFunction(
		() =>
			document.getElementById("add-matches").textContent ===
			"Add the match",
	);
	await page.click("#add-matches");
	await page.waitForFunction(
		() => document.getElementById("add-said").textContent === "1 counter added",
	);
});

await step("no more are added than a chart can bear, which is said", async () => {
	await page.fill("#add-search", "\\Object 3(*)\\Counter 5");
	await page.waitForFunction(
		() => document.getElementById("add-matches").textContent === "Add all 100 matches",
	);
	await page.fill("#add-search", "object*");
	await page.waitForFunction(
		() =>
			document.getElementById("add-matches").textContent ===
			"Add all 50000 matches",
	);
	await page.click("#add-matches");
	await page.waitForFunction(() =>
		document.getElementById("add-count").textContent.startsWith("256 counters"),
	);
	assert.match(await page.textContent("#add-said"), /\b256\b/);
	await page.keyboard.press("Escape");
	await settled(page);
	assert.equal(await page.locator("#legend-rows tr").count(), 256);
});

await step(
	"with 256 counters the page still answers, and a link still restores it",
	async () => {
		for (const key of ["2", "3", "1", "h", "ArrowDown", "h"])
			await page.keyboard.press(key);
		await settled(page);
		const url = page.url();
		await page.goto("about:blank");
		await page.goto(url);
		await page.waitForFunction(
			() =>
				document.querySelectorAll(
					"#legend-rows tr:not(.missing) .last button[data-value]",
				).length === 256,
		);
		assert.equal(page.url(), url);
	},
);

await stepNoErrors(errors);

await server.stop();
await browser.close();
finish();
