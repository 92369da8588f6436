/**
 * `npm run docs` writes what people read and what follows from the contract: openapi.json, docs/errors.md and the table
 * of operations in README.md. `npm run docs -- --check` writes nothing, and fails when one of them is stale.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { updateDocs } from '../lib/docs/generated-files.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const { ok, lines } = updateDocs(join(import.meta.dirname, '..'), values);
for (const line of lines) (ok ? console.log : console.error)(line);
if (!ok) process.exitCode = 1;
