import { describe, expect, test } from '@jest/globals';
import { requireTokenStage } from '../../../commands/users/require-token-stage.ts';

const externalIssuer = {
  issuer: 'https://login.example.com',
  audience: 'messaging',
  keysUrl: 'https://login.example.com/keys',
};

describe('A token for a test user', () => {
  test('is available for a stage with a user pool, but requires --yes-prod if the stage retains its data', () => {
    const dev = { identity: 'user-pool', keepsData: false } as const;
    const prod = { identity: 'user-pool', keepsData: true } as const;
    requireTokenStage({ stage: 'dev', yesProd: false }, dev);
    requireTokenStage({ stage: 'prod', yesProd: true }, prod);
    expect(() => requireTokenStage({ stage: 'prod', yesProd: false }, prod)).toThrow(
      'The stage prod retains its data and has real users. To create a test user there, add --yes-prod.',
    );
  });

  test('is not available for a stage with an external issuer', () => {
    const stage = { identity: externalIssuer, keepsData: true };
    expect(() => requireTokenStage({ stage: 'prod', yesProd: true }, stage)).toThrow(
      'The stage prod accepts only tokens issued by https://login.example.com: get a token from that issuer.',
    );
  });
});
