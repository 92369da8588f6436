/** `npm run destroy -- --stage dev`: removes the stack of a stage, and its data. */
import { parseArgs } from 'node:util';
import { runCommand } from '../lib/command/command.ts';
import { withTools } from '../lib/command/tools.ts';
import { destroy } from '../lib/deploy/destroy.ts';

const usage = `npm run destroy -- --stage NAME [options]
  Removes the stage's stack and all its data; refuses for a stage that keeps its data.
  --stage NAME  one of lib/stages.ts
  --yes         ask nothing
  --help        print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { stage, yes } = values;
  await withTools((tools) => destroy({ stage, yes }, tools));
}

runCommand(main, usage);
