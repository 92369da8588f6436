import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { clock, toSeconds } from '../shared/clock.ts';
import { ErrorReply } from '../shared/contract/errors.ts';
import { env } from '../shared/env.ts';
import { reportCreatedAt } from '../shared/ids.ts';
import { log } from '../shared/log/log.ts';
import { withMetrics } from '../shared/log/metrics.ts';
import { findReports } from '../shared/table/reports/query-reports.ts';

/**
 * Time limit of the request: longer than a cold start of the authorizer plus a fetch of the
 * issuer's keys.
 */
const timeoutMilliseconds = 8000;

/**
 * Probes the API, then logs the age of the oldest open report. Throws if the probe or the
 * measurement fails.
 */
export async function handler(): Promise<void> {
  await probeApi();
  await measureOpenReports();
}

/** Logs the age of the oldest open report, for an alarm. */
async function measureOpenReports(): Promise<void> {
  const startedAt = performance.now();
  const [oldest] = await findReports({ isOpen: true, oldestFirst: true, count: 1 });
  const facts = {
    operation: 'probe',
    milliseconds: Math.round(performance.now() - startedAt),
    open_report_seconds: oldest ? toSeconds(clock.now() - reportCreatedAt(oldest.id)) : 0,
  };
  log({ level: 'INFO', ...withMetrics(facts) });
}

/**
 * Throws unless the API rejects a token with an unknown key. The rejection involves every component
 * from the gateway to the issuer's keys.
 */
async function probeApi(): Promise<void> {
  const url = `${env('API_URL').replace(/\/$/, '')}/v1/business?limit=1`;
  const startedAt = performance.now();
  const response = await fetch(url, {
    headers: { Authorization: `Bearer ${createUnknownToken()}` },
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  const requestId = response.headers.get('Request-Id');
  const facts = { operation: 'probe', status: response.status, request_id: requestId };
  log({ level: 'INFO', ...facts, milliseconds: Math.round(performance.now() - startedAt) });
  const reply = v.safeParse(ErrorReply, await response.json());
  const isExpectedReply =
    response.status === 401 &&
    reply.success &&
    reply.output.code === 'token_invalid' &&
    reply.output.request_id === requestId &&
    /^Bearer\b/.test(response.headers.get('WWW-Authenticate') ?? '');
  if (!isExpectedReply)
    throw new Error(
      `The API returned an unexpected reply to an invalid token: status ${response.status}.`,
    );
}

/**
 * Returns a token like the issuer's, but with an invalid signature. Each token is new, because the
 * gateway caches decisions. The token's key is unknown, which makes the authorizer fetch the keys.
 */
function createUnknownToken(): string {
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const head = part({ alg: 'RS256', typ: 'JWT', kid: randomUUID() });
  const claims = part({
    iss: env('TOKEN_ISSUER'),
    aud: env('TOKEN_AUDIENCE'),
    sub: 'probe',
    jti: randomUUID(),
    iat: now,
    exp: now + 60,
  });
  return `${head}.${claims}.${Buffer.alloc(256, 1).toString('base64url')}`;
}
