import * as v from 'valibot';
import { Event } from '../../../shared/contract/resources/event.ts';
import { Live } from '../../../shared/contract/resources/live.ts';
import { connectListener, type Listener } from './push-listener.ts';

const Page = v.looseObject({ has_more: v.boolean(), data: v.array(Event) });

/**
 * A client written from docs/live.md, with shorter pauses: it receives pushes, and reads the feed
 * if there is a gap.
 */
export interface LiveReader {
  /** State of each resource by id: the highest version, or deleted. */
  known: ReadonlyMap<string, Event>;
  /** Number of events that arrived as pushes before they were read from the feed. */
  heard(): number;
  /** Number of feed reads because of gaps. */
  repaired(): number;
  /** Reads the feed to its end. */
  catchUp(): Promise<void>;
  /** The current connection. */
  socket(): Listener;
  connect(): Promise<void>;
  close(): void;
}

/** Milliseconds to wait for missing pushes. */
const repairDelayMilliseconds = 200;

export async function startLiveReader(api: string, token: string): Promise<LiveReader> {
  const headers = { Authorization: `Bearer ${token}` };
  const get = (address: string) => fetch(address, { headers });
  const ask = async () => v.parse(Live, await (await get(`${api}/v1/live`)).json());

  const first = await ask();
  const sequences = new Map(first.channels.map(({ feed, place }) => [feed, place]));
  const known = new Map<string, Event>();
  let next = `${api}/v1/events?limit=100&starting_after=${first.cursor}`;
  let [heard, repaired] = [0, 0];
  let socket: Listener | undefined;
  let reading: Promise<void> = Promise.resolve();
  let gap: NodeJS.Timeout | undefined;

  const apply = (event: Event) => {
    const { payload, version } = event;
    if (!payload) return;
    const had = known.get(payload.id);
    const isDeleted = had?.payload && 'deleted' in had.payload;
    if (!isDeleted && (!had || had.version <= version || 'deleted' in payload)) {
      known.set(payload.id, event);
    }
  };

  const readOn = async () => {
    for (let more = true; more; ) {
      const response = await get(next);
      const page = v.parse(Page, await response.json());
      for (const event of page.data) {
        sequences.set(event.feed, Math.max(sequences.get(event.feed) ?? 0, event.place));
        apply(event);
      }
      const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      if (!link) throw new Error('A feed always says how to go on.');
      next = new URL(link, api).href;
      more = page.has_more;
    }
  };
  /** One read at a time. */
  const catchUp = () => {
    reading = reading.then(readOn);
    return reading;
  };

  const repair = () => {
    gap ??= setTimeout(() => {
      gap = undefined;
      repaired += 1;
      catchUp().catch(() => {});
    }, repairDelayMilliseconds);
  };

  const hear = (event: Event) => {
    const sequence = sequences.get(event.feed) ?? 0;
    if (event.place <= sequence) return;
    if (event.place > sequence + 1 || event.payload === null) {
      repair();
      return;
    }
    heard += 1;
    sequences.set(event.feed, event.place);
    apply(event);
  };

  const connect = async () => {
    const { url, host, channels } = await ask();
    const one = await connectListener({ url, host }, token, (event) => hear(v.parse(Event, event)));
    socket = one;
    one.say({ type: 'connection_init' });
    await one.heard('connection_ack');
    for (const [n, { name }] of channels.entries()) {
      const answer = await one.subscribe(`s${n}`, name);
      if (answer.type !== 'subscribe_success') throw new Error(JSON.stringify(answer));
    }
    await catchUp();
  };
  await connect();

  return {
    known,
    heard: () => heard,
    repaired: () => repaired,
    catchUp,
    socket: () => {
      if (!socket) throw new Error('It was never connected.');
      return socket;
    },
    connect,
    close: () => {
      clearTimeout(gap);
      socket?.close();
    },
  };
}
