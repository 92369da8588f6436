/** `npm run verify`: looks whether a stage works, as far as a program can see. */
import { parseArgs } from 'node:util';
import { runCommand } from '../lib/command/command.ts';
import { asText, summary } from '../lib/verify/report.ts';
import { subjectOf } from '../lib/verify/subject.ts';
import { verify } from '../lib/verify/verify.ts';

const usage = `npm run verify -- [options]
  Looks whether a stage works: leading keys, refusals, browsers, TLS, table, alarms, the stories of test/acceptance, logs,
  the purge. Prints for each what was expected and what was seen; ends with the code 1 if something is otherwise. What is
  left for a person is in docs/first-deploy.md. It takes about three minutes, and makes users of its own, whom it takes
  away again with all that they have made.
  --stage NAME  a deployed stage, with the AWS credentials and region of this terminal
  --local       the local cloud that npm start runs
  --url URL     an API; with one of the above, where that answers
  --data DIR    the folder that npm start was given: .local
  --yes-prod    makes users in a stage that keeps its data, too
  --json        prints one JSON array in the end, in the place of lines
  --help        print this
  Where it can make no users, as a stage takes the tokens of another issuer, or only a URL is given, it takes the tokens
  ANN, BOB and CAROL of the environment: Ann shares a group with each of the others. What they then make stays.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      local: { type: 'boolean', default: false },
      url: { type: 'string' },
      data: { type: 'string', default: '.local' },
      'yes-prod': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  let interrupted = false;
  // The first Ctrl-C has what was made taken away again; a second one ends this at once.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      interrupted = true;
    });
  }
  const { stage, local, url, data: directory, 'yes-prod': yesProd, json } = values;
  const environment = process.env;
  const subject = await subjectOf({ stage, local, url, directory, yesProd, environment });
  if (!json) console.log(`Looking at ${subject.name}, ${subject.url}`);
  const findings = await verify(
    subject,
    (finding) => {
      if (!json) console.log(asText(finding));
    },
    () => interrupted,
  );
  console.log(json ? JSON.stringify(findings, undefined, 2) : `\n${summary(findings)}`);
  const isFine = !interrupted && findings.every(({ state }) => state !== 'failed');
  process.exitCode = isFine ? 0 : 1;
}

runCommand(main, usage);
