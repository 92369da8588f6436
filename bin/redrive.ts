/** `npm run redrive`: the purge of deleted conversations begins again where it was given up. */
import { parseArgs } from 'node:util';
import { runCommand } from '../lib/command/command.ts';
import { redrive } from '../lib/recovery/redrive.ts';
import { runningStage } from '../lib/running/stage.ts';

const usage = `npm run redrive -- [options]
  Has every deleted conversation that is not gone yet purged again, and empties the queue of failures.
  --stage NAME  of the deployed stage, with the AWS credentials and region of this terminal;
                without it, of the local cloud that npm start runs
  --data DIR    the folder that npm start was given: .local
  --help        print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      data: { type: 'string', default: '.local' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { conversations, oldest, failures } = await redrive(
    await runningStage(values.stage, values.data),
  );
  const since = oldest === undefined ? '' : `, the first since ${new Date(oldest).toISOString()}`;
  console.log(`Deleted conversations that are being purged: ${conversations}${since}`);
  console.log(`Failures taken from the queue: ${failures}`);
}

runCommand(main, usage);
