import { commandNamed, run } from '../lib/command/command.ts';
import { dataOption, stageOrLocalOption } from '../lib/command/options.ts';
import { redrive } from '../lib/recovery/redrive.ts';
import { runningStage } from '../lib/running/stage.ts';

const command = commandNamed(
  'redrive',
  'Where changes are missing in feeds, all clients list anew. Empties the queues of failures, too.',
)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .option(
    '--feeds',
    'also have each feed looked after that has lost what it is looked after by: reads the whole table',
  )
  .action(async ({ stage, data, feeds }) => {
    const { conversations, oldest, failures, missing, ...others } = await redrive(
      await runningStage(stage, data),
      { feeds },
    );
    const since = oldest === undefined ? '' : `, the first since ${new Date(oldest).toISOString()}`;
    console.log(`Deleted conversations that are being purged: ${conversations}${since}`);
    console.log(`Failures taken from the queue: ${failures}`);
    if (others.feeds !== undefined) console.log(`Feeds to be looked after: ${others.feeds}`);
    if (missing > 0) console.log(`Feeds begin anew, as changes are missing in them: ${missing}`);
  });

await run(command);
