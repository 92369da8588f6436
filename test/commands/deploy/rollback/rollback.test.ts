import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  CodeDeployClient,
  DeploymentAlreadyCompletedException,
  StopDeploymentCommand,
} from '@aws-sdk/client-codedeploy';
import {
  GetAliasCommand,
  LambdaClient,
  ResourceNotFoundException,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { describe, expect, test } from '@jest/globals';
import { noTerminalText } from '../../../../commands/cli/confirm.ts';
import { rollback } from '../../../../commands/deploy/rollback/rollback.ts';
import {
  parseRollbackTarget,
  type RollbackTarget,
} from '../../../../commands/deploy/rollback/rollback-target.ts';
import { aliasUpdate, mockStage, timeAt } from './mocked-stage.ts';

/** Runs the command. The returned `printed` lines include the questions. */
async function run(
  destination: RollbackTarget = { to: 'previous' },
  typed?: string | 'noTerminal',
) {
  const printed: string[] = [];
  const tools = {
    cloudformation: new CloudFormationClient(),
    lambda: new LambdaClient(),
    codedeploy: new CodeDeployClient(),
    sleep: async () => {},
    print: (line: string) => {
      printed.push(line);
    },
    prompt:
      typed === 'noTerminal'
        ? undefined
        : async (question: string) => {
            printed.push(question);
            return typed ?? 'prod';
          },
  };
  const error = await rollback(tools, { stage: 'prod', target: destination, yes: false }).then(
    () => undefined,
    ({ message }) => message,
  );
  return { printed, error };
}

const question =
  'This changes the running code for all users immediately. Type the name of the stage to continue: ';
const after = [
  '',
  'The gateway caches the authorizer’s responses: decisions of the replaced code stay valid for up to five minutes.',
  'CloudFormation does not track this change. The next deployment replaces it, and must not be gradual:',
  '  npm run deploy -- --stage prod --at-once',
  'To move all functions to the code before the running deployment: npm run rollback -- --stage prod',
];

/**
 * Three deployments. The last deployment changed `Authorizer` and `MessagesSend`, but not `Purge`.
 */
const history = {
  functions: {
    Authorizer: { 1: '08:01', 4: '11:01' },
    MessagesSend: { 1: '08:01', 2: '10:01', 3: '11:01' },
    Purge: { 1: '08:01', 2: '10:01' },
  },
  updates: [{ start: '11:00' }, { start: '10:00' }, { start: '08:00', first: true }],
};

describe('npm run rollback', () => {
  test('moves only the functions that the last deployment changed, each to its previous version', async () => {
    const { moves, stops } = mockStage(history);
    const { printed, error } = await run();
    expect(printed).toEqual([
      '  Authorizer: 4 → 1, published 2026-11-21T08:01:30Z',
      '  MessagesSend: 3 → 2, published 2026-11-21T10:01:30Z',
      '  Purge: 2 stays, because it already runs earlier code',
      '',
      'Target: the state before the deployment of 2026-11-21T11:00:00Z.',
      question,
      '  Authorizer: 4 → 1',
      '  MessagesSend: 3 → 2',
      ...after,
    ]);
    expect(error).toBeUndefined();
    expect(moves()).toEqual([aliasUpdate('Authorizer', 1), aliasUpdate('MessagesSend', 2)]);
    expect(stops()).toEqual([]);
  });

  test('goes back one more deployment when repeated', async () => {
    const { moves } = mockStage({
      ...history,
      serving: { Authorizer: [1], MessagesSend: [2] },
      stack: { Authorizer: 4, MessagesSend: 3 },
    });
    const { printed } = await run();
    expect(printed).toContain('Target: the state before the deployment of 2026-11-21T10:00:00Z.');
    expect(moves()).toEqual([aliasUpdate('MessagesSend', 1), aliasUpdate('Purge', 1)]);
  });

  test('skips a deployment that published no version, such as a failed deployment', async () => {
    const { moves } = mockStage({ ...history, updates: [{ start: '11:30' }, ...history.updates] });
    await run();
    expect(moves()).toEqual([aliasUpdate('Authorizer', 1), aliasUpdate('MessagesSend', 2)]);
  });

  test('leaves a new function unchanged, and reports it', async () => {
    const { moves } = mockStage({
      functions: { ...history.functions, EventsList: { 1: '11:01' } },
      updates: history.updates,
    });
    expect((await run()).printed).toContain(
      '  EventsList: 1 stays, because it is new and has no earlier code',
    );
    expect(moves()).toHaveLength(2);
  });

  test('skips a function without the alias live, and reports it', async () => {
    const { lambda, moves } = mockStage(history);
    lambda
      .on(GetAliasCommand, { FunctionName: 'messaging-prod-Authorizer' })
      .rejects(new ResourceNotFoundException({ message: 'gone', $metadata: {} }));
    const { printed } = await run();
    expect(printed[0]).toBe('  Authorizer stays unchanged, because its alias live does not exist.');
    expect(moves()).toEqual([aliasUpdate('MessagesSend', 2)]);
  });

  test("lists the deployment's other changes, which the rollback does not revert", async () => {
    mockStage({
      ...history,
      updates: [
        {
          start: '11:00',
          changed: [
            ['AWS::ApiGateway::Deployment', 'ApiDeployment1'],
            ['AWS::IAM::Role', 'SendRole'],
            ['AWS::CodeDeploy::DeploymentGroup', 'NobodysConcern'],
          ],
        },
        { start: '10:00', changed: [['AWS::SQS::Queue', 'OfAnother']] },
      ],
    });
    expect((await run()).printed.slice(4, 8)).toEqual([
      'Target: the state before the deployment of 2026-11-21T11:00:00Z.',
      'That deployment also made these changes, which are not reverted (docs/runbook.md#going-back):',
      '  AWS::ApiGateway::Deployment ApiDeployment1',
      '  AWS::IAM::Role SendRole',
    ]);
  });

  test('is rejected if there was no earlier deployment', async () => {
    const { moves } = mockStage({
      functions: { MessagesSend: { 1: '08:01' } },
      updates: [{ start: '08:00', first: true }],
    });
    expect((await run()).error).toBe(
      'CloudFormation has no record of the version before the running one. Specify a time with --to TIME.',
    );
    expect(moves()).toEqual([]);
  });

  test('changes nothing if another name is typed or if there is no terminal', async () => {
    const { moves } = mockStage(history);
    expect((await run(undefined, 'staging')).error).toBe('Nothing was changed.');
    expect((await run(undefined, 'noTerminal')).error).toBe(noTerminalText);
    expect(moves()).toEqual([]);
  });

  test('reports a function that could not be moved, moves the others, and fails', async () => {
    const { lambda, moves } = mockStage(history);
    lambda
      .on(UpdateAliasCommand, { FunctionName: 'messaging-prod-Authorizer' })
      .rejects(
        Object.assign(new Error('slower'), { name: 'TooManyRequestsException', $metadata: {} }),
      );
    const { printed, error } = await run();
    expect(printed.slice(-2)).toEqual([
      '  Authorizer stays at 4: AWS rejected the request (TooManyRequestsException): slower',
      '  MessagesSend: 3 → 2',
    ]);
    expect(error).toBe('1 of 2 functions could not be moved: run this command again.');
    expect(moves()).toHaveLength(2);
  });
});

describe('During a gradual deployment', () => {
  const canary = {
    ...history,
    serving: { Authorizer: [1, 4] as [number, number], MessagesSend: [2, 3] as [number, number] },
  };

  test('the rollback stops the deployment first, then routes all requests to the previous versions', async () => {
    const { moves, stops } = mockStage({
      ...canary,
      running: { 'd-1': ['InProgress', 'Stopped'], 'd-2': ['Stopped'] },
    });
    const { printed } = await run();
    expect(printed.slice(5, -5)).toEqual([
      'CodeDeploy deployments to stop: 2.',
      question,
      '  d-1 has ended (Stopped)',
      '  d-2 has ended (Stopped)',
      '  Authorizer: 1 and 4 → 1',
      '  MessagesSend: 2 and 3 → 2',
    ]);
    expect(stops()).toEqual(
      ['d-1', 'd-2'].map((deploymentId) => ({ deploymentId, autoRollbackEnabled: false })),
    );
    expect(moves()).toEqual([aliasUpdate('Authorizer', 1), aliasUpdate('MessagesSend', 2)]);
  });

  test('the rollback continues if the deployment has already completed', async () => {
    const { codedeploy, moves } = mockStage({ ...canary, running: { 'd-1': ['Succeeded'] } });
    codedeploy
      .on(StopDeploymentCommand)
      .rejects(new DeploymentAlreadyCompletedException({ message: 'done', $metadata: {} }));
    await run();
    expect(moves()).toHaveLength(2);
  });

  test('no alias is moved if the deployment does not stop', async () => {
    const { moves } = mockStage({ ...canary, running: { 'd-1': ['InProgress'] } });
    expect((await run()).error).toBe(
      'CodeDeploy did not stop the deployment d-1 (InProgress). The rollback moved no function; run this command again.',
    );
    expect(moves()).toEqual([]);
  });
});

describe('A rollback to', () => {
  test('a time makes each function run the version that was newest at that time', async () => {
    const { moves } = mockStage(history);
    const { printed } = await run({ to: 'time', time: timeAt('09:00') });
    expect(printed[1]).toBe('  MessagesSend: 3 → 1, published 2026-11-21T08:01:30Z');
    expect(moves()).toEqual([
      aliasUpdate('Authorizer', 1),
      aliasUpdate('MessagesSend', 1),
      aliasUpdate('Purge', 1),
    ]);
  });

  test("the deployed state makes each function run the stack's version", async () => {
    const { moves } = mockStage({ ...history, serving: { MessagesSend: [1] } });
    const { printed } = await run({ to: 'deployed' });
    expect(printed.at(-1)).toBe('Every function runs its deployed version.');
    expect(moves()).toEqual([aliasUpdate('MessagesSend', 3)]);
  });

  test('a version changes only the given function', async () => {
    const { moves } = mockStage({ ...history, isGradual: false });
    await run({ to: 'version', functionId: 'MessagesSend', version: 1 });
    expect(moves()).toEqual([aliasUpdate('MessagesSend', 1)]);
  });

  test.each<[RollbackTarget, string]>([
    [
      { to: 'version', functionId: 'Send', version: 1 },
      'There is no function Send. Functions: Authorizer, MessagesSend, Purge.',
    ],
    [
      { to: 'version', functionId: 'Purge', version: 7 },
      'Purge has no version 7. Versions: 2 (2026-11-21T10:01:30Z), 1 (2026-11-21T08:01:30Z).',
    ],
  ])('an unknown function or version is rejected: %j', async (destination, message) => {
    const { moves } = mockStage(history);
    expect((await run(destination)).error).toBe(message);
    expect(moves()).toEqual([]);
  });

  test('the current state changes nothing, and requires no confirmation', async () => {
    mockStage(history);
    expect((await run({ to: 'deployed' }, 'dev')).printed.at(-1)).toBe('Nothing to do.');
  });
});

describe('--to', () => {
  test.each([
    ['previous', undefined, { to: 'previous' }],
    ['deployed', undefined, { to: 'deployed' }],
    ['2026-11-21T10:00:00Z', undefined, { to: 'time', time: timeAt('10:00') }],
    ['12', 'MessagesSend', { to: 'version', functionId: 'MessagesSend', version: 12 }],
  ])('accepts %s with --function %s', (to, functionId, expected) => {
    expect(parseRollbackTarget(to, functionId)).toEqual(expected);
  });

  test.each([
    ['12', undefined, 'A version number requires a function: add --function NAME.'],
    [
      'latest',
      undefined,
      "'latest' is not valid: specify previous, deployed, or a time such as 2026-11-21T10:00:00Z.",
    ],
    [
      'noon',
      undefined,
      "'noon' is not valid: specify previous, deployed, or a time such as 2026-11-21T10:00:00Z.",
    ],
    ['previous', 'Purge', "With --function, give one of its versions: --to 12, not 'previous'."],
    ['0', 'Purge', "With --function, give one of its versions: --to 12, not '0'."],
  ])('rejects %s with --function %s', (to, functionId, message) => {
    expect(() => parseRollbackTarget(to, functionId)).toThrow(message);
  });
});
