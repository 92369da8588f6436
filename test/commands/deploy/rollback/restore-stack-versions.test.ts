import { ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { UpdateAliasCommand } from '@aws-sdk/client-lambda';
import { describe, expect, test } from '@jest/globals';
import { moveToStackVersions } from '../../../../commands/deploy/rollback/restore-stack-versions.ts';
import { aliasUpdate, mockStage } from './mocked-stage.ts';

const functions = {
  Authorizer: { 1: '08:01', 4: '11:01' },
  MessagesSend: { 2: '10:01', 3: '11:01' },
};

async function runRestore() {
  const printed: string[] = [];
  const error = await moveToStackVersions('prod', (line) => printed.push(line)).then(
    () => undefined,
    ({ message }) => message,
  );
  return { printed, error };
}

const denied = (name: string) => Object.assign(new Error('not you'), { name, $metadata: {} });
const rollbackCommand = 'npm run rollback -- --stage prod --to deployed';

describe('After a deployment', () => {
  test("a function that was rolled back and has no new code runs the stack's version again", async () => {
    const { moves } = mockStage({ functions, serving: { Authorizer: [1] } });
    expect(await runRestore()).toEqual({
      printed: [
        'These functions were rolled back before. Moving them to the deployed code:',
        '  Authorizer: 1 → 4',
      ],
      error: undefined,
    });
    expect(moves()).toEqual([aliasUpdate('Authorizer', 4)]);
  });

  test("no alias is moved and nothing is printed if every function runs the stack's version", async () => {
    const { moves } = mockStage({ functions });
    expect([await runRestore(), moves()]).toEqual([{ printed: [], error: undefined }, []]);
  });

  test('the deploy command fails if a function’s alias cannot be updated to the stack’s version', async () => {
    const { lambda } = mockStage({ functions, serving: { Authorizer: [1] } });
    lambda.on(UpdateAliasCommand).rejects(denied('AccessDenied'));
    expect((await runRestore()).error).toBe(
      `Deployed, but some functions run other code. To move them to the deployed code, run: ${rollbackCommand}`,
    );
  });

  test('if AWS denies access, the deploy command succeeds and prints the rollback command', async () => {
    const { cloudformation } = mockStage({ functions });
    cloudformation.on(ListStackResourcesCommand).rejects(denied('AccessDenied'));
    expect(await runRestore()).toEqual({
      printed: [
        `Could not check whether every function runs the deployed code (AWS rejected the request (AccessDenied): not you). If a function was rolled back before the deployment, run: ${rollbackCommand}`,
      ],
      error: undefined,
    });
  });
});
