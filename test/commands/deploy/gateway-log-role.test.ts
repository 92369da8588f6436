import { describe, expect, jest, test } from '@jest/globals';
import { gatewayAccount, getLogRoleWarnings } from '../../../commands/deploy/gateway-log-role.ts';

const warnings = () => getLogRoleWarnings('eu-central-1', 'messaging-staging');
const reply = (status: number, body: object) =>
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(body, { status }));

const credentials = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'x' };
Object.assign(process.env, credentials);

describe("API Gateway's log role", () => {
  test('is read with a signed request to the region', async () => {
    const sent = reply(200, { cloudwatchRoleArn: 'arn:aws:iam::1:role/logs' });
    expect(await gatewayAccount.readLogRole('eu-central-1')).toBe('arn:aws:iam::1:role/logs');
    expect(sent.mock.calls).toEqual([
      [
        'https://apigateway.eu-central-1.amazonaws.com/account',
        expect.objectContaining({
          headers: expect.objectContaining({
            authorization: expect.stringContaining('/eu-central-1/apigateway/aws4_request'),
          }),
        }),
      ],
    ]);
  });

  test('is shown in a warning if the deployment will replace it', async () => {
    reply(200, { cloudwatchRoleArn: 'arn:aws:iam::1:role/logs' });
    expect(await warnings()).toEqual([
      'API Gateway writes the logs of all APIs in eu-central-1 with the role arn:aws:iam::1:role/logs. This deployment replaces it with a role of messaging-staging: see docs/first-deploy.md#the-log-role.',
    ]);
  });

  test('causes no warning if it is not set, or if it belongs to the stack', async () => {
    reply(200, { throttleSettings: {} });
    expect(await warnings()).toEqual([]);
    reply(200, { cloudwatchRoleArn: 'arn:aws:iam::1:role/messaging-staging-ApiRole-1' });
    expect(await warnings()).toEqual([]);
  });

  test('causes a warning if it cannot be read', async () => {
    reply(403, {});
    expect(await warnings()).toEqual([
      'This deployment replaces the role with which API Gateway writes logs. The current role could not be read: API Gateway returned status 403',
    ]);
  });
});
