import { join } from 'node:path';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { synthesize } from '../../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../../local-cloud/cloud.ts';
import { random } from '../../../shared/ids.ts';
import { logOutput } from '../../../shared/log/log.ts';
import { createTransport } from '../../../shared/signing/transport.ts';
import { raiseTimeouts } from '../../support/processes/raise-timeouts.ts';
import type { AbuseRun } from './abuse-run.ts';
import { startIssuerKeys } from './issuer-keys.ts';
import { recordLogLine } from './request-usage.ts';
import { createSendCrashes } from './send-crashes.ts';

const dataDirectory = join(import.meta.dirname, '../../../.local/test');
const size = Number(process.env.ABUSE_SIZE ?? 1);

/** Starts a local cloud for the scenarios and connects this process to its table. */
export async function startAbuse(): Promise<{ abuse: AbuseRun; stop(): Promise<void> }> {
  const crashes = createSendCrashes();
  const keys = await startIssuerKeys(dataDirectory);
  const cloud = await startCloud({
    port: 0,
    dataDirectory,
    // The scenarios compare durations with each other, not with a limit.
    assembly: raiseTimeouts(await synthesize('dev', join(dataDirectory, 'synthesis'))),
    inMemory: true,
    onTableCall: crashes.onTableCall,
    keysUrl: keys.url,
    log: recordLogLine,
  });
  await useTableOf(cloud);
  useSequentialIds();
  process.env.API_URL = cloud.url;
  let people = 0;
  return {
    abuse: {
      createParticipant: async (name, claims = {}) => {
        people += 1;
        const id = `${name}-${people}`;
        const caller = {
          id,
          groups: claims.groups ?? [],
          tokenExpiresAt: 4_000_000_000,
          username: claims.username ?? null,
          phone_number: claims.phone_number ?? null,
          avatar_url: claims.picture ?? null,
        };
        return { id, token: await cloud.token(id, claims), caller };
      },
      scale: (count) => Math.max(1, Math.round(count * size)),
      crashes,
      keys,
    },
    stop: async () => {
      await cloud.stop();
      await keys.stop();
    },
  };
}

/** Makes `random.oneIn(n)` return true on every nth call, so that seeding is reproducible. */
function useSequentialIds(): void {
  let drawn = 0;
  random.oneIn = (calls) => {
    drawn += 1;
    return drawn % calls === 0;
  };
}

/**
 * Timeout of this process's table calls. The timeout is long, because the calls seed data and are
 * not measured.
 */
const patienceMilliseconds = 60_000;

/**
 * Sets the functions' environment variables in this process, with the endpoint of DynamoDB Local,
 * which checks no permissions.
 */
async function useTableOf({ tableEndpoint, tableName }: Cloud): Promise<void> {
  const { endpoint, region, credentials } = toLocalServiceConfig(tableEndpoint);
  Object.assign(process.env, {
    ALLOWED_ORIGINS: '*',
    METRICS_NAMESPACE: 'messaging-test',
    TABLE_NAME: tableName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials?.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
  });
  logOutput.print = () => {};
  const { client } = await import('../../../shared/table/calls/table-client.ts');
  client.transport = createTransport({
    maxConnections: 50,
    maxIdleMilliseconds: patienceMilliseconds,
  });
}
