// test_each.mjs - what the page answers, at three widths, light and dark: findings, conditions, top, presets, comparison, export
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { addressOf, atEachSize, finish, needView, openBrowser, picture, serve, settled, step, stepNoErrors, temporary, useTool } from "./lib.mjs";
import { SHORT, writeDays } from "./made_log.mjs";

needView();
const browser = await openBrowser();
const [monday, tuesday] = writeDays(temporary("monday.csv"), temporary("tuesday.csv"));
const server = await serve(monday, "--compare", tuesday);

const rows = (page) => page.locator("#legend-rows tr").count();

await atEachSize(browser, server.url, async ({ page, errors, where, width }) => {
	const name = where.replace(" ", "-");
	await page.waitForSelector("#episodes .episode");

	await step(`${where}: a finding has its name in it or beside it, or says it to a pointer and a screen reader`, async () => {
		const marks = await page.$$eval("#episodes .episode", (list) =>
			list.map((one) => ({
				text: one.textContent,
				kind: one.className,
				title: one.title,
				label: one.getAttribute("aria-label"),
				cut: one.scrollWidth > one.clientWidth + 1,
			})),
		);
		assert.equal(marks.length, SHORT + 3);
		for (const { text, kind, title, label } of marks) {
			assert.match(title, /^(Disk reads|Available memory|Processor time)/);
			if (/letter/.test(kind)) assert.ok(text.length <= 1 && title.startsWith(label), text);
			else assert.ok(text.length > 1 && title.startsWith(text), text);
		}
		if (width > 500) assert.ok(marks.every(({ kind }) => !/letter/.test(kind)), JSON.stringify(marks));
		await picture(page, `each-${name}`);
	});

	await step(`${where}: a click on a short finding zooms to it and explains it`, async () => {
		await page.locator("#episodes .episode").first().click();
		await page.waitForSelector("#finding[open]");
		await page.keyboard.press("Escape");
		assert.ok(addressOf(page, "from"));
		await useTool(page, "undo");
		await settled(page);
		assert.equal(addressOf(page, "from"), null);
	});

	await step(`${where}: a condition is answered, and the rules come back`, async () => {
		await page.fill("#ask", "\\Processor(_Total)\\% Processor Time > 90 for 1m");
		await page.keyboard.press("Enter");
		await page.waitForFunction(() => /: 1 episode /.test(document.getElementById("lane-said").textContent));
		await page.click("#lane-said button");
		await page.waitForFunction(() => /findings/.test(document.getElementById("lane-said").textContent));
	});

	await step(`${where}: top, what changed here, and presets`, async () => {
		await page.keyboard.press("+");
		await settled(page);
		await useTool(page, "changes");
		await page.waitForSelector("#changes[open]");
		await page.keyboard.press("Escape");
		await useTool(page, "whole");
		await settled(page);
		const before = await rows(page);
		if (!(await page.isVisible("#preset"))) await page.click("#more");
		await page.selectOption("#preset", "Disks");
		await page.waitForFunction(() => /^Disks: /.test(document.getElementById("status").textContent));
		assert.equal(await rows(page), 1);
		assert.equal(await page.isVisible("#preset"), width > 500);
		await page.goBack();
		await page.waitForFunction((n) => document.querySelectorAll("#legend-rows tr").length === n, before);
		await page.click("#legend-rows .name[title*='(p10)']");
		await page.keyboard.press("Delete");
		assert.equal(await rows(page), before - 1);
		await page.evaluate(() => document.activeElement.blur());
		await useTool(page, "top"); // of the processor time of processes
		await page.waitForFunction((n) => document.querySelectorAll("#legend-rows tr").length === n, before);
		assert.equal(await page.locator("#legend-rows .name[title*='(p10)']").count(), 1);
	});

	await step(`${where}: a comparison tints what lies between the lines, and ranks what differs`, async () => {
		await useTool(page, "compare");
		await page.click("#compare-form button[type=submit]");
		await page.waitForFunction(() => /^Dotted: tuesday/.test(document.getElementById("comparison-caption").textContent));
		await settled(page);
		const areas = await page.evaluate(async () => {
			const [{ plotNow }, { drawPlot }, { SvgSurface }] = await Promise.all(
				["/chart.js", "/plot.js", "/surface.js"].map((name) => import(name)),
			);
			const areas = [];
			class Areas extends SvgSurface {
				area(draw, style) {
					const ys = [];
					draw({ moveTo: (x, y) => ys.push(y), lineTo: (x, y) => ys.push(y) });
					areas.push({ color: style.color, height: Math.max(...ys) - Math.min(...ys) });
				}
			}
			drawPlot(new Areas(1000, 800), plotNow());
			return plotNow().panels.map(({ title, lines }) => {
				const color = lines.find((one) => !one.other).color;
				return { title, height: areas.find((one) => one.color === color)?.height };
			});
		});
		const of = (pattern) => areas.find(({ title }) => pattern.test(title)).height;
		assert.ok(of(/^Processor:/) > 2, JSON.stringify(areas)); // Tuesday is made with 8 more
		// The first row differs most; a difference is this log less the other.
		const deltas = await page.$$eval("#comparison-rows tr", (rows) =>
			rows.map((row) => [row.querySelector("th").title, Number(row.querySelector(".delta").dataset.value)]),
		);
		assert.ok(deltas.find(([path]) => path.includes("Processor(_Total)"))[1] < 0, JSON.stringify(deltas));
		const isZero = deltas.map(([, delta]) => delta === 0);
		assert.ok(isZero.indexOf(true) < 0 || !isZero.slice(isZero.indexOf(true)).includes(false), JSON.stringify(deltas));
		assert.match(await page.textContent("#chips"), /Dotted: tuesday/);
		const box = await page.locator("#plot").boundingBox();
		await page.mouse.move(box.x + box.width / 2, box.y + 30);
		await page.waitForSelector("#cursor-time:not([hidden])");
		if (width > 500) assert.match(await page.textContent("#values"), /-8 %/);
		assert.ok((await page.locator("#values path[stroke-dasharray='2 4']").count()) > 0); // as the line is dotted
		await picture(page, `each-compare-${name}`);
		await page.click("#compare-end");
	});

	await step(`${where}: lines of one colour are told apart by dashes, in the table too`, async () => {
		await page.fill("#ask", "\\Process(*)\\% Processor Time");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#add[open]");
		await page.click("#add-matches");
		await page.keyboard.press("Escape");
		await settled(page);
		const dashes = await page.$$eval("#legend-rows td.color .swatch:not(.none) path", (list) =>
			list.map((one) => one.getAttribute("stroke-dasharray")),
		);
		assert.ok(dashes.length >= 4 && dashes.every((dash) => dash === "8 3"), JSON.stringify(dashes));
		await picture(page, `each-dashes-${name}`);
		await page.goBack();
	});

	await step(`${where}: the view can be saved as a page, a picture and CSV`, async () => {
		for (const [form, pattern] of [
			["html", /^<!DOCTYPE html>/],
			["svg", /^<svg/],
			["csv", /^"\(PDH-CSV/],
		]) {
			await useTool(page, "export");
			const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-export=${form}]`)]);
			const file = temporary(`${name}.${form}`);
			await download.saveAs(file);
			assert.match(readFileSync(file, "utf8"), pattern);
		}
	});

	if (width < 500)
		await step(`${where}: the tools take one row, and all of them when asked for`, async () => {
			const height = async () => (await page.locator("#toolbar").boundingBox()).height;
			assert.ok((await height()) < 60, `${await height()} pixels`);
			assert.ok(await page.isHidden("[data-command=changes]"));
			await page.click("#more");
			assert.equal(await page.getAttribute("#more", "aria-expanded"), "true");
			for (const tool of await page.$$("#toolbar > div:not([hidden]) [data-command]:not([hidden])")) assert.ok(await tool.isVisible());
			await page.click("#more");
			assert.ok((await height()) < 60);
		});

	await stepNoErrors(errors);
});

await server.stop();
await browser.close();
finish();
