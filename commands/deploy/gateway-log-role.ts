import { LambdaClient } from '@aws-sdk/client-lambda';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as v from 'valibot';
import { toErrorMessage } from '../../lib/problem.ts';

const Account = v.object({ cloudwatchRoleArn: v.nullish(v.string()) });
const timeoutMilliseconds = 5000;

/** API Gateway's settings for the account and region; tests replace `readLogRole`. */
export const gatewayAccount = {
  /** Returns the ARN of the role with which API Gateway writes logs; undefined if none is set. */
  readLogRole: async (region: string): Promise<string | undefined> => {
    const hostname = `apigateway.${region}.amazonaws.com`;
    const signer = new SignatureV4({
      service: 'apigateway',
      region,
      credentials: await new LambdaClient().config.credentials(),
      sha256: Sha256,
    });
    const { headers } = await signer.sign({
      method: 'GET',
      protocol: 'https:',
      hostname,
      path: '/account',
      headers: { host: hostname, accept: 'application/json' },
    });
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const response = await fetch(`https://${hostname}/account`, { headers, signal });
    if (!response.ok) throw new Error(`API Gateway returned status ${response.status}`);
    return v.parse(Account, await response.json()).cloudwatchRoleArn ?? undefined;
  },
};

/**
 * Returns a warning if the first deployment of a stage would replace API Gateway's log role, or if
 * that role cannot be read. All APIs in the account and region share the role.
 */
export async function getLogRoleWarnings(region: string, stackName: string): Promise<string[]> {
  try {
    const role = await gatewayAccount.readLogRole(region);
    if (role === undefined || role.includes(`:role/${stackName}-`)) return [];
    return [
      `API Gateway writes the logs of all APIs in ${region} with the role ${role}. This deployment replaces it with a role of ${stackName}: see docs/first-deploy.md#the-log-role.`,
    ];
  } catch (error) {
    return [
      `This deployment replaces the role with which API Gateway writes logs. The current role could not be read: ${toErrorMessage(error)}`,
    ];
  }
}
