import * as v from 'valibot';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { Live } from '../../shared/contract/resources/live.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { createPerson, type Person } from './local-cloud.ts';

/** What it took to read all that has happened meanwhile. */
export interface CatchUp {
  events: number;
  pages: number;
  /** Of the table, and of capacity: what the function says of each page in its log. */
  calls: number;
  readUnits: number;
  /** From the first request to the last reply. */
  milliseconds: number;
}

const senders = 8;
const Page = v.looseObject({ has_more: v.boolean(), data: v.array(v.unknown()) });
const Used = v.object({
  operation: v.literal('events/list'),
  table_calls: v.number(),
  read_units: v.number(),
});

/** Somebody is away while so many messages are sent to them, comes back, and reads the feed by pages of 100; once for each number. */
export async function measureCatchUp(
  cloud: Cloud,
  counts: readonly number[],
  log: { lines: string[] },
): Promise<CatchUp[]> {
  const [ann, bob] = [await createPerson(cloud, 'ann'), await createPerson(cloud, 'bob')];
  const conversation = await ann.post('conversations', { contact_id: 'bob' });
  await ann.send(conversation, 'Hello');
  // The conversation and its first message are in the feed before anything is counted.
  await waitUntil(async () => (await readToEnd(bob)).place >= 2);
  // So that the function runs already: how long it starts is no matter of the feed.
  await readFrom(bob, (await readToEnd(bob)).cursor, log);
  const returns: CatchUp[] = [];
  for (const count of counts) {
    const { place, cursor } = await readToEnd(bob);
    let left = count;
    const each = Array.from({ length: senders }, async () => {
      for (; left > 0; ) {
        left -= 1;
        await ann.send(conversation, 'You were away, and this is what happened meanwhile.');
      }
    });
    await Promise.all(each);
    await waitUntil(async () => (await readToEnd(bob)).place >= place + count);
    returns.push(await readFrom(bob, cursor, log));
  }
  return returns;
}

async function readToEnd(person: Person) {
  const { channels, cursor } = v.parse(Live, await (await person.get('/v1/live')).json());
  return { place: channels[0]?.place ?? 0, cursor };
}

async function readFrom(
  person: Person,
  cursor: string,
  log: { lines: string[] },
): Promise<CatchUp> {
  let [events, pages] = [0, 0];
  log.lines = [];
  const start = performance.now();
  let next = `/v1/events?limit=100&starting_after=${cursor}`;
  for (let more = true; more; pages += 1) {
    const response = await person.get(next);
    const { has_more, data } = v.parse(Page, await response.json());
    events += data.length;
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    more = has_more;
  }
  const milliseconds = performance.now() - start;
  // A function may print its line after its reply.
  await waitUntil(() => used(log.lines).length >= pages);
  const sum = (of: (one: v.InferOutput<typeof Used>) => number) =>
    used(log.lines).reduce((total, one) => total + of(one), 0);
  return {
    events,
    pages,
    calls: sum(({ table_calls }) => table_calls),
    readUnits: sum(({ read_units }) => read_units),
    milliseconds,
  };
}

/** What the operation's own lines say; each begins with the function's name. */
const used = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    const json = v.safeParse(
      v.pipe(v.string(), v.parseJson(), Used),
      line.replace(/^\[\w+\] /, ''),
    );
    return json.success ? [json.output] : [];
  });
