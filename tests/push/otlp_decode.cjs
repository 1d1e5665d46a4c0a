// otlp_decode.cjs - decode a request of OTLP with OpenTelemetry's own messages: otlp_decode.cjs FILE...
// SPDX-License-Identifier: MIT
//
// One JSON object a line, as OTLP's JSON has it; 64-bit integers are strings.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const root = require(path.join(process.env.OTLP_TRANSFORMER, "build/src/generated/root.js"));
const request = root.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;

for (const file of process.argv.slice(2)) {
	const message = request.decode(fs.readFileSync(file));
	const problem = request.verify(message);
	if (problem)
		throw new Error(problem);
	console.log(JSON.stringify(request.toObject(message, { longs: String, enums: Number })));
}
