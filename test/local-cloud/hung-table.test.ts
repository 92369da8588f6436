import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Cloud } from '../../local-cloud/cloud.ts';
import type { OnTableCall } from '../../local-cloud/table/table-proxy.ts';
import { ErrorReply } from '../../shared/contract/errors.ts';
import { examples } from '../../shared/contract/examples.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { listMessages } from '../../shared/contract/operations.ts';
import { type Sent, send } from '../acceptance/support/api.ts';
import {
  type ExampleCall,
  exampleCalls,
  toRequest,
} from '../support/fault-replay/example-calls.ts';
import { importExampleListing } from '../support/processes/import-example-listing.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { thoroughDescribe } from '../support/setup/sample-size.ts';

const Thing = v.object({ id: v.string() });
const withKey = ({ repeatable }: Operation, key: string) =>
  repeatable ? { headers: { 'Idempotency-Key': key } } : {};

/** Returns the status of a reply and, for an error, also the type, code and `Retry-After`. */
async function seen(response: Response) {
  const body: unknown = await response.json();
  if (response.ok) return { status: response.status };
  const { type, code } = v.parse(ErrorReply, body);
  return { status: response.status, type, code, retryAfter: response.headers.get('Retry-After') };
}
/**
 * Returns an operation's expected outcome when the table replies. Retrieving the attachment returns
 * 409, because no file is uploaded.
 */
const successOf = ({ id, status }: Operation) =>
  id === 'attachments/retrieve'
    ? { status: 409, type: 'invalid_request', code: 'not_scanned', retryAfter: null }
    : { status };
const comeAgain = { status: 503, type: 'api_error', code: 'unavailable', retryAfter: '1' };

thoroughDescribe('While the table', () => {
  let cloud: Cloud;
  let trouble: OnTableCall;
  const calm: OnTableCall = () => undefined;

  beforeAll(async () => {
    trouble = calm;
    cloud = await startTestCloud({
      onTableCall: (call) => trouble(call),
    });
    await importExampleListing(cloud);
    process.env.API_URL = cloud.url;
  });
  afterAll(() => cloud.stop());

  /** Starts a scenario with new users. `names` maps the examples' ids to the created ids. */
  function telling(number: number) {
    const names = new Map(['ann', 'bob'].map((name) => [`"${name}"`, `"${name}-${number}"`]));
    const ask = async (as: string, row: Operation, sent: Sent) => {
      const id = `${as}-${number}`;
      return send({ id, token: await cloud.token(id) }, row, sent);
    };
    const play = ({ row, example }: ExampleCall, key: string) =>
      ask(example.as, row, { ...toRequest({ row, example }, names), ...withKey(row, key) });
    return {
      play,
      ask,
      /** Runs the steps in order, adds the created ids to `names`, and returns the statuses. */
      tell: async (some: readonly ExampleCall[]) => {
        const statuses: [string, number][] = [];
        for (const { row, example } of some) {
          const response = await play({ row, example }, row.id);
          const [expected, made] = [example.reply, await response.json()].map((reply) =>
            v.safeParse(Thing, reply),
          );
          const isNew = row.method === 'POST';
          if (isNew && expected?.success && made?.success)
            names.set(expected.output.id, made.output.id);
          statuses.push([row.id, response.status]);
        }
        return statuses;
      },
      names,
    };
  }

  const whole = exampleCalls.map(({ row }) => [row.id, successOf(row).status]);

  test('does not reply, every operation returns a retryable error, and succeeds once the table replies again', async () => {
    const scenario = telling(0);
    trouble = () => 'hang';
    const replies = await Promise.all(
      exampleCalls.map(async (scene) => [
        scene.row.id,
        await seen(await scenario.play(scene, 'hung')),
      ]),
    );
    trouble = calm;
    expect(replies).toEqual(exampleCalls.map(({ row }) => [row.id, comeAgain]));
    expect(await scenario.tell(exampleCalls)).toEqual(whole);
  }, 180_000);

  test('replies only to every third call, after 900 ms, each operation succeeds or returns a retryable error', async () => {
    const scenarios = exampleCalls.map((scene, n) => ({ scene, n, story: telling(n + 1) }));
    for (const { n, story } of scenarios) await story.tell(exampleCalls.slice(0, n));
    const [last] = scenarios.slice(-1);
    const message = last?.story.names.get(examples['messages/send'].reply.id) ?? '';

    const calls = new Map<string, number>();
    trouble = async ({ functionId }) => {
      const count = (calls.get(functionId) ?? 0) + 1;
      calls.set(functionId, count);
      if (count % 3 > 0) return 'hang';
      await new Promise((resolve) => setTimeout(resolve, 900));
      return undefined;
    };
    const replies = await Promise.all([
      ...scenarios.map(async ({ scene, story }) => ({
        row: scene.row,
        reply: await seen(await story.play(scene, 'slow')),
      })),
      // These requests make the most sequential table calls.
      ...(['starting_after', 'ending_before'] as const).map(async (parameter) => ({
        row: listMessages,
        reply: await seen(
          await telling(last?.n ?? 0).ask('ann', listMessages, { query: { [parameter]: message } }),
        ),
      })),
    ]);
    trouble = calm;

    for (const { row, reply } of replies) {
      expect([successOf(row), comeAgain]).toContainEqual(reply);
    }
    expect(replies.map(({ reply }) => reply)).toContainEqual(comeAgain);
    expect(replies.map(({ reply }) => reply)).toContainEqual({ status: 200 });
    expect(await telling(exampleCalls.length + 1).tell(exampleCalls)).toEqual(whole);
  }, 180_000);
});
