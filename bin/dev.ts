import { run } from '../commands/cli/command.ts';
import { startCommand } from '../commands/cli/start-options.ts';
import { combineCompanions } from '../commands/start/companion.ts';
import { rebuildPlayground } from '../commands/start/rebuild-playground.ts';
import { createReloader } from '../commands/start/reload-code.ts';
import { start } from '../commands/start/start.ts';

const more = `Does not check types: run npm run types for that. Errors are printed once, and the previous version keeps running. Press Ctrl-C to stop.`;

await run(
  startCommand('dev', more).action((options) =>
    start(options, combineCompanions(createReloader(options.data), rebuildPlayground)),
  ),
  '--data',
);
