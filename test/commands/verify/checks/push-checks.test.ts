import { createServer } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { pushChecks } from '../../../../commands/verify/checks/push-checks.ts';
import { runCheck } from '../../../../commands/verify/target/check.ts';
import { getStage } from '../../../../lib/stages.ts';
import { listen } from '../../../../local-cloud/listen.ts';
import { type PushServer, startPushServer } from '../../../../local-cloud/push/push-server.ts';
import { examples } from '../../../../shared/contract/examples.ts';

const arn = 'arn:aws:appsync:us-east-1:000000000000:apis/abc';
const api = {
  id: 'abc',
  arn,
  authorizer: 'authorizer',
  tokenForm: /^/,
  namespaces: new Set(['inbox']),
};
const user = { id: 'x', token: 'x.y.z' };

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Runs the check with a push server that authorizes only the given operations. */
async function check(allowed: readonly string[], events = true) {
  const push: PushServer = await startPushServer({
    createApi: api,
    callers: new Map(),
    invoke: async (_, input) => {
      const isAuthorized = allowed.some((operation) => JSON.stringify(input).includes(operation));
      return { ok: true, reply: JSON.stringify({ isAuthorized }) };
    },
  });
  const live = {
    ...examples['live/retrieve'].reply,
    url: push.variables.LIVE_URL,
    host: push.host,
  };
  const server = createServer((_, response) => response.end(JSON.stringify(live)));
  const { port, close } = await listen(server, 0);
  stops.push(close, () => push.stop());
  const [pushCheck] = pushChecks({
    kind: 'address',
    name: 'test',
    url: `http://127.0.0.1:${port}`,
    stage: { ...getStage('dev'), events },
    users: { all: { ANN: user, BOB: user, CAROL: user } },
  });
  if (!pushCheck) throw new Error('There is no check.');
  return runCheck(pushCheck);
}

test('If the connection is refused, the push check fails, and its remedy names the scheme and the files to change', async () => {
  expect(await check([])).toMatchObject({
    state: 'failed',
    seen: expect.stringMatching(/"connection_error".* instead of connection_ack$/),
    cure: expect.stringContaining(
      'replace the scheme `Token` with one that AppSync accepts, in client/src/live/connection',
    ),
  });
});

test('A refused subscription fails the push check', async () => {
  expect(await check(['EVENT_CONNECT'])).toMatchObject({
    state: 'failed',
    seen: expect.stringMatching(/"subscribe_error".* instead of subscribe_success$/),
  });
});

test('On a stage without events, the push check has the state `not checkable`', async () => {
  expect(await check([], false)).toMatchObject({ state: 'not checkable' });
});
