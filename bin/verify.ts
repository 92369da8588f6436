import { Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../commands/cli/command.ts';
import { dataOption, stageOption } from '../commands/cli/common-options.ts';
import { createInterruptSignal } from '../commands/cli/interrupt-signal.ts';
import { formatFinding, formatSummary } from '../commands/verify/format-findings.ts';
import { findTarget } from '../commands/verify/target/target.ts';
import { verify } from '../commands/verify/verify.ts';

const helpText = `Checks the version, leading keys, refusals, browsers, TLS, table, alarms, the scenarios of test/acceptance, logs and the purge. Prints the expected and actual result of each check. Exits with code 1 if a check fails. docs/first-deploy.md lists the manual checks. Takes about three minutes. Creates its own users, and deletes them with all their data.
For a stage with an external issuer, or if you give only a URL, set the environment variables ANN, BOB and CAROL to tokens. Ann must share one group with Bob and another with Carol. Their data is not deleted.`;

const command = defineCommand('verify', helpText)
  .addOption(stageOption().makeOptionMandatory(false))
  .addOption(
    new Option('--local', 'verify the local cloud started with npm start')
      .default(false)
      .conflicts('stage'),
  )
  .option('--url <url>', 'URL of an API; with --stage or --local, replaces the URL of that API')
  .addOption(dataOption())
  .option('--yes-prod', 'create users even in a stage that retains its data', false)
  .option('--json', 'print one JSON array at the end instead of lines', false)
  .action(async ({ data: directory, json, ...options }) => {
    // After Ctrl-C, the run ends early, but still deletes its data.
    const interrupted = createInterruptSignal();
    const subject = await findTarget({ ...options, directory, environment: process.env });
    if (!json) console.log(`Verifying ${subject.name} at ${subject.url}`);
    const findings = await verify(
      subject,
      (finding) => {
        if (!json) console.log(formatFinding(finding));
      },
      () => interrupted.aborted,
    );
    console.log(json ? JSON.stringify(findings, undefined, 2) : `\n${formatSummary(findings)}`);
    const hasPassed = !interrupted.aborted && findings.every(({ state }) => state !== 'failed');
    process.exitCode = hasPassed ? 0 : 1;
  });

await run(command);
