#!/usr/bin/env node
// libpmon.js - the command pmon, as a WebAssembly program
// SPDX-License-Identifier: MIT

import { run } from "../lib/command.js";

process.exitCode = await run(process.argv.slice(2));
