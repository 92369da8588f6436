/** `npm run deploy -- --stage staging`: checks, shows what would change, deploys. */
import { parseArgs } from 'node:util';
import { runCommand } from '../lib/command/command.ts';
import { withTools } from '../lib/command/tools.ts';
import { deploy } from '../lib/deploy/deploy.ts';

const usage = `npm run deploy -- --stage NAME [options]
  Shows which account and region this terminal leads to, runs all checks, shows what would change, deploys, looks
  whether it works, and says how to try it. Asks before permissions grow, and before a stage that keeps its data
  changes. Refuses another account than the stage names, and what would replace or remove the table or the people.
  --stage NAME  one of lib/stages.ts
  --yes         ask nothing
  --no-checks   leave the checks out, as they have just been run
  --no-verify   do not look afterwards whether it works (npm run verify)
  --at-once     new code serves at once, and not a tenth first: the way forward while an alarm is raised, and after
                npm run rollback
  --let-go ID   of the template: this user pool or client leaves the stack, and stays in the account. Never the table
  --help        print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      yes: { type: 'boolean', default: false },
      'no-checks': { type: 'boolean', default: false },
      'no-verify': { type: 'boolean', default: false },
      'at-once': { type: 'boolean', default: false },
      'let-go': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { stage, yes, 'no-checks': noChecks, 'no-verify': noVerify } = values;
  const { 'at-once': atOnce, 'let-go': letGo } = values;
  await withTools((tools) => deploy({ stage, yes, noChecks, noVerify, atOnce, letGo }, tools));
}

runCommand(main, usage);
