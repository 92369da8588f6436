import { expect, test } from '@jest/globals';
import { formatNextSteps } from '../../../commands/deploy/format-next-steps.ts';

test('The next steps of a stage with an external issuer and a custom domain mention both', () => {
  const identity = { issuer: 'https://id.example.com', audience: 'a', keysUrl: 'https://k' };
  const domain = { name: 'api.example.com', certificateArn: 'arn' };
  const lines = formatNextSteps(
    'prod',
    { identity, domain },
    { ApiUrl: 'https://api.example.com/', DomainTarget: 'd-1.example.net' },
    undefined,
  );
  expect(lines).toContain(
    'Create an alias or CNAME record from api.example.com to d-1.example.net.',
  );
  expect(lines).toContain('  export ANN=<a token of https://id.example.com>');
});
