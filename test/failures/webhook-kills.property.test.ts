import { expect, test } from '@jest/globals';
import type { BusEvent } from '../../shared/bus-event.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { interceptCalls } from '../support/table/call-hooks.ts';
import {
  addEndpoint,
  aws,
  getDeadLetters,
  invoke,
  type Received,
  removeEndpoints,
  sendMessage,
  startEndpoint,
  time,
} from '../support/workers/webhook-sender.ts';
import '../support/setup/use-table.ts';

const numRuns = selectSize(12, 150);

/** Milliseconds after which SQS redelivers a message that a killed function had received. */
const visibilityTimeout = 180_000;

/**
 * Statuses of an endpoint's first replies. If a status is `undefined`, the endpoint closes the
 * connection instead.
 */
const badReplies = fc.array(fc.constantFrom(500, 503, 302, undefined), { maxLength: 30 });
const plans = fc.record({
  endpoints: fc.array(fc.record({ badReplies, isGone: fc.boolean(), wasFast: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
  /** Number of times that the bus sends each event. */
  events: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 1, maxLength: 6 }),
  /**
   * Faults, each with the number of the call that it affects, counted from 1. After a kill, all
   * later calls of the invocation fail too.
   */
  faults: fc.array(
    fc.tuple(
      fc.integer({ min: 1, max: 150 }),
      fc.constantFrom('refused' as const, 'lost' as const, 'killed' as const),
    ),
    { maxLength: 25 },
  ),
});

type Plan = typeof plans extends fc.Arbitrary<infer One> ? One : never;
type Fault = 'refused' | 'lost' | 'killed';

/** Fails the planned calls until `stop` is called. */
function failCalls(faults: ReadonlyMap<number, Fault>) {
  let calls = 0;
  const state = { isKilled: false, kills: 0, stop: () => {} };
  const getFate = () => {
    calls += 1;
    const fault = faults.get(calls);
    if (fault === 'killed') {
      state.isKilled = true;
      state.kills += 1;
    }
    return state.isKilled || fault === 'killed' ? 'refused' : (fault ?? 'ok');
  };
  const stopFailingTable = interceptCalls(async (_, proceed) => {
    const fate = getFate();
    if (fate !== 'refused') await proceed();
    if (fate !== 'ok') throw new Error('This call fails.');
  });
  aws.getOutcome = getFate;
  state.stop = () => {
    stopFailingTable();
    aws.getOutcome = () => 'ok';
  };
  return state;
}

async function startPlanned({ badReplies, isGone, wasFast }: Plan['endpoints'][number]) {
  const accepted: Received[] = [];
  const endpoint = await startEndpoint((attempt) => {
    if (attempt <= badReplies.length) return badReplies[attempt - 1];
    if (isGone) return 410;
    accepted.push(endpoint.received.at(-1) ?? { headers: {}, body: '' });
    return 200;
  });
  return {
    accepted,
    ...(await addEndpoint(endpoint.url, { slow_attempts: wasFast ? 0 : 3 })),
  };
}

/** Delivers queued messages to the sender, as SQS does, until the queues are empty. */
async function serveQueues(state: { isKilled: boolean }): Promise<void> {
  for (;;) {
    const queued = aws.messages.filter(({ queue }) => queue !== 'letters');
    if (queued.length === 0) return;
    time.now = Math.max(time.now, Math.min(...queued.map(({ visibleAt }) => visibleAt)));
    const received = queued.filter(({ visibleAt }) => visibleAt <= time.now).slice(0, 10);
    for (const message of received) message.visibleAt = time.now + visibilityTimeout;
    state.isKilled = false;
    const failed = await invoke(received.map(({ body }) => body)).catch(() => undefined);
    if (state.isKilled || failed === undefined) continue;
    aws.messages = aws.messages.filter(
      (one) => !received.includes(one) || failed.includes(received.indexOf(one)),
    );
  }
}

test('Each event reaches each endpoint or becomes a dead letter, even if calls fail and the webhook sender is killed', async () => {
  const sent: BusEvent[] = [];
  for (let n = 0; n < 6; n++) sent.push((await sendMessage()).event);
  const seen = { kills: 0, letters: 0, repeats: 0 };
  await fc.assert(
    fc.asyncProperty(plans, async ({ endpoints, events, faults }) => {
      aws.messages = [];
      await removeEndpoints();
      const started = await Promise.all(endpoints.map(startPlanned));
      const state = failCalls(new Map(faults));
      const published = events.map((times, n) => ({ ...sent[n], id: `event${n}`, times }));
      for (const { times, ...detail } of published) {
        const body = JSON.stringify({ detail });
        const message = { queue: 'fast', body, visibleAt: time.now, group: 'bus' };
        for (let n = 0; n < times; n++) aws.messages.push({ ...message });
      }
      await serveQueues(state);
      state.stop();
      const letters = getDeadLetters().map((one) => JSON.parse(one));
      for (const { id, accepted } of started) {
        const arrived = accepted.map(({ headers }) => headers['webhook-id']);
        const deadIds = letters
          .filter(({ endpoint_id }) => endpoint_id === id)
          .map(({ event }) => event.id);
        expect(new Set([...arrived, ...deadIds])).toEqual(new Set(published.map((one) => one.id)));
        seen.letters += deadIds.length;
        seen.repeats += arrived.length - new Set(arrived).size;
      }
      seen.kills += state.kills;
    }),
    { numRuns },
  );
  // Checks that the plans caused kills, dead letters and repeated deliveries.
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
}, 600_000);
