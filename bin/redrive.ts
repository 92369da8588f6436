import { defineCommand, run } from '../commands/cli/command.ts';
import { dataOption, stageOrLocalOption } from '../commands/cli/options.ts';
import { redrive } from '../commands/recovery/redrive.ts';
import { runningStage } from '../commands/stage/stage.ts';

const command = defineCommand(
  'redrive',
  'Where changes are missing in feeds, all clients list anew. Empties the queues of failures, too.',
)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .option(
    '--feeds',
    'also have each feed looked after that has lost what it is looked after by: reads the whole table',
  )
  .option(
    '--expire-cursors',
    'also have all clients list anew where no queue says that changes are missing: the live worker was off for most of a day',
  )
  .action(async ({ stage, data, feeds, expireCursors }) => {
    const { conversations, oldest, failures, missing, resetsFeeds, ...others } = await redrive(
      await runningStage(stage, data),
      { feeds, expireCursors },
    );
    const since = oldest === undefined ? '' : `, the first since ${new Date(oldest).toISOString()}`;
    console.log(`Deleted conversations that are being purged: ${conversations}${since}`);
    console.log(`Failures taken from the queue: ${failures}`);
    if (others.feeds !== undefined) console.log(`Feeds to be looked after: ${others.feeds}`);
    if (missing > 0) console.log(`Feeds begin anew, as changes are missing in them: ${missing}`);
    else if (resetsFeeds) console.log('Feeds begin anew, as that was asked for.');
    else if (expireCursors) console.log('This stage has no feeds.');
  });

await run(command);
