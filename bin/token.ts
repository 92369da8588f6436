import { Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../commands/cli/command.ts';
import { dataOption, stageOption } from '../commands/cli/common-options.ts';
import { createIntegerParser, toParser } from '../commands/cli/option-parsers.ts';
import { UsageProblem } from '../commands/cli/usage-problem.ts';
import { parseContactId, parseGroupIds } from '../commands/users/parse-ids.ts';
import { type Shell, shellNames, shells } from '../commands/users/shells.ts';
import {
  type LocalRequest,
  parseTokenRequest,
  type StageRequest,
} from '../commands/users/token-request.ts';
import { demoPeople } from '../demo/people.ts';
import { Problem } from '../lib/problem.ts';
import { getStage } from '../lib/stages.ts';
import { openLocalIssuer } from '../local-cloud/issuer.ts';
import { findRunningCloud } from '../local-cloud/running-cloud.ts';

const helpText = `For the local cloud, give a contact id. For a deployed stage, give --stage and --user. If the stage's user pool has no test user of that name, creates one.
Prints only the token to standard output. With --demo, prints commands that set API, ANN, BOB and CAROL; run them in your shell:
  eval "$(npm run -s token -- --demo)"`;

const command = defineCommand('token', helpText)
  .argument('[contact-id]', 'contact id, for the local cloud', toParser(parseContactId))
  .option(
    '--groups <a,b>',
    "the user's groups; missing groups of a stage are created",
    toParser(parseGroupIds),
  )
  .option('--username <name>', 'default: the contact id')
  .option('--phone-number <number>')
  .option('--picture <url>')
  .optionsGroup('For the local cloud:')
  .option(
    '--expires-in <seconds>',
    'default: twelve hours; --expires-in=-1 creates an expired token',
    createIntegerParser(-9_999_999_999, 9_999_999_999),
  )
  .addOption(
    new Option('--demo', 'print the tokens of the demo users as shell variables')
      .conflicts(['groups', 'username', 'phoneNumber', 'picture', 'expiresIn', 'stage'])
      .default(false),
  )
  .addOption(
    new Option('--shell <name>', 'the shell that reads the output')
      .choices(shellNames)
      .default('sh' as const, 'sh, also for bash and zsh'),
  )
  .addOption(dataOption())
  .optionsGroup('For a deployed stage:')
  .addOption(stageOption().makeOptionMandatory(false).conflicts('expiresIn'))
  .option('--user <name>', 'the test user', toParser(parseContactId))
  .option('--leave <a,b>', 'remove the user from these groups', toParser(parseGroupIds))
  .option('--id', "print the user's contact id instead of a token", false)
  .option('--yes-prod', 'allow a stage that retains its data', false)
  .action(async (id, options) => {
    if (options.demo) {
      if (id !== undefined) throw new UsageProblem('Pass a contact id or --demo, not both.');
      await printDemo(options.data, options.shell);
      return;
    }
    const request = parseTokenRequest(id, options);
    await ('stage' in request ? printStageToken(request) : printLocalToken(request));
  });

async function printDemo(directory: string, shell: Shell): Promise<void> {
  const { token } = await openLocalIssuer(directory);
  const running = await findRunningCloud(directory);
  if (!running) {
    throw new Problem(`No local cloud is running in ${directory}: start one with \`npm start\`.`);
  }
  const variables = [['API', running.outputs.ApiUrl]];
  for (const [person, claims] of Object.entries(demoPeople)) {
    variables.push([person.toUpperCase(), await token(person, claims)]);
  }
  for (const [name = '', value = ''] of variables) {
    console.log(shells[shell].assignment(name, value));
  }
}

async function printLocalToken({ contactId, claims, directory }: LocalRequest): Promise<void> {
  const { token } = await openLocalIssuer(directory);
  console.log(await token(contactId, claims));
}

async function printStageToken(request: StageRequest): Promise<void> {
  const { requireTokenStage } = await import('../commands/users/require-token-stage.ts');
  requireTokenStage(request, getStage(request.stage));
  // Imported only here, because the AWS clients load slowly and local tokens do not need them.
  const { createStageToken } = await import('../commands/users/stage-token.ts');
  const { contactId, token } = await createStageToken(request);
  // Printed to standard error, because standard output contains only the token.
  if (token !== undefined) console.error(`The contact id of ${request.user} is ${contactId}.`);
  console.log(token ?? contactId);
}

await run(command);
