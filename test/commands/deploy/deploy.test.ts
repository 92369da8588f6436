import { DeleteChangeSetCommand, DescribeChangeSetCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { noTerminalText } from '../../../commands/cli/confirm.ts';
import { type DeployOptions, deploy } from '../../../commands/deploy/deploy.ts';
import { getDeployWarnings } from '../../../commands/deploy/deploy-warnings.ts';
import { getStage } from '../../../lib/stages.ts';
import { version } from '../../../shared/contract/version.ts';
import { formatTarget, mockAws } from './mocked-aws.ts';
import { createRecordedTools } from './recorded-commands.ts';

const aws = mockAws();
beforeEach(aws.reset);

const options = (overrides: Partial<DeployOptions>): DeployOptions => ({
  stage: 'dev',
  yes: false,
  checks: true,
  verify: true,
  atOnce: false,
  retainResources: [],
  ...overrides,
});
const question =
  'asks: This changes prod, which retains its data. Type the name of the stage to continue: ';

const cdkDeploy = (stage: string, more: string) =>
  `cdk deploy messaging-${stage} -c stage=${stage} ${more}`.trimEnd();
const outputs = '--outputs-file OUTPUTS';
const changeSetOptions = `--change-set-name messaging-deploy ${outputs}`;
const prepare = (stage: string) =>
  `cdk deploy messaging-${stage} -c stage=${stage} --require-approval broadening --method prepare-change-set ${changeSetOptions}`;
const execute = (stage: string) =>
  `cdk deploy messaging-${stage} --app cdk.out --require-approval never --method execute-change-set ${changeSetOptions}`;

describe('A deployment', () => {
  test('of a new stage runs the checks, shows the changes, deploys, verifies, and prints the next steps', async () => {
    const { tools, done, printed } = createRecordedTools({ reply: '' });
    await deploy(options({ stage: 'staging' }), tools);
    expect(done).toEqual([
      'npm run check',
      'cdk diff messaging-staging -c stage=staging',
      cdkDeploy('staging', `--require-approval broadening ${outputs}`),
      'verify staging',
    ]);
    expect(printed).toEqual([
      formatTarget('staging'),
      '',
      'API of staging: https://api.example.com/staging',
      `Version: ${version}`,
      '',
      'Try it:',
      '  export API_URL=https://api.example.com/staging',
      '  export ANN=$(npm run -s token -- --stage staging --user qa-ann --groups team,friends)',
      '  export BOB=$(npm run -s token -- --stage staging --user qa-bob --groups team)',
      '  export CAROL=$(npm run -s token -- --stage staging --user qa-carol --groups friends)',
      '  curl "$API_URL/v1/conversations" -H "Authorization: Bearer $ANN"',
      '',
      'To verify the stage:',
      '  npm run verify -- --stage staging',
      '',
      'After the first deployment, complete the manual checks in docs/first-deploy.md',
    ]);
  });

  test('passes the commit to the CDK app, and prints it', async () => {
    const { tools, done, printed } = createRecordedTools({ reply: '', commit: 'b19c82b3c8d5' });
    await deploy(options({ stage: 'staging', checks: false, verify: false }), tools);
    const commitOption = '-c commit=b19c82b3c8d5';
    expect(done).toEqual([
      `cdk diff messaging-staging -c stage=staging ${commitOption}`,
      cdkDeploy('staging', `${commitOption} --require-approval broadening ${outputs}`),
    ]);
    expect(printed).toContain(`Version: ${version}, commit b19c82b3c8d5`);
  });

  test('of an existing stack prepares a change set, then executes it', async () => {
    aws.hasStack('staging');
    aws.wouldChange();
    const { tools, done } = createRecordedTools({ reply: '' });
    await deploy(options({ stage: 'staging', checks: false }), tools);
    expect(done).toEqual([
      'cdk diff messaging-staging -c stage=staging',
      prepare('staging'),
      execute('staging'),
      'verify staging',
    ]);
    // The command reads the change set with the CDK's deployment role.
    expect(aws.sts.commandCalls(AssumeRoleCommand)[0]?.args[0].input.RoleArn).toBe(
      'arn:aws:iam::111122223333:role/cdk-hnb659fds-deploy-role-111122223333-eu-central-1',
    );
    expect(aws.cloudformation.commandCalls(DeleteChangeSetCommand)).toEqual([]);
  });

  test('uses the caller’s permissions if it cannot assume the CDK’s deployment role', async () => {
    aws.sts.on(AssumeRoleCommand).rejects('no');
    aws.hasStack('staging');
    aws.wouldChange();
    const { tools, done } = createRecordedTools({ reply: '' });
    await deploy(options({ stage: 'staging', checks: false }), tools);
    expect(done.at(-1)).toBe('verify staging');
  });

  test('without changes deletes the change set, and verifies the stage', async () => {
    aws.hasStack('staging');
    aws.cloudformation.on(DescribeChangeSetCommand).resolves({
      Status: 'FAILED',
      StatusReason: "The submitted information didn't contain changes.",
    });
    const { tools, done, printed } = createRecordedTools({ reply: '' });
    await deploy(options({ stage: 'staging', checks: false }), tools);
    expect(done.slice(1)).toEqual([prepare('staging'), 'verify staging']);
    expect(printed).toContain('messaging-staging is up to date.');
    expect(aws.cloudformation.commandCalls(DeleteChangeSetCommand)).toHaveLength(1);
  });

  test('that would replace the table is rejected before it starts, and its change set is deleted', async () => {
    aws.hasStack('prod');
    aws.wouldChange({
      Type: 'Resource',
      ResourceChange: {
        Action: 'Modify',
        ResourceType: 'AWS::DynamoDB::GlobalTable',
        LogicalResourceId: 'TableCD117FA1',
        Replacement: 'True',
        Details: [{ Target: { Name: 'KeySchema', RequiresRecreation: 'Always' } }],
      },
    });
    const { tools, done } = createRecordedTools();
    await expect(
      deploy(options({ stage: 'prod', yes: true, checks: false }), tools),
    ).rejects.toThrow(
      'Nothing was deployed, because these changes would or might lose data that cannot be recreated:\n' +
        '- AWS::DynamoDB::GlobalTable TableCD117FA1 would be replaced by an empty one (changed: KeySchema): all conversations and messages\n' +
        'See docs/runbook.md#a-deployment-that-would-lose-something',
    );
    expect(done.at(-1)).toContain('--method prepare-change-set');
    expect(aws.cloudformation.commandCalls(DeleteChangeSetCommand)[0]?.args[0].input).toEqual({
      StackName: 'messaging-prod',
      ChangeSetName: 'messaging-deploy',
    });
  });

  test('to a stage that retains its data prints warnings, and starts after the operator types the name of the stage', async () => {
    const confirmed = createRecordedTools({ reply: 'prod' });
    const warnings = getDeployWarnings('prod', getStage('prod')).map((one) => `Warning: ${one}`);
    await deploy(options({ stage: 'prod' }), confirmed.tools);
    expect(confirmed.done).toEqual([
      'npm run check',
      'cdk diff messaging-prod -c stage=prod',
      question,
      cdkDeploy('prod', `--require-approval broadening ${outputs}`),
      'verify prod',
    ]);
    // Warnings are printed before the checks, which take minutes, and again before the question.
    expect(confirmed.printed.slice(0, 1 + 2 * warnings.length)).toEqual([
      formatTarget('prod'),
      ...warnings,
      ...warnings,
    ]);
    const rejected = createRecordedTools({ reply: 'yes' });
    await expect(deploy(options({ stage: 'prod' }), rejected.tools)).rejects.toThrow(
      'Nothing was changed.',
    );
    expect(rejected.done.at(-1)).toBe(question);
  });

  test('with --yes requires no confirmation, and honors --no-checks, --no-verify and --at-once', async () => {
    const { tools, done } = createRecordedTools();
    const without = { checks: false, verify: false, atOnce: true };
    await deploy(options({ stage: 'prod', yes: true, ...without }), tools);
    expect(done).toEqual([
      'cdk diff messaging-prod -c stage=prod -c atOnce=true',
      `cdk deploy messaging-prod -c stage=prod -c atOnce=true --require-approval never ${outputs}`,
    ]);
  });

  test('stops at the first command that fails', async () => {
    const { tools, done } = createRecordedTools({ reply: '', failing: 'npm run check' });
    await expect(deploy(options({ stage: 'dev' }), tools)).rejects.toThrow('npm run check failed');
    expect(done).toEqual(['npm run check']);
  });

  test.each([['stagin', "There is no stage 'stagin': lib/stages.ts has dev, staging, prod."]])(
    'to the unknown stage %s changes nothing, and prints the known stages',
    async (stage, message) => {
      const { tools, done } = createRecordedTools({ reply: '' });
      await expect(deploy(options({ stage }), tools)).rejects.toThrow(message);
      expect([done, aws.sts.calls()]).toEqual([[], []]);
    },
  );

  test('without a terminal and without --yes fails before it runs any command', async () => {
    const { tools, done } = createRecordedTools();
    await expect(deploy(options({ stage: 'dev' }), tools)).rejects.toThrow(noTerminalText);
    expect([done, aws.sts.calls()]).toEqual([[], []]);
  });

  test.each([
    [
      'UPDATE_ROLLBACK_FAILED',
      'The stack messaging-dev is in the state UPDATE_ROLLBACK_FAILED, which prevents deployments: docs/runbook.md#update-rollback-failed',
    ],
    [
      'UPDATE_IN_PROGRESS',
      'Another operation on the stack messaging-dev is in progress (UPDATE_IN_PROGRESS): wait until it completes.',
    ],
  ] as const)('to a stack in the state %s fails before the checks', async (state, message) => {
    aws.hasStack('dev', state);
    const { tools, done } = createRecordedTools({ reply: '' });
    await expect(deploy(options({ stage: 'dev' }), tools)).rejects.toThrow(message);
    expect(done).toEqual([]);
  });

  test.each(['ROLLBACK_COMPLETE', 'REVIEW_IN_PROGRESS'] as const)(
    'to a stack in the state %s uses no change set, like the first deployment',
    async (state) => {
      aws.hasStack('dev', state);
      const { tools, done } = createRecordedTools({ reply: '' });
      await deploy(options({ stage: 'dev', checks: false }), tools);
      expect(done[1]).toBe(cdkDeploy('dev', `--require-approval broadening ${outputs}`));
    },
  );
});

describe('Before a deployment', () => {
  const getConcurrencyWarnings = async (stage: string) => {
    const { tools, printed } = createRecordedTools();
    await deploy(options({ stage, yes: true, checks: false }), tools);
    return printed.filter((line) => line.includes('Lambda concurrency limit'));
  };

  test("API Gateway's existing log role causes a warning only if the stack does not exist yet", async () => {
    aws.gatewayLogRole.mockResolvedValue('arn:aws:iam::1:role/logs');
    const getShown = async () => {
      const { tools, printed } = createRecordedTools();
      await deploy(options({ stage: 'staging', yes: true, checks: false }), tools);
      return printed.filter((line) => line.includes('arn:aws:iam::1:role/logs'));
    };
    expect(await getShown()).toHaveLength(1);
    aws.hasStack('staging');
    aws.wouldChange();
    expect(await getShown()).toEqual([]);
  });

  test('a Lambda concurrency limit that is too low causes a warning with a link', async () => {
    aws.lambda
      .on(GetAccountSettingsCommand)
      .resolves({ AccountLimit: { UnreservedConcurrentExecutions: 10 } });
    expect(await getConcurrencyWarnings('staging')).toEqual([
      'Warning: The Lambda concurrency limit of this account leaves 10 unreserved executions, and staging may need 100: see docs/runbook.md#new-account to request an increase.',
    ]);
  });

  test('a Lambda concurrency limit that leaves fewer than 100 executions unreserved causes a warning that the deployment will fail', async () => {
    const limit = { ConcurrentExecutions: 134, UnreservedConcurrentExecutions: 134 };
    aws.lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: limit });
    expect(await getConcurrencyWarnings('staging')).toEqual([
      'Warning: The deployment of staging will fail: it reserves 35 concurrent executions, 100 must stay unreserved, and the Lambda concurrency limit of this account is 134. See docs/runbook.md#new-account to request an increase.',
    ]);
    expect(await getConcurrencyWarnings('dev')).toEqual([]);
    aws.lambda
      .on(GetAccountSettingsCommand)
      .resolves({ AccountLimit: { ...limit, ConcurrentExecutions: 135 } });
    expect(await getConcurrencyWarnings('staging')).toEqual([]);
  });

  test('a Lambda concurrency limit that cannot be read causes a warning with the reason', async () => {
    aws.lambda
      .on(GetAccountSettingsCommand)
      .rejects(Object.assign(new Error('not you'), { name: 'AccessDenied', $metadata: {} }));
    expect(await getConcurrencyWarnings('dev')).toEqual([
      'Warning: Could not read the Lambda concurrency limit of this account. Check that it leaves 20 unreserved executions for dev. AWS rejected the request (AccessDenied): not you',
    ]);
  });

  test('a sufficient Lambda concurrency limit causes no warning', async () => {
    expect(await getConcurrencyWarnings('staging')).toEqual([]);
  });
});

test('Expired credentials stop a deployment before its first command', async () => {
  aws.sts
    .on(GetCallerIdentityCommand)
    .rejects(Object.assign(new Error('expired'), { name: 'ExpiredToken', $metadata: {} }));
  const { tools, done } = createRecordedTools({ reply: '' });
  await expect(deploy(options({ stage: 'dev' }), tools)).rejects.toThrow('expired');
  expect(done).toEqual([]);
});
