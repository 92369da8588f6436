import { expect, test } from '@jest/globals';
import { getDeployWarnings } from '../../../commands/deploy/deploy-warnings.ts';
import { getStage } from '../../../lib/stages.ts';

const filledIn = {
  ...getStage('prod'),
  account: '111122223333',
  alarmEmail: 'ops@acme.test',
  allowedOrigins: ['https://app.acme.test'],
};

test.each([
  [{}, []],
  [
    { alarmEmail: undefined },
    ['Alarms notify no one: the stage has no alarmEmail in lib/stages.ts.'],
  ],
  [
    { allowedOrigins: ['https://app.acme.test', 'https://app.example.com'] },
    ['allowedOrigins in lib/stages.ts is still the placeholder https://app.example.com.'],
  ],
  [
    { account: undefined },
    [
      'prod has no account in lib/stages.ts: with the credentials of another account, this command would create a second stage.',
    ],
  ],
  [{ keepsData: false, alarmEmail: undefined, account: undefined }, []],
])('A deployment of prod with the settings %j causes the warnings %j', (change, expected) => {
  const { alarmEmail, account, ...stage } = { ...filledIn, ...change };
  expect(
    getDeployWarnings('prod', {
      ...stage,
      ...(alarmEmail !== undefined && { alarmEmail }),
      ...(account !== undefined && { account }),
    }),
  ).toEqual(expected);
});
