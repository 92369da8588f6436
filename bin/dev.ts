import { run } from '../lib/command/command.ts';
import { startCommand } from '../lib/command/start-options.ts';
import { allOf } from '../lib/start/beside.ts';
import { rebuilding } from '../lib/start/rebuilding.ts';
import { reloading } from '../lib/start/reloading.ts';
import { start } from '../lib/start/start.ts';

const more = `Types are not checked: npm run types does that. What is wrong is said once, and what served before serves on. Ctrl-C stops everything.`;

await run(
  startCommand('dev', more).action((options) =>
    start(options, allOf(reloading(options.data), rebuilding)),
  ),
  '--data',
);
