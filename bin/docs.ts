import { join } from 'node:path';
import { defineCommand, run } from '../commands/cli/command.ts';
import { updateDocs } from '../docgen/generated-files.ts';
import { synthesize } from '../lib/synthesis/synthesis.ts';

const root = join(import.meta.dirname, '..');

const command = defineCommand('docs')
  .option('--check', 'write nothing, and exit with code 1 if a file is outdated', false)
  .action(async (options) => {
    // The architecture diagram shows the resources of the prod stage.
    const { template } = await synthesize('prod', join(root, '.local/synthesis'));
    const { ok, lines } = updateDocs(root, { template }, options);
    for (const line of lines) (ok ? console.log : console.error)(line);
    if (!ok) process.exitCode = 1;
  });

await run(command);
