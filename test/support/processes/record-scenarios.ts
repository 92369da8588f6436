import { join } from 'node:path';
import { messageOf } from '../../../lib/problem.ts';
import { runNode } from '../../../lib/synthesis/run-node.ts';
import type { Assembly } from '../../../lib/synthesis/template.ts';
import { type Cloud, startCloud } from '../../../local-cloud/cloud.ts';
import type { OnTableCall, TableCall } from '../../../local-cloud/table/proxy.ts';
import { scenarioEnvironment } from '../../acceptance/support/scenario-environment.ts';
import { getConfidentialTexts } from './confidential-texts.ts';
import type { Secret } from './find-secrets.ts';

const root = join(import.meta.dirname, '../../..');

/** What there was to see while the stories of test/acceptance were told. */
export interface Recorded {
  /** Each call of a function to the table. */
  calls: TableCall[];
  /** What the functions printed. */
  lines: string[];
  /** What must not be in these. */
  secrets: Secret[];
  /** The stories' report, and whether all went well. */
  report: string;
  passed: boolean;
}

export interface Recording {
  /** The stack that is run. */
  assembly: Assembly;
  /** Sees each call as well, and may hold it up. */
  onTableCall: OnTableCall;
  /** Has the cloud before the stories are told. */
  first(cloud: Cloud): Promise<void>;
}

/** Tells all the stories to a local cloud, and records what its functions do. */
export async function recordScenarios(recording: Recording): Promise<Recorded> {
  const calls: TableCall[] = [];
  const lines: string[] = [];
  const cloud = await startCloud({
    port: 0,
    dataDirectory: join(root, '.local/test'),
    inMemory: true,
    assembly: recording.assembly,
    onTableCall: (call) => {
      calls.push(call);
      return recording.onTableCall(call);
    },
    log: (line) => lines.push(line),
  });
  try {
    // The calls tell better what was wrong: they are wanted in any case.
    const failure = await recording.first(cloud).then(() => undefined, messageOf);
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

/** Has Jest tell the stories, or those of some files, and gives its report. */
export async function runScenarios(environment: Record<string, string>, ...files: string[]) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { failed, printed } = await runNode([jest, '--selectProjects', 'acceptance', ...files], {
    cwd: root,
    env: { ...process.env, ...environment },
  });
  return { failed, report: printed };
}
