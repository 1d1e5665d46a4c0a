// whole.js - the page as one file, with the data that it shows in place of the module
// SPDX-License-Identifier: MIT
//
// In pmon.html this takes the place of web/page/whole.js.

// As the file was, before the page changes anything. Nobody needs the module in the copy.
const copy = document.documentElement.cloneNode(true);
for (const part of copy.querySelectorAll("#module, #worker, #licences, #shared")) part.remove();

// The text of the file. A script element must not contain its own end tag.
export async function pageWith(data) {
	const page = copy.cloneNode(true);
	const shared = document.createElement("script");
	shared.type = "application/json";
	shared.id = "shared";
	shared.textContent = JSON.stringify(data).replaceAll("<", "\\u003c");
	page.querySelector("head").append(shared);
	return `<!DOCTYPE html>\n${page.outerHTML}\n`;
}
