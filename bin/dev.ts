import { run } from '../commands/cli/command.ts';
import { startCommand } from '../commands/cli/start-options.ts';
import { allOf } from '../commands/start/beside.ts';
import { rebuilding } from '../commands/start/rebuilding.ts';
import { reloading } from '../commands/start/reloading.ts';
import { start } from '../commands/start/start.ts';

const more = `Does not check types: run npm run types for that. Errors are printed once, and the previous version keeps running. Press Ctrl-C to stop.`;

await run(
  startCommand('dev', more).action((options) =>
    start(options, allOf(reloading(options.data), rebuilding)),
  ),
  '--data',
);
