import { Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../commands/cli/command.ts';
import { kind, wholeNumberFrom } from '../commands/cli/kinds.ts';
import { dataOption, stageOption } from '../commands/cli/options.ts';
import { UsageProblem } from '../commands/cli/usage-problem.ts';
import { contactIdIn, groupsIn } from '../commands/users/ids-given.ts';
import { type Shell, shellNames, shells } from '../commands/users/shells.ts';
import {
  type LocalRequest,
  type StageRequest,
  tokenRequest,
} from '../commands/users/token-request.ts';
import { demoPeople } from '../demo/people.ts';
import { Problem } from '../lib/problem.ts';
import { getStage } from '../lib/stages.ts';
import { localIssuer } from '../local-cloud/issuer.ts';
import { runningCloud } from '../local-cloud/running-cloud.ts';

const more = `For the local cloud give a contact id. For a deployed stage give --stage and --user: makes a test user of that name in the stage's user pool unless there is one.
Prints the token, and nothing else, to the standard output. With --demo it prints commands that set API, ANN, BOB and CAROL, for your shell to read:
  eval "$(npm run -s token -- --demo)"`;

const command = defineCommand('token', more)
  .argument('[contact-id]', 'of the local cloud', kind(contactIdIn))
  .option(
    '--groups <a,b>',
    'the groups that it belongs to; those of a stage are made',
    kind(groupsIn),
  )
  .option('--username <name>', 'the contact id unless given')
  .option('--phone-number <number>')
  .option('--picture <url>')
  .optionsGroup('For the local cloud:')
  .option(
    '--expires-in <seconds>',
    'twelve hours unless given; --expires-in=-1 is over already',
    wholeNumberFrom(-9_999_999_999, 9_999_999_999),
  )
  .addOption(
    new Option('--demo', 'of the people whom the demo data is about, as variables of a shell')
      .conflicts(['groups', 'username', 'phoneNumber', 'picture', 'expiresIn', 'stage'])
      .default(false),
  )
  .addOption(
    new Option('--shell <name>', 'which shell is to read that')
      .choices(shellNames)
      .default('sh' as const, 'sh, which bash and zsh read too'),
  )
  .addOption(dataOption())
  .optionsGroup('For a deployed stage:')
  .addOption(stageOption().makeOptionMandatory(false).conflicts('expiresIn'))
  .option('--user <name>', 'the test user', kind(contactIdIn))
  .option('--leave <a,b>', 'takes the user out of these groups', kind(groupsIn))
  .option('--id', 'prints the contact id of the user in the place of a token', false)
  .option('--yes-prod', 'also in a stage that keeps its data', false)
  .action(async (id, options) => {
    if (options.demo) {
      if (id !== undefined) throw new UsageProblem('Give one contact id or --demo, not both.');
      await printDemo(options.data, options.shell);
      return;
    }
    const request = tokenRequest(id, options);
    await ('stage' in request ? printOfStage(request) : printLocal(request));
  });

/**
 * Commands by which that shell knows the API that runs on the folder, and tokens of people to try
 * it with.
 */
async function printDemo(directory: string, shell: Shell): Promise<void> {
  const { token } = await localIssuer(directory);
  const running = await runningCloud(directory);
  if (!running) {
    throw new Problem(`No local cloud is running on ${directory}: \`npm start\` starts one.`);
  }
  const variables = [['API', running.outputs.ApiUrl]];
  for (const [person, claims] of Object.entries(demoPeople)) {
    variables.push([person.toUpperCase(), await token(person, claims)]);
  }
  for (const [name = '', value = ''] of variables) {
    console.log(shells[shell].assignment(name, value));
  }
}

async function printLocal({ contactId, claims, directory }: LocalRequest): Promise<void> {
  const { token } = await localIssuer(directory);
  console.log(await token(contactId, claims));
}

async function printOfStage(request: StageRequest): Promise<void> {
  const { refuseOtherStages } = await import('../commands/users/token-stage.ts');
  refuseOtherStages(request, getStage(request.stage));
  // Whoever wants a local token need not wait for the AWS clients to load.
  const { stageToken } = await import('../commands/users/stage-token.ts');
  const { contactId, token } = await stageToken(request);
  // Others write to the user by this id, and stdout is the token's.
  if (token !== undefined) console.error(`${request.user} is the contact ${contactId}.`);
  console.log(token ?? contactId);
}

await run(command);
