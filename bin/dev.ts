import { run } from '../commands/cli/command.ts';
import { defineStartCommand } from '../commands/cli/start-command.ts';
import { combineCompanions } from '../commands/start/companion.ts';
import { rebuildPlayground } from '../commands/start/rebuild-playground.ts';
import { createReloader } from '../commands/start/reload-code.ts';
import { start } from '../commands/start/start.ts';

const helpText = `Does not check types: run npm run types for that. Prints an unchanged error only once, and keeps the previous version running. Press Ctrl-C to stop.`;

await run(
  defineStartCommand('dev', helpText).action((options) =>
    start(options, combineCompanions(createReloader(options.data), rebuildPlayground)),
  ),
  '--data',
);
