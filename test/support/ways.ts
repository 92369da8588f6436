import type { Operation } from '../../shared/contract/operation.ts';
import { type Cast, newCast } from './cast.ts';
import { type Reply, request } from './handlers.ts';
import { type Kind, kindsOf } from './kinds.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { askedIn, scenes } from './story.ts';
import { callsOf, type WireCall } from './wire.ts';
import type { Sight, World } from './world.ts';

/** A way in which an operation goes about it, in the order of its calls of the table. */
export interface Way {
  title: string;
  begin: Begin;
  calls: readonly WireCall[];
  before: Sight;
  after: Sight;
  /** Of the request. */
  right: Outcome;
  /** Of the same request once more. */
  again: Outcome;
}

/** Makes everything as it is before, for people of their own, and gives what makes the request. */
type Begin = () => Promise<{ cast: Cast; ask: () => Promise<Reply> }>;

/**
 * All the ways of an operation, each met once: the example's request, made by either of the two at any moment of the
 * story when it succeeds, as it is and with the headers that the row knows.
 */
export async function waysOf(row: Operation, world: World): Promise<Way[]> {
  const number = scenes.findIndex((scene) => scene.row === row);
  const scene = scenes[number];
  if (!scene) throw new Error(`The story has no scene for '${row.id}'.`);
  const ways = new Map<string, Way>();
  for (const moment of [number, ...world.turns.filter((turn) => turn !== number)]) {
    for (const as of new Set([scene.example.as, 'ann', 'bob'] as const)) {
      for (const kind of kindsOf(row)) {
        const begin: Begin = async () => {
          const cast = newCast();
          await world.beginAt(world.moments[moment] ?? [], cast);
          world.at(((scenes[moment - 1] ?? scene).example.at + 5) * 1000);
          const call = { as: cast[as], ...JSON.parse(cast.said(JSON.stringify(askedIn(scene)))) };
          const headers = await kind.headersFor(call);
          return { cast, ask: () => request(row, { ...call, headers }) };
        };
        const calls = await callsWhenRight(row, begin);
        const course = [kind.title, ...calls.map(({ operation }) => operation)].join(' ');
        if (calls.length === 0 || ways.has(course)) continue;
        const title = `by ${as} after ${scenes[moment - 1]?.row.id ?? 'nothing'}${kind.title}`;
        ways.set(course, { title, begin, calls, ...(await asItShouldBe(row, kind, begin, world)) });
      }
    }
  }
  return [...ways.values()];
}

/** The calls of the table when all goes well; none if the request is refused. */
async function callsWhenRight(row: Operation, begin: Begin): Promise<WireCall[]> {
  const { ask } = await begin();
  let status = 0;
  const calls = await callsOf(async () => {
    ({ status } = await ask());
  });
  return status === row.status ? calls : [];
}

/** What comes of it without any fault; of the second time what the contract says, where it does. */
async function asItShouldBe(row: Operation, { isOnce }: Kind, begin: Begin, world: World) {
  const { cast, ask } = await begin();
  const before = await world.look(cast);
  const reply = await ask();
  const after = await world.look(cast);
  const right = outcomeOf(cast, reply, after);
  if (isOnce) {
    const replayed = { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } };
    return { before, after, right, again: outcomeOf(cast, replayed, after) };
  }
  const repeated = await ask();
  if (row.method === 'DELETE' && repeated.status !== 404) {
    throw new Error(`${row.id} answers ${repeated.status} for what is gone.`);
  }
  return { before, after, right, again: outcomeOf(cast, repeated, await world.look(cast)) };
}
