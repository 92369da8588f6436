import { describe, expect, test } from '@jest/globals';
import { nobodyToAsk } from '../../../lib/deploy/confirm.ts';
import { deploy } from '../../../lib/deploy/deploy.ts';
import { nextSteps } from '../../../lib/deploy/next-steps.ts';
import { recorder } from './recorder.ts';

const asked = { yes: false, noChecks: false };
const question =
  'asks: This changes prod, whose data is kept. Type the name of the stage to go on: ';

describe('Deploying', () => {
  test('checks, shows the difference, deploys and says how to try it', async () => {
    const { tools, done, printed } = recorder({ typed: '' });
    await deploy({ ...asked, stage: 'staging' }, tools);
    expect(done).toEqual([
      'npm run check',
      'cdk diff messaging-staging -c stage=staging',
      'cdk deploy messaging-staging -c stage=staging --require-approval broadening --outputs-file OUTPUTS',
    ]);
    expect(printed).toEqual([
      '',
      'The API of staging is at https://api.example.com/staging',
      '',
      'Try it:',
      '  export API_URL=https://api.example.com/staging',
      '  export ANN=$(npm run -s token -- --stage staging --user qa-ann --groups team,friends)',
      '  export BOB=$(npm run -s token -- --stage staging --user qa-bob --groups team)',
      '  export CAROL=$(npm run -s token -- --stage staging --user qa-carol --groups friends)',
      '  curl "$API_URL/v1/conversations" -H "Authorization: Bearer $ANN"',
      '',
      'The acceptance tests:',
      '  npm run test:acceptance',
      '',
      'What to look at once, after the first deployment: docs/first-deploy.md',
    ]);
  });

  test('to a stage that keeps its data has the name of the stage typed first', async () => {
    const right = recorder({ typed: 'prod' });
    await deploy({ ...asked, stage: 'prod' }, right.tools);
    expect(right.done).toEqual([
      'npm run check',
      'cdk diff messaging-prod -c stage=prod',
      question,
      'cdk deploy messaging-prod -c stage=prod --require-approval broadening --outputs-file OUTPUTS',
    ]);
    const wrong = recorder({ typed: 'yes' });
    await expect(deploy({ ...asked, stage: 'prod' }, wrong.tools)).rejects.toThrow(
      'Nothing was done.',
    );
    expect(wrong.done.at(-1)).toBe(question);
  });

  test('with --yes asks nothing; without the checks goes on at once', async () => {
    const { tools, done } = recorder();
    await deploy({ stage: 'prod', yes: true, noChecks: true }, tools);
    expect(done).toEqual([
      'cdk diff messaging-prod -c stage=prod',
      'cdk deploy messaging-prod -c stage=prod --require-approval never --outputs-file OUTPUTS',
    ]);
  });

  test('stops at the first command that fails', async () => {
    const { tools, done } = recorder({ typed: '', failing: 'npm run check' });
    await expect(deploy({ ...asked, stage: 'dev' }, tools)).rejects.toThrow('npm run check failed');
    expect(done).toEqual(['npm run check']);
  });

  test.each([
    ['nowhere', "There is no stage 'nowhere': lib/stages.ts has dev, staging, prod."],
    [undefined, 'Say which stage: --stage NAME, such as --stage dev.'],
  ])('to the stage %s does nothing and says why', async (stage, complaint) => {
    const { tools, done } = recorder({ typed: '' });
    await expect(deploy({ ...asked, stage }, tools)).rejects.toThrow(complaint);
    expect(done).toEqual([]);
  });

  test('where nobody can be asked needs --yes, and says so before anything runs', async () => {
    const { tools, done } = recorder();
    await expect(deploy({ ...asked, stage: 'dev' }, tools)).rejects.toThrow(nobodyToAsk);
    expect(done).toEqual([]);
  });
});

test('With an issuer and a domain of one’s own, the next steps name them', () => {
  const identity = { issuer: 'https://id.example.com', audience: 'a', keysUrl: 'https://k' };
  const domain = { name: 'api.example.com', certificateArn: 'arn' };
  const lines = nextSteps(
    'prod',
    { identity, domain },
    { ApiUrl: 'https://api.example.com/', DomainTarget: 'd-1.example.net' },
  );
  expect(lines).toContain('api.example.com must be an alias or a CNAME of d-1.example.net.');
  expect(lines).toContain('  export ANN=<a token of https://id.example.com>');
});
