import type { Operation } from '../../../shared/contract/operation.ts';
import { type Reply, request } from '../handlers/invoke-handler.ts';
import { sampleOf } from '../setup/sample-size.ts';
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
  right: Outcome;
  /** Outcome of repeating the request. */
  again: Outcome;
}

/** Recreates the scenario with new users. Returns them and a function that sends the request. */
type Begin = () => Promise<{ cast: Cast; ask: () => Promise<Reply> }>;

/**
 * Returns an operation's distinct code paths. Sends every variant of the example's request as Ann
 * and as Bob, in the state before the example's step and in the other distinct states. `npm test`
 * covers only a sample of the other states. Skips requests that fail.
 */
export async function createRequestScenarios(
  row: Operation,
  world: ScenarioWorld,
): Promise<RequestScenario[]> {
  const number = exampleCalls.findIndex((scene) => scene.row === row);
  const scene = exampleCalls[number];
  if (!scene) throw new Error(`The examples contain no call of '${row.id}'.`);
  const ways = new Map<string, RequestScenario>();
  const others = world.changes.filter((turn) => turn !== number);
  for (const moment of [number, ...sampleOf(others, 16)]) {
    for (const as of new Set([scene.example.as, 'ann', 'bob'] as const)) {
      for (const kind of getRequestVariants(row)) {
        const begin: Begin = async () => {
          const cast = newCast();
          await world.beginAt(world.moments[moment] ?? [], cast);
          world.at(((exampleCalls[moment - 1] ?? scene).example.at + 5) * 1000);
          const call = {
            as: cast[as],
            ...JSON.parse(cast.toCastText(JSON.stringify(toRequest(scene)))),
          };
          const headers = await kind.headersFor(call);
          const sent = kind.toCall?.(call) ?? call;
          return { cast, ask: () => request(row, { ...sent, headers }) };
        };
        const calls = await recordTableCalls(row, begin);
        const course = [kind.title, ...calls.map(({ operation }) => operation)].join(' ');
        if (calls.length === 0 || ways.has(course)) continue;
        const title = `by ${as} after ${exampleCalls[moment - 1]?.row.id ?? 'nothing'}${kind.title}`;
        ways.set(course, {
          title,
          begin,
          calls,
          ...(await runWithoutFaults(row, kind, begin, world)),
        });
      }
    }
  }
  return [...ways.values()];
}

/** Sends the request without faults and returns its table calls, or `[]` if it fails. */
async function recordTableCalls(row: Operation, begin: Begin): Promise<TableHttpCall[]> {
  const { ask } = await begin();
  let status = 0;
  const calls = await recordHttpCalls(async () => {
    ({ status } = await ask());
  });
  return status === row.status ? calls : [];
}

/**
 * Sends the request without faults. Returns the views before and after it, its outcome, and the
 * outcome of repeating it. With an Idempotency-Key, derives the second outcome from the contract.
 */
async function runWithoutFaults(
  row: Operation,
  { isOnce }: RequestVariant,
  begin: Begin,
  world: ScenarioWorld,
) {
  const { cast, ask } = await begin();
  const before = await world.look(cast);
  const reply = await ask();
  const after = await world.look(cast);
  const right = toOutcome(cast, reply, after);
  if (isOnce) {
    const replayed = { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } };
    return { before, after, right, again: toOutcome(cast, replayed, after) };
  }
  const repeated = await ask();
  if (row.method === 'DELETE' && repeated.status !== 404) {
    throw new Error(`${row.id} returned ${repeated.status} for a deleted resource.`);
  }
  return { before, after, right, again: toOutcome(cast, repeated, await world.look(cast)) };
}
