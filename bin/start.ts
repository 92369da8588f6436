import { run } from '../commands/cli/command.ts';
import { defineStartCommand } from '../commands/cli/start-command.ts';
import { start } from '../commands/start/start.ts';

await run(
  defineStartCommand('start', 'Press Ctrl-C to stop.').action((options) => start(options)),
  '--data',
);
