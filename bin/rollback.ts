/** `npm run rollback -- --stage prod`: the code that served before serves again, at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { runCommand } from '../lib/command/command.ts';
import { stageGiven } from '../lib/command/stage-given.ts';
import { withTools } from '../lib/command/tools.ts';
import { requireItsPlace } from '../lib/deploy/place.ts';
import { destinationIn } from '../lib/rollback/options.ts';
import { rollback } from '../lib/rollback/rollback.ts';

const usage = `npm run rollback -- --stage NAME [options]
  Has every function of the stage serve the code that it served before its last deployment: at once, by Lambda's
  aliases, whatever the alarms say, with no checks before. Stops new code that is just being let in. Data, permissions
  and routes stay as they are. Shows what it will do, and asks.
  --stage NAME     one of lib/stages.ts, with the AWS credentials and region of this terminal
  --to previous    before the last deployment of which code serves; run again, it goes back by one more
  --to TIME        as it was then, in UTC, such as 2026-11-21T10:00:00Z
  --to deployed    forward again: what the stack says
  --function NAME  this one alone, to one of its versions: --function MessagesSend --to 12
  --yes            ask nothing
  --help           print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      to: { type: 'string', default: 'previous' },
      function: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { name, stage } = stageGiven(values.stage);
  const destination = destinationIn(values.to, values.function);
  await withTools(async ({ ask, print }) => {
    await requireItsPlace(name, stage, print);
    const world = {
      cloudformation: new CloudFormationClient(),
      lambda: new LambdaClient(),
      codedeploy: new CodeDeployClient(),
      sleep: (milliseconds: number) => sleep(milliseconds),
      ask,
      print,
    };
    await rollback(world, { stage: name, destination, yes: values.yes });
  });
}

runCommand(main, usage);
