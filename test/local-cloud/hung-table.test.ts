import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import type { OnTableCall } from '../../local-cloud/table/table-proxy.ts';
import { ErrorReply } from '../../shared/contract/errors.ts';
import { examples } from '../../shared/contract/examples.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { listMessages } from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';
import { type Sent, send } from '../acceptance/support/api.ts';
import {
  type ExampleCall,
  exampleCalls,
  toRequest,
} from '../support/fault-replay/example-calls.ts';
import { importExampleListing } from '../support/processes/import-example-listing.ts';
import { raiseTimeouts } from '../support/processes/raise-timeouts.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { thoroughDescribe } from '../support/setup/sample-size.ts';

const Created = v.object({ id: v.string() });
const withKey = ({ repeatable }: Operation, key: string) =>
  repeatable ? { headers: { 'Idempotency-Key': key } } : {};

async function summarize(response: Response) {
  const body: unknown = await response.json();
  if (response.ok) return { status: response.status };
  const { type, code } = v.parse(ErrorReply, body);
  return { status: response.status, type, code, retryAfter: response.headers.get('Retry-After') };
}
/**
 * Returns the expected outcome. Retrieving the attachment returns 409, because no file is uploaded.
 */
const successOf = ({ id, status }: Operation) =>
  id === 'attachments/retrieve'
    ? { status: 409, type: 'invalid_request', code: 'not_scanned', retryAfter: null }
    : { status };
/**
 * Timeouts of a table call in milliseconds and of a function in seconds. They are four times the
 * limits on AWS, because the table's server may pause for seconds on a busy machine.
 */
const limits = { table: 4000, function: 40 };
const retryableError = { status: 503, type: 'api_error', code: 'unavailable', retryAfter: '1' };

thoroughDescribe('While the table', () => {
  let cloud: Cloud;
  let fault: OnTableCall;
  const noFault: OnTableCall = () => undefined;

  beforeAll(async () => {
    fault = noFault;
    cloud = await startTestCloud({
      assembly: raiseTimeouts(await readAssembly(env('TEST_ASSEMBLY')), limits.function),
      variables: { SERVICE_TIMEOUT_MILLISECONDS: String(limits.table) },
      onTableCall: (call) => fault(call),
    });
    await importExampleListing(cloud);
    process.env.API_URL = cloud.url;
  });
  afterAll(() => cloud.stop());

  /** Starts a scenario with new users. `names` maps the examples' ids to the created ids. */
  function startScenario(number: number) {
    const names = new Map(['ann', 'bob'].map((name) => [`"${name}"`, `"${name}-${number}"`]));
    const sendRequest = async (as: string, row: Operation, sent: Sent) => {
      const id = `${as}-${number}`;
      return send({ id, token: await cloud.token(id) }, row, sent);
    };
    const play = ({ row, example }: ExampleCall, key: string) =>
      sendRequest(example.as, row, { ...toRequest({ row, example }, names), ...withKey(row, key) });
    return {
      play,
      sendRequest,
      run: async (callsToRun: readonly ExampleCall[]) => {
        const statuses: [string, number][] = [];
        for (const { row, example } of callsToRun) {
          const response = await play({ row, example }, row.id);
          const [expected, actual] = [example.reply, await response.json()].map((reply) =>
            v.safeParse(Created, reply),
          );
          const isNew = row.method === 'POST';
          if (isNew && expected?.success && actual?.success)
            names.set(expected.output.id, actual.output.id);
          statuses.push([row.id, response.status]);
        }
        return statuses;
      },
      names,
    };
  }

  const expectedStatuses = exampleCalls.map(({ row }) => [row.id, successOf(row).status]);

  test('does not reply, every operation returns a retryable error, and succeeds when the table replies again', async () => {
    const scenario = startScenario(0);
    fault = () => 'hang';
    const replies = await Promise.all(
      exampleCalls.map(async (exampleCall) => [
        exampleCall.row.id,
        await summarize(await scenario.play(exampleCall, 'hung')),
      ]),
    );
    fault = noFault;
    expect(replies).toEqual(exampleCalls.map(({ row }) => [row.id, retryableError]));
    expect(await scenario.run(exampleCalls)).toEqual(expectedStatuses);
  }, 1_200_000);

  test('replies late to every third call and does not reply to the others, each operation succeeds or returns a retryable error', async () => {
    const scenarios = exampleCalls.map((exampleCall, n) => ({
      exampleCall,
      n,
      scenario: startScenario(n + 1),
    }));
    for (const { n, scenario } of scenarios) await scenario.run(exampleCalls.slice(0, n));
    const [last] = scenarios.slice(-1);
    const message = last?.scenario.names.get(examples['messages/send'].reply.id) ?? '';

    const calls = new Map<string, number>();
    fault = async ({ functionId }) => {
      const count = (calls.get(functionId) ?? 0) + 1;
      calls.set(functionId, count);
      if (count % 3 > 0) return 'hang';
      await new Promise((resolve) => setTimeout(resolve, limits.table * 0.9));
      return undefined;
    };
    const replies = await Promise.all([
      ...scenarios.map(async ({ exampleCall, scenario }) => ({
        row: exampleCall.row,
        reply: await summarize(await scenario.play(exampleCall, 'slow')),
      })),
      // These requests make the most sequential table calls.
      ...(['starting_after', 'ending_before'] as const).map(async (parameter) => ({
        row: listMessages,
        reply: await summarize(
          await startScenario(last?.n ?? 0).sendRequest('ann', listMessages, {
            query: { [parameter]: message },
          }),
        ),
      })),
    ]);
    fault = noFault;

    for (const { row, reply } of replies) {
      expect([successOf(row), retryableError]).toContainEqual(reply);
    }
    expect(replies.map(({ reply }) => reply)).toContainEqual(retryableError);
    expect(replies.map(({ reply }) => reply)).toContainEqual({ status: 200 });
    expect(await startScenario(exampleCalls.length + 1).run(exampleCalls)).toEqual(
      expectedStatuses,
    );
  }, 1_200_000);
});
