import { defineCommand, run } from '../commands/cli/command.ts';
import { dataOption, stageOrLocalOption } from '../commands/cli/common-options.ts';
import { redrive } from '../commands/recovery/redrive.ts';
import { findRunningStage } from '../commands/stage/running-stage.ts';

const command = defineCommand(
  'redrive',
  'Also empties the dead-letter queues of the purge and live workers.',
)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .option(
    '--feeds',
    'also repair feeds that have lost their maintenance item: reads the whole table',
  )
  .option(
    '--files',
    'also remove files that deleted messages or removed uploads have left behind: reads the whole table and lists the bucket',
  )
  .option(
    '--expire-cursors',
    'expire all cursors even if no queue shows missing events, for example after the live worker was off for most of a day; all clients then reload their lists',
  )
  .action(async ({ stage, data, feeds, files, expireCursors }) => {
    const { conversations, oldest, purgeFailures, liveFailures, resetsFeeds, ...others } =
      await redrive(await findRunningStage(stage, data), { feeds, files, expireCursors });
    const since =
      oldest === undefined ? '' : `, the first deleted at ${new Date(oldest).toISOString()}`;
    console.log(
      `Sent to the purge worker again: ${conversations} deleted conversations and groups${since}`,
    );
    console.log(`Failed events removed from the purge worker's queue: ${purgeFailures}`);
    if (others.restoredFeeds !== undefined)
      console.log(`Feeds whose maintenance was restored: ${others.restoredFeeds}`);
    if (others.files) {
      console.log(
        `Sent to the purge worker again: ${others.files.messages} deleted messages with files`,
      );
      console.log(`Removed files without an attachment: ${others.files.orphans}`);
    }
    if (liveFailures > 0)
      console.log(
        `Expired all cursors, because feeds are missing events. Failed records: ${liveFailures}`,
      );
    else if (resetsFeeds) console.log('Expired all cursors, as requested.');
    else if (expireCursors) console.log('This stage has no feeds.');
  });

await run(command);
