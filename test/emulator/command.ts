import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { defineCommand, run } from '../../commands/cli/command.ts';
import { findRunningStage } from '../../commands/stage/running-stage.ts';
import { runScenarioTests } from '../../commands/verify/checks/scenario-checks.ts';
import { findTarget } from '../../commands/verify/target/target.ts';
import { Problem } from '../../lib/problem.ts';
import { adaptTemplate, WholeTemplate } from './adapt-template.ts';
import { compareScenarios, JestReport } from './compare-scenarios.ts';
import { knownDifferences } from './known-differences.ts';

const more =
  'Deploys dev with the CDK CLI to the emulator at AWS_ENDPOINT_URL, and runs the scenarios of test/acceptance there. Fails if a scenario fails in a way that test/emulator/known-differences.ts does not list. docs/testing.md describes the setup.';

const command = defineCommand('test:emulator', more).action(async () => {
  const endpoint = requireLoopback(process.env.AWS_ENDPOINT_URL);
  const folder = mkdtempSync(join(tmpdir(), 'messaging-emulator-'));
  try {
    const app = join(folder, 'cdk.out');
    await runCdk('synth', '--quiet', '-c', 'stage=dev', '-o', app);
    adaptTemplateFile(app, endpoint);
    await runCdk('bootstrap', 'aws://000000000000/us-east-1', '--app', app);
    // The emulator does not support change sets.
    await runCdk('deploy', '--app', app, '--method=direct', '--require-approval', 'never');
    printComparison(await runScenarios(endpoint, join(folder, 'report.json')));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/**
 * Returns the URL of the emulator. Throws if the URL is not on this machine, because the command
 * must not run against AWS.
 */
function requireLoopback(url = ''): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  if (!['127.0.0.1', 'localhost'].includes(host))
    throw new Problem(
      'Set AWS_ENDPOINT_URL to the emulator on this machine: http://127.0.0.1:PORT',
    );
  return url.replace(/\/$/, '');
}

/** AWS settings with credentials that only the emulator accepts. */
const emulatorEnvironment = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
};

function runCdk(...parameters: string[]): Promise<void> {
  const child = spawn(process.execPath, ['node_modules/aws-cdk/bin/cdk', ...parameters], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Problem(`cdk ${parameters[0]} failed.`)),
    );
  });
}

function adaptTemplateFile(app: string, endpoint: string): void {
  const name = readdirSync(app).find((file) => file.endsWith('.template.json')) ?? '';
  const template = v.parse(WholeTemplate, JSON.parse(readFileSync(join(app, name), 'utf8')));
  writeFileSync(join(app, name), JSON.stringify(adaptTemplate(template, endpoint)));
}

async function runScenarios(endpoint: string, file: string) {
  const running = await findRunningStage('dev', '');
  // https://<id>.execute-api.<region>.amazonaws.com/dev/
  const [apiId] = new URL(running.output('ApiUrl')).host.split('.');
  const target = await findTarget({
    stage: 'dev',
    local: false,
    url: `${endpoint}/restapis/${apiId}/dev/_user_request_`,
    directory: '',
    yesProd: false,
    environment: {},
  });
  await runScenarioTests(target, file);
  await target.users?.deleteUsers?.();
  const report = v.parse(JestReport, JSON.parse(readFileSync(file, 'utf8')));
  return compareScenarios(report, knownDifferences);
}

function printComparison({ passed, known, unknown }: ReturnType<typeof compareScenarios>): void {
  console.log(`${passed} scenarios pass.`);
  for (const { name, scenarios } of known) {
    console.log(`${String(scenarios).padStart(4)} fail because of a known difference: ${name}`);
  }
  for (const { fullName, message } of unknown) {
    console.log(`   1 fails because of a new difference: ${fullName}: ${message.slice(0, 300)}`);
  }
  if (unknown.length > 0)
    throw new Problem(
      `New differences: ${unknown.length}. Fix them, or list them in known-differences.ts.`,
    );
}

Object.assign(process.env, emulatorEnvironment);
for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN']) delete process.env[name];
run(command);
