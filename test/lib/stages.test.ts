import { describe, expect, test } from '@jest/globals';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { listedStages } from '../../lib/stage-names.ts';
import { getStageWarnings } from '../../lib/stage-warnings.ts';
import { getStage } from '../../lib/stages.ts';
import { createStack } from '../support/template/create-stack.ts';

describe('A stage', () => {
  test.each(['ann', 'pr-12', 'qa', 'deploy-test-1', 'a1234567890123456789'])(
    'with the custom name %s retains no data and does not deploy gradually',
    (name) => {
      expect(getStage(name)).toMatchObject({ keepsData: false, deploysGradually: false });
      expect(getStage(name)).toBe(getStage('bob'));
    },
  );

  test.each([
    'prd',
    'prood',
    'prdo',
    'rod',
    'prox',
    'production',
    'prod-2',
    'stagin',
    'stging',
    'satging',
    'staging2',
    'de',
    'dev-ann',
    'ddev',
    'ci-roles',
  ])(
    'named %s is rejected, because the name resembles a listed stage or a reserved name',
    (name) => {
      expect(() => getStage(name)).toThrow(`There is no stage '${name}': lib/stages.ts has`);
    },
  );

  test.each([
    '',
    'a',
    'Ann',
    'ann_1',
    '-ann',
    'ann-',
    '1ann',
    'a12345678901234567890',
    'ann\n',
    '../x',
  ])('with the invalid name %j is rejected', (name) => {
    expect(() => getStage(name)).toThrow('A custom stage has a name of');
  });

  test('without a name is rejected', () => {
    expect(() => getStage(undefined)).toThrow('Missing stage');
  });

  test.each([...listedStages, 'ann'])(
    'named %s has termination protection if and only if it keeps its data',
    (name) => {
      const stage = getStage(name);
      expect(createStack(name, stage).terminationProtection).toBe(stage.keepsData);
    },
  );

  test('with an account and a region is deployed only there', () => {
    const environment = { account: '123456789012', region: 'eu-central-1' };
    expect(createStack('dev', { ...getStage('dev'), ...environment })).toMatchObject(environment);
  });
});

describe('Synthesis warns', () => {
  const prod = {
    ...getStage('prod'),
    allowedOrigins: ['https://app.acme.org'],
    alarmEmail: 'ops@acme.org',
  };
  const placeholder = (setting: string, value: string) =>
    `${setting} in lib/stages.ts is still the placeholder ${value}.`;

  test.each([
    ['about nothing if all settings are intended', prod, []],
    [
      'if alarms have no recipient',
      { ...prod, alarmEmail: undefined },
      ['Alarms notify no one: the stage has no alarmEmail in lib/stages.ts.'],
    ],
    [
      'if pages of every origin can call the API',
      { ...prod, allowedOrigins: ['*'] },
      ['Pages from any origin can call the API, because allowedOrigins in lib/stages.ts is *.'],
    ],
    [
      'if an origin is a placeholder',
      { ...prod, allowedOrigins: ['https://app.acme.org', 'https://app.example.com:8080'] },
      [placeholder('allowedOrigins', 'https://app.example.com:8080')],
    ],
    [
      'if addresses are placeholders',
      { ...prod, alarmEmail: 'a@example.com', budget: { dollars: 1, email: 'b@acme.example' } },
      [placeholder('alarmEmail', 'a@example.com'), placeholder('budget.email', 'b@acme.example')],
    ],
    [
      'about nothing in a stage that retains no data and has no placeholders',
      getStage('staging'),
      [],
    ],
  ])('%s', (_, { alarmEmail, ...stage }, expected) => {
    expect(getStageWarnings({ ...stage, ...(alarmEmail && { alarmEmail }) })).toEqual(expected);
  });

  test('with one annotation per warning', () => {
    const warnings = Annotations.fromStack(createStack('prod', getStage('prod'))).findWarning(
      '*',
      Match.anyValue(),
    );
    expect(warnings.map(({ entry }) => String(entry.data))).toEqual(
      getStageWarnings(getStage('prod')).map((warning) => expect.stringContaining(warning)),
    );
    expect(warnings).toHaveLength(2);
  });
});
