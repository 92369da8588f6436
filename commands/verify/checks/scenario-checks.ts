import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';
import type { Finding } from '../target/check.ts';
import { getNoUsersReason, type VerifyTarget } from '../target/target.ts';

const root = join(import.meta.dirname, '../../..');

const Report = v.object({
  testResults: v.array(
    v.object({
      message: v.string(),
      assertionResults: v.array(
        v.object({
          ancestorTitles: v.array(v.string()),
          title: v.string(),
          status: v.string(),
          failureMessages: v.array(v.string()),
        }),
      ),
    }),
  ),
});
type Scenario = v.InferOutput<typeof Report>['testResults'][number]['assertionResults'][number];

const expected = 'as described in test/acceptance';

/** Maximum number of failed scenarios reported per group. */
const maxReported = 3;

/**
 * Runs the scenarios of test/acceptance against the API. Returns a finding for each group of
 * scenarios, and for up to three failures of each group. If no users are available, returns only
 * the reason.
 */
export async function runScenarios(target: VerifyTarget): Promise<Finding[]> {
  if (!target.users) {
    return [
      { check: 'Scenarios', state: 'not checkable', expected, seen: getNoUsersReason(target) },
    ];
  }
  const folder = await mkdtemp(join(tmpdir(), 'messaging-verify-'));
  const file = join(folder, 'report.json');
  try {
    const output = await runScenarioTests(target, file);
    const report = await readFile(file, 'utf8').catch(() => undefined);
    if (report === undefined) {
      return [{ check: 'Scenarios', state: 'failed', expected, seen: lastLine(output) }];
    }
    const { testResults } = v.parse(v.pipe(v.string(), v.parseJson(), Report), report);
    const brokenFiles = testResults.filter(({ assertionResults }) => assertionResults.length === 0);
    return [
      ...toFindings(testResults.flatMap(({ assertionResults }) => assertionResults)),
      ...brokenFiles.map(({ message }): Finding => {
        return { check: 'Scenarios', state: 'failed', expected, seen: lastLine(message) };
      }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs Jest as `npm run test:acceptance` does, and returns its standard error output. */
export async function runScenarioTests(
  { url, users, stage }: VerifyTarget,
  file: string,
): Promise<string> {
  const tokens = Object.entries(users?.all ?? {}).map(([name, { token }]) => [name, token]);
  const [origin] = stage?.allowedOrigins ?? [];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(
    process.execPath,
    [jest, '--selectProjects', 'acceptance', '--json', '--outputFile', file],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
        ...Object.fromEntries(tokens),
        API_URL: url,
        ...(origin !== undefined && { ALLOWED_ORIGIN: origin }),
        ERRORS_PAGE: stage?.docs?.errorsPage ?? '',
        // Skips the documentation's examples, because their users exist only in the local cloud.
        DOCUMENTED_PEOPLE: '',
      },
    },
  );
  const [, output] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return output;
}

function toFindings(scenarios: readonly Scenario[]): Finding[] {
  const finished = scenarios.filter(({ status }) => status === 'passed' || status === 'failed');
  const byFile = Map.groupBy(finished, ({ ancestorTitles: [chapter], title }) => chapter ?? title);
  return [...byFile].flatMap(([chapter, scenariosOfFile]): Finding[] => {
    const failed = scenariosOfFile.filter(({ status }) => status === 'failed');
    const seen = `${scenariosOfFile.length - failed.length} of ${scenariosOfFile.length}${failed.length > maxReported ? `; the first ${maxReported} failures:` : ''}`;
    const check = `Scenarios: ${chapter}`;
    return [
      { check, state: failed.length > 0 ? 'failed' : 'ok', expected, seen },
      ...failed.slice(0, maxReported).map(({ ancestorTitles, title, failureMessages }): Finding => {
        const name = ['Scenarios:', ...ancestorTitles, title].join(' ');
        return { check: name, state: 'failed', expected, seen: shortenMessage(failureMessages) };
      }),
    ];
  });
}

const shortenMessage = ([message = '']: readonly string[]) =>
  stripVTControlCharacters(message)
    .split(/\n\s+at /)[0]
    ?.replace(/\s+/g, ' ')
    .slice(0, 300) ?? '';

const lastLine = (output: string) =>
  stripVTControlCharacters(output).trim().split('\n').at(-1) ?? '';
