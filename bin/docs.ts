/**
 * `npm run docs` writes what people read and what follows from the contract and from what is deployed: openapi.json,
 * docs/errors.md, and the table of operations and the picture in README.md and docs/architecture.md. `npm run docs -- --check` writes nothing, and fails when one of them is stale.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesize } from '../lib/assembly/synthesis.ts';
import { updateDocs } from '../lib/docs/generated-files.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const root = join(import.meta.dirname, '..');
// Prod has all that a stage can have but a name of its own.
const { template } = await synthesize('prod', join(root, '.local/synthesis'));
const { ok, lines } = updateDocs(root, { template }, values);
for (const line of lines) (ok ? console.log : console.error)(line);
if (!ok) process.exitCode = 1;
