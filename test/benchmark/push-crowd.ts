import * as v from 'valibot';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { Event } from '../../shared/contract/resources/event.ts';
import { Live } from '../../shared/contract/resources/live.ts';
import { connectListener } from '../support/processes/push-listener.ts';
import { createPerson } from './local-cloud.ts';

/** A sender, and group members who each listen on one WebSocket. */
export interface Crowd {
  listeners: number;
  /**
   * Latency in milliseconds of each send, from request to reply, and of each push, from the send's
   * reply to the push's arrival at a listener.
   */
  times: { sends: number[]; pushes: number[] };
  /** Number of pushes that did not arrive within five seconds. */
  missing(): number;
  /** Sends a message, and waits up to five seconds until all listeners have received it. */
  send(): Promise<void>;
  close(): void;
}

const patience = 5000;

export async function gatherCrowd(
  cloud: Cloud,
  listeners: number,
  group = `crowd-${listeners}`,
): Promise<Crowd> {
  const sender = await createPerson(cloud, 'sender', [group]);
  const conversation = await sender.post('conversations', { group_id: group });
  const times: Crowd['times'] = { sends: [], pushes: [] };
  /**
   * First arrival times by message id and listener. At the turn of the hour, a push may arrive
   * twice.
   */
  const receiptTimes = new Map<string, Map<number, number>>();
  let all = Promise.withResolvers<void>();
  let sent: string | undefined;
  let missing = 0;

  const record = (listener: number, event: unknown) => {
    const at = performance.now();
    const { type, payload } = v.parse(Event, event);
    if (type !== 'message.created' || !payload) return;
    const by = receiptTimes.get(payload.id) ?? new Map<number, number>();
    receiptTimes.set(payload.id, by);
    if (!by.has(listener)) by.set(listener, at);
    if (payload.id === sent && by.size === listeners) all.resolve();
  };
  const sockets = await Promise.all(
    Array.from({ length: listeners }, async (_, n) => {
      const person = await createPerson(cloud, `${group}-${n}`, [group]);
      return subscribeToAll(person, (event) => record(n, event));
    }),
  );

  return {
    listeners,
    times,
    missing: () => missing,
    send: async () => {
      all = Promise.withResolvers();
      sent = undefined;
      const start = performance.now();
      const id = await sender.send(conversation, 'Hello to all');
      const replied = performance.now();
      times.sends.push(replied - start);
      sent = id;
      const timeout = setTimeout(all.resolve, patience);
      if (receiptTimes.get(id)?.size !== listeners) await all.promise;
      clearTimeout(timeout);
      const arrivals = [...(receiptTimes.get(id)?.values() ?? [])];
      times.pushes.push(...arrivals.map((at) => Math.max(0, at - replied)));
      missing += listeners - arrivals.length;
      receiptTimes.delete(id);
    },
    close: () => {
      for (const socket of sockets) socket.close();
    },
  };
}

async function subscribeToAll(
  person: Awaited<ReturnType<typeof createPerson>>,
  onEvent: (event: unknown) => void,
) {
  const live = v.parse(Live, await (await person.get('/v1/live')).json());
  const socket = await connectListener(live, person.token, onEvent);
  socket.send({ type: 'connection_init' });
  await socket.waitForFrame('connection_ack');
  for (const [n, { name }] of live.channels.entries()) {
    const { type } = await socket.subscribe(`s${n}`, name);
    if (type !== 'subscribe_success')
      throw new Error(`The subscription to ${name} returned ${type}.`);
  }
  return socket;
}
