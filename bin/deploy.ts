/** `npm run deploy -- --stage staging`: checks, shows what would change, deploys. */
import { parseArgs } from 'node:util';
import { runCommand } from '../lib/command.ts';
import { deploy } from '../lib/deploy/deploy.ts';
import { withTools } from '../lib/deploy/tools.ts';

const usage = `npm run deploy -- --stage NAME [options]
  Runs all checks, shows what would change, deploys, and says how to try it; with the AWS credentials and
  region of this terminal. Asks before permissions grow, and before a stage that keeps its data changes.
  --stage NAME  one of lib/stages.ts
  --yes         ask nothing
  --no-checks   leave the checks out, as they have just been run
  --help        print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      yes: { type: 'boolean', default: false },
      'no-checks': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { stage, yes, 'no-checks': noChecks } = values;
  await withTools((tools) => deploy({ stage, yes, noChecks }, tools));
}

runCommand(main, usage);
