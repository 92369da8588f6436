import { expect, test } from '@jest/globals';
import { adaptTemplate } from './adapt-template.ts';
import { compareScenarios } from './compare-scenarios.ts';

test('A known difference explains a failed scenario only if it matches both the message and the name', () => {
  const failed = (fullName: string, message: string) => ({
    fullName,
    status: 'failed',
    failureMessages: [`\u001b[31mError:\u001b[39m  ${message}\n    at a.ts:1`],
  });
  const report = {
    testResults: [
      {
        assertionResults: [
          { fullName: 'A list is empty', status: 'passed', failureMessages: [] },
          failed('A preflight succeeds', 'returned 200'),
          failed('A message is sent', 'returned 200'),
          failed('A preflight succeeds late', 'returned 500'),
        ],
      },
    ],
  };
  const known = [{ name: 'Preflights', message: /^Error: returned 200$/, scenario: /preflight/ }];
  expect(compareScenarios(report, known)).toEqual({
    passed: 1,
    known: [{ name: 'Preflights', scenarios: 1 }],
    unknown: [
      { fullName: 'A message is sent', message: 'Error: returned 200' },
      { fullName: 'A preflight succeeds late', message: 'Error: returned 500' },
    ],
  });
});

test('Adapting a template removes unsupported resources and references to them, and sets the emulator’s key URL', () => {
  const push = { 'Fn::GetAtt': ['Push', 'ApiId'] };
  const resources = {
    Push: { Type: 'AWS::AppSync::Api' },
    Queue: { Type: 'AWS::SQS::Queue', DependsOn: ['Push', 'Pool'], Properties: { push } },
    Pool: { Type: 'AWS::Cognito::UserPool', Properties: {} },
    Check: {
      Type: 'AWS::Lambda::Function',
      Properties: { Environment: { Variables: { TOKEN_ISSUER: 'a', TOKEN_KEYS_URL: 'b' } } },
    },
  };
  const template = {
    Resources: Object.fromEntries(
      Object.entries(resources).map(([id, one]) => [id, { Properties: {}, ...one }]),
    ),
  };
  const { Push, Queue, Check } = adaptTemplate(template, 'http://127.0.0.1:1').Resources;
  expect(Push).toBeUndefined();
  expect(Queue).toMatchObject({ DependsOn: ['Pool'], Properties: { push: 'none' } });
  expect(Check?.Properties).toMatchObject({
    Environment: {
      Variables: {
        TOKEN_KEYS_URL: { 'Fn::Sub': expect.stringMatching(/^http:..127.0.0.1:1.*jwks.json$/) },
      },
    },
  });
});
