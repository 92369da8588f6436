import type { Operation } from '../../../shared/contract/operation.ts';
import { type Reply, request } from '../handlers/invoke-handler.ts';
import { takeSample } from '../setup/sample-size.ts';
import { recordHttpCalls, type TableHttpCall } from '../table/http-hooks.ts';
import { type Cast, newCast } from './cast.ts';
import { exampleCalls, toRequest } from './example-calls.ts';
import { type Outcome, toOutcome } from './outcome.ts';
import { getRequestVariants, type RequestVariant } from './request-variants.ts';
import type { ScenarioWorld, View } from './scenario-world.ts';

/** A code path of an operation, identified by the request variant and the table calls. */
export interface RequestScenario {
  title: string;
  begin: Begin;
  calls: readonly TableHttpCall[];
  before: View;
  after: View;
  /** Outcome without faults. */
  expectedOutcome: Outcome;
  /** Outcome of repeating the request. */
  repeatedOutcome: Outcome;
}

/**
 * Recreates the scenario with new users. Returns the users and a function that sends the request.
 */
type Begin = () => Promise<{ cast: Cast; sendRequest: () => Promise<Reply> }>;

/**
 * Returns an operation's distinct code paths. Sends every variant of the example's request as Ann
 * and as Bob, in the state before the example's step and in other states. Skips requests that fail.
 */
export async function createRequestScenarios(
  row: Operation,
  world: ScenarioWorld,
): Promise<RequestScenario[]> {
  const number = exampleCalls.findIndex((exampleCall) => exampleCall.row === row);
  const exampleCall = exampleCalls[number];
  if (!exampleCall) throw new Error(`The examples contain no call of '${row.id}'.`);
  const scenarios = new Map<string, RequestScenario>();
  const others = world.changes.filter((index) => index !== number);
  for (const snapshotIndex of [number, ...takeSample(others, 16)]) {
    for (const as of new Set([exampleCall.example.as, 'ann', 'bob'] as const)) {
      for (const kind of getRequestVariants(row)) {
        const begin: Begin = async () => {
          const cast = newCast();
          await world.beginAt(world.snapshots[snapshotIndex] ?? [], cast);
          world.at(((exampleCalls[snapshotIndex - 1] ?? exampleCall).example.at + 5) * 1000);
          const call = {
            as: cast[as],
            ...JSON.parse(cast.toCastText(JSON.stringify(toRequest(exampleCall)))),
          };
          const headers = await kind.headersFor(call);
          const sent = kind.toCall?.(call) ?? call;
          return { cast, sendRequest: () => request(row, { ...sent, headers }) };
        };
        const calls = await recordTableCalls(row, begin);
        const codePath = [kind.title, ...calls.map(({ operation }) => operation)].join(' ');
        if (calls.length === 0 || scenarios.has(codePath)) continue;
        const title = `by ${as} after ${exampleCalls[snapshotIndex - 1]?.row.id ?? 'nothing'}${kind.title}`;
        scenarios.set(codePath, {
          title,
          begin,
          calls,
          ...(await runWithoutFaults(row, kind, begin, world)),
        });
      }
    }
  }
  return [...scenarios.values()];
}

/** Sends the request without faults and returns its table calls, or `[]` if it fails. */
async function recordTableCalls(row: Operation, begin: Begin): Promise<TableHttpCall[]> {
  const { sendRequest } = await begin();
  let status = 0;
  const calls = await recordHttpCalls(async () => {
    ({ status } = await sendRequest());
  });
  return status === row.status ? calls : [];
}

/**
 * Runs the request without faults, then repeats it. If the request has an Idempotency-Key, derives
 * the second outcome from the contract instead of repeating the request.
 */
async function runWithoutFaults(
  row: Operation,
  { isOnce }: RequestVariant,
  begin: Begin,
  world: ScenarioWorld,
) {
  const { cast, sendRequest } = await begin();
  const before = await world.getView(cast);
  const reply = await sendRequest();
  const after = await world.getView(cast);
  const expectedOutcome = toOutcome(cast, reply, after);
  if (isOnce) {
    const replayed = { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } };
    return { before, after, expectedOutcome, repeatedOutcome: toOutcome(cast, replayed, after) };
  }
  const repeated = await sendRequest();
  if (row.method === 'DELETE' && repeated.status !== 404) {
    throw new Error(`${row.id} returned ${repeated.status} for a deleted resource.`);
  }
  return {
    before,
    after,
    expectedOutcome,
    repeatedOutcome: toOutcome(cast, repeated, await world.getView(cast)),
  };
}
