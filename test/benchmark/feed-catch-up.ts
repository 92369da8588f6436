import * as v from 'valibot';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { Live } from '../../shared/contract/resources/live.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { createPerson, type Person } from './local-cloud.ts';

export interface CatchUp {
  events: number;
  pages: number;
  /** Table calls and capacity units from the function's request log. */
  calls: number;
  readUnits: number;
  /** Milliseconds from the first request to the last reply. */
  milliseconds: number;
}

const senders = 8;
const Page = v.looseObject({ has_more: v.boolean(), data: v.array(v.unknown()) });
const Used = v.object({
  operation: v.literal('events/list'),
  table_calls: v.number(),
  read_units: v.number(),
});

/**
 * Sends the given numbers of messages to an offline recipient, who then reads the feed in pages of
 * 100. Returns one result per number.
 */
export async function measureCatchUp(
  cloud: Cloud,
  counts: readonly number[],
  log: { lines: string[] },
): Promise<CatchUp[]> {
  const [ann, bob] = [await createPerson(cloud, 'ann'), await createPerson(cloud, 'bob')];
  const conversation = await ann.post('conversations', { contact_id: 'bob' });
  await ann.send(conversation, 'Hello');
  // Waits until the feed has the conversation and its first message.
  await waitUntil(async () => (await readToEnd(bob)).sequence >= 2);
  // Starts the function, so that its cold start is not measured.
  await readFrom(bob, (await readToEnd(bob)).cursor, log);
  const returns: CatchUp[] = [];
  for (const count of counts) {
    const { sequence, cursor } = await readToEnd(bob);
    let remaining = count;
    const each = Array.from({ length: senders }, async () => {
      for (; remaining > 0; ) {
        remaining -= 1;
        await ann.send(conversation, 'You were away, and this is what happened meanwhile.');
      }
    });
    await Promise.all(each);
    await waitUntil(async () => (await readToEnd(bob)).sequence >= sequence + count);
    returns.push(await readFrom(bob, cursor, log));
  }
  return returns;
}

async function readToEnd(person: Person) {
  const { channels, cursor } = v.parse(Live, await (await person.get('/v1/live')).json());
  return { sequence: channels[0]?.place ?? 0, cursor };
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
  // A function may print its log line after its reply.
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

/** Returns the usage in the log lines, which begin with the function's name. */
const used = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    const json = v.safeParse(
      v.pipe(v.string(), v.parseJson(), Used),
      line.replace(/^\[\w+\] /, ''),
    );
    return json.success ? [json.output] : [];
  });
