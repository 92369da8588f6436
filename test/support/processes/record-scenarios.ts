import { join } from 'node:path';
import { toErrorMessage } from '../../../lib/problem.ts';
import { runNode } from '../../../lib/synthesis/run-node.ts';
import type { Assembly } from '../../../lib/synthesis/template.ts';
import { type Cloud, startCloud } from '../../../local-cloud/cloud.ts';
import type { OnTableCall, TableCall } from '../../../local-cloud/table/table-proxy.ts';
import { scenarioEnvironment } from '../../acceptance/support/scenario-environment.ts';
import { getConfidentialTexts } from './confidential-texts.ts';
import type { Secret } from './find-secrets.ts';
import { raiseTimeouts } from './raise-timeouts.ts';

const root = join(import.meta.dirname, '../../..');

export const recordingDirectory = join(root, '.local/test');

export interface Recorded {
  calls: TableCall[];
  lines: string[];
  /** Secrets that the output must not contain. */
  secrets: Secret[];
  /** The Jest report. */
  report: string;
  /** Whether `first` and all tests succeeded. */
  passed: boolean;
}

export interface Recording {
  assembly: Assembly;
  /** Receives each table call and may delay it. */
  onTableCall: OnTableCall;
  /** Runs before the scenarios. If the promise rejects, the recording counts as failed. */
  first(cloud: Cloud): Promise<void>;
}

/** Runs all scenarios against a local cloud and records its functions' table calls and output. */
export async function recordScenarios(recording: Recording): Promise<Recorded> {
  const calls: TableCall[] = [];
  const lines: string[] = [];
  const cloud = await startCloud({
    port: 0,
    dataDirectory: recordingDirectory,
    inMemory: true,
    assembly: raiseTimeouts(recording.assembly),
    onTableCall: (call) => {
      calls.push(call);
      return recording.onTableCall(call);
    },
    log: (line) => lines.push(line),
  });
  try {
    // Even a failed recording returns its calls, which help to diagnose the failure.
    const failure = await recording.first(cloud).then(() => undefined, toErrorMessage);
    const environment = await scenarioEnvironment(cloud);
    const { failed, report } = await runScenarios(environment);
    const { ANN, BOB, CAROL, EXPIRED, REFUSED } = environment;
    const tokens = [ANN, BOB, CAROL, EXPIRED, ...REFUSED.split(' ')];
    return {
      calls,
      lines,
      secrets: await getConfidentialTexts(cloud, tokens),
      report: failure === undefined ? report : `${failure}\n${report}`,
      passed: !failed && failure === undefined,
    };
  } finally {
    await cloud.stop();
  }
}

/** Runs all scenarios, or those in the given files. */
export async function runScenarios(environment: Record<string, string>, ...files: string[]) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { failed, printed } = await runNode([jest, '--selectProjects', 'acceptance', ...files], {
    cwd: root,
    env: { ...process.env, ...environment },
  });
  return { failed, report: printed };
}
