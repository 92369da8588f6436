import { Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../commands/cli/command.ts';
import { interruption } from '../commands/cli/interruption.ts';
import { dataOption, stageOption } from '../commands/cli/options.ts';
import { asText, summary } from '../commands/verify/report.ts';
import { subjectOf } from '../commands/verify/subject.ts';
import { verify } from '../commands/verify/verify.ts';

const more = `The version, leading keys, refusals, browsers, TLS, table, alarms, the stories of test/acceptance, logs, the purge. Prints for each what was expected and what was seen; ends with the code 1 if something is otherwise. What is left for a person is in docs/first-deploy.md. It takes about three minutes, and makes users of its own, whom it takes away again with all that they have made.
Where it can make no users, as a stage takes the tokens of another issuer, or only a URL is given, it takes the tokens ANN, BOB and CAROL of the environment: Ann shares a group with each of the others. What they then make stays.`;

const command = defineCommand('verify', more)
  .addOption(stageOption().makeOptionMandatory(false))
  .addOption(
    new Option('--local', 'the local cloud that npm start runs').default(false).conflicts('stage'),
  )
  .option('--url <url>', 'an API; with one of the above, where that answers')
  .addOption(dataOption())
  .option('--yes-prod', 'makes users in a stage that keeps its data, too', false)
  .option('--json', 'prints one JSON array in the end, in the place of lines', false)
  .action(async ({ data: directory, json, ...options }) => {
    // What was made is taken away again, also after a Ctrl-C.
    const interrupted = interruption();
    const subject = await subjectOf({ ...options, directory, environment: process.env });
    if (!json) console.log(`Looking at ${subject.name}, ${subject.url}`);
    const findings = await verify(
      subject,
      (finding) => {
        if (!json) console.log(asText(finding));
      },
      () => interrupted.aborted,
    );
    console.log(json ? JSON.stringify(findings, undefined, 2) : `\n${summary(findings)}`);
    const isFine = !interrupted.aborted && findings.every(({ state }) => state !== 'failed');
    process.exitCode = isFine ? 0 : 1;
  });

await run(command);
