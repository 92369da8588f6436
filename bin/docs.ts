import { join } from 'node:path';
import { defineCommand, run } from '../commands/cli/command.ts';
import { updateDocs } from '../docgen/generated-files.ts';
import { synthesize } from '../lib/synthesis/synthesis.ts';

const root = join(import.meta.dirname, '..');

const command = defineCommand('docs')
  .option('--check', 'write nothing, and end with the code 1 when one of them is stale', false)
  .action(async (options) => {
    // Prod has all that a stage can have but a name of its own.
    const { template } = await synthesize('prod', join(root, '.local/synthesis'));
    const { ok, lines } = updateDocs(root, { template }, options);
    for (const line of lines) (ok ? console.log : console.error)(line);
    if (!ok) process.exitCode = 1;
  });

await run(command);
