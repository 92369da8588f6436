import { describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { BusEvent } from '../../shared/bus-event.ts';
import { deleteMessage } from '../../shared/contract/operations.ts';
import { messageLimits } from '../../shared/contract/schema/message-limits.ts';
import type { EndpointItem } from '../../shared/table/webhooks/endpoint-item.ts';
import { disableEndpoint, enableEndpoint } from '../../shared/table/webhooks/endpoint-state.ts';
import { newSecret } from '../../shared/webhooks/signature.ts';
import { edit } from '../support/handlers/api-calls.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import { makeGroup, removeGroup } from '../support/handlers/group-calls.ts';
import { ok } from '../support/handlers/invoke-handler.ts';
import { createTrio } from '../support/people/callers.ts';
import {
  addEndpoint,
  aws,
  getDeadLetters,
  getEndpoint,
  invoke,
  run,
  secretText,
  sendMessage,
  startEndpoint,
  time,
} from '../support/workers/webhook-sender.ts';
import '../support/setup/use-table.ts';

const day = 86_400;
const stateOf = async (id: string) => (await getEndpoint(id))?.state;

describe('The webhook sender', () => {
  test('delivers the whole resource, with a signature that the standardwebhooks library verifies', async () => {
    const endpoint = await startEndpoint(() => 200);
    const { secret } = await addEndpoint(endpoint.url);
    const { event } = await sendMessage();
    jest.spyOn(Date, 'now').mockImplementation(() => time.now);
    await run(0, event);
    const [one] = endpoint.received;
    if (!one) throw new Error('Nothing was received.');
    expect(new Webhook(secret).verify(one.body, one.headers as Record<string, string>)).toEqual({
      ...{ id: event.id, type: 'message.created', version: 1 },
      timestamp: new Date(time.now).toISOString(),
      payload: expect.objectContaining({ id: event.message_id, message: secretText }),
    });
    expect([aws.messages, endpoint.received.length]).toEqual([[], 1]);
  });

  test('retries with an identical body for three days, even if the message is deleted, and then stores the event without content as a dead letter', async () => {
    const endpoint = await startEndpoint(() => 500);
    const { id } = await addEndpoint(endpoint.url);
    const { event, cleo, message_id } = await sendMessage();
    await run(0, event);
    await ok(deleteMessage, { as: cleo, path: { message_id } });
    await run(3 * day + 3600);
    expect(endpoint.received.length).toBeGreaterThanOrEqual(10);
    expect(new Set(endpoint.received.map(({ body }) => body)).size).toBe(1);
    expect(aws.messages.filter(({ queue }) => queue !== 'letters')).toEqual([]);
    expect(getDeadLetters().map((one) => JSON.parse(one))).toEqual([
      { endpoint_id: id, event, reason: 'returned 500' },
    ]);
  });

  test('retries after 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours and 10 hours, then every 12 hours', async () => {
    const times: number[] = [];
    const endpoint = await startEndpoint(() => {
      times.push(time.now);
      return 503;
    });
    await addEndpoint(endpoint.url);
    await run(3 * day + 3600, (await sendMessage()).event);
    const delays = times.slice(1).map((one, n) => (one - (times[n] ?? 0)) / 1000);
    const usual = [5, 300, 1800, 7200, 18_000, 36_000, 43_200, 43_200, 43_200, 43_200];
    for (const [n, delay] of delays.entries()) {
      expect(Math.abs(delay - (usual[n] ?? 0))).toBeLessThanOrEqual((usual[n] ?? 0) * 0.1 + 1);
    }
    expect(delays.length).toBeGreaterThanOrEqual(9);
  });

  test('waits the number of seconds in Retry-After', async () => {
    const times: number[] = [];
    const endpoint = await startEndpoint((attempt) => {
      times.push(time.now);
      return attempt === 1 ? 429 : 200;
    }, '2000');
    await addEndpoint(endpoint.url);
    await run(day, (await sendMessage()).event);
    expect(times.map((one) => (one - (times[0] ?? 0)) / 1000)).toEqual([0, 2000]);
  });

  test('disables an endpoint that returns 410', async () => {
    const endpoint = await startEndpoint(() => 410);
    const { id } = await addEndpoint(endpoint.url);
    const [first, second] = [(await sendMessage()).event, (await sendMessage()).event];
    await run(60, first);
    expect([await stateOf(id), getDeadLetters().length]).toEqual(['disabled', 1]);
    await run(60, second);
    expect(endpoint.received).toHaveLength(1);
  });

  test.each([301, 400, 404, undefined])(
    'retries after the status %s (undefined: no reply), and follows no redirect',
    async (status) => {
      const endpoint = await startEndpoint((attempt) => (attempt === 1 ? status : 200));
      await addEndpoint(endpoint.url);
      await run(60, (await sendMessage()).event);
      expect([endpoint.received.length, getDeadLetters()]).toEqual([2, []]);
    },
  );

  test('pauses an endpoint that keeps failing, probes it every five minutes, and resumes it after a success', async () => {
    let isHealthy = false;
    const endpoint = await startEndpoint(() => (isHealthy ? 200 : 500));
    const { id } = await addEndpoint(endpoint.url);
    const events: BusEvent[] = [];
    for (let n = 0; n < 12; n++) events.push((await sendMessage()).event);
    await run(10_800, ...events);
    expect(await stateOf(id)).toBe('paused');
    const before = endpoint.received.length;
    await run(3600);
    expect(endpoint.received.length - before).toBeLessThanOrEqual(12);
    isHealthy = true;
    await run(3600);
    expect(await stateOf(id)).toBe('active');
    await run(day);
    const ids = new Set(endpoint.received.map(({ headers }) => headers['webhook-id']));
    expect(ids).toEqual(new Set(events.map((event) => event.id)));
    expect([getDeadLetters(), aws.messages]).toEqual([[], []]);
  });

  test('sends a replayed event with the resource’s current state, and only to the endpoint that the replay specifies', async () => {
    const [one, other] = [await startEndpoint(() => 200), await startEndpoint(() => 200)];
    const { id } = await addEndpoint(one.url);
    await addEndpoint(other.url);
    const { event, cleo, message_id } = await sendMessage();
    await edit(cleo, message_id, { message: 'Edited' });
    await invoke([JSON.stringify({ detail: event, endpoint_id: id })]);
    await run(0);
    expect([one.received.length, other.received.length]).toEqual([1, 0]);
    expect(one.received[0]?.body).toContain('Edited');
    expect(one.received[0]?.body).not.toContain(secretText);
  });

  test.each<[string, Partial<EndpointItem>, boolean]>([
    ['the event’s type', { types: ['message.created'] }, true],
    ['another type', { types: ['conversation.*', 'message.deleted'] }, false],
    ['a group', { group_id: 'team' }, false],
    ['another contact', { contact_id: 'nobody' }, false],
  ])(
    'delivers only events that match the endpoint’s filter: %s',
    async (_, fields, isDelivered) => {
      const endpoint = await startEndpoint(() => 200);
      await addEndpoint(endpoint.url, fields);
      await run(0, (await sendMessage()).event);
      expect(endpoint.received).toHaveLength(isDelivered ? 1 : 0);
    },
  );

  test('delivers group.deleted, and group.member_added with the member', async () => {
    const endpoint = await startEndpoint(() => 200);
    const { cleo, xavier } = createTrio();
    const { id: group_id } = await makeGroup(cleo, [xavier]);
    await addEndpoint(endpoint.url, { types: ['group.*'], group_id });
    const event = { created_at: time.now / 1000, version: 1, group_id };
    const added = { ...event, id: 'added', type: 'group.member_added' } as const;
    await run(0, { ...added, contact_id: xavier.id });
    await removeGroup(cleo, group_id);
    await run(0, { ...event, id: 'deleted', type: 'group.deleted' });
    const member = {
      ...{ id: `${group_id}-${xavier.id}`, group_id, contact_id: xavier.id },
      ...{ role: 'member', joined_at: expect.any(Number) },
    };
    expect(endpoint.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'group.member_added', payload: member },
      { type: 'group.deleted', payload: { id: group_id, deleted: true } },
    ]);
  });

  test('reports a queue message as failed if a call to the queue fails or the message is invalid, and counts a missing secret as a failed attempt', async () => {
    const endpoint = await startEndpoint(() => 500);
    const { id } = await addEndpoint(endpoint.url);
    const { event } = await sendMessage();
    await invoke([JSON.stringify({ detail: event })]);
    const [delivery] = aws.messages;
    aws.isQueueBroken = true;
    expect(await invoke([delivery?.body ?? ''])).toEqual([0]);
    aws.isQueueBroken = false;
    aws.parameters.delete(`/test/webhooks/${id}`);
    time.now += 61_000;
    expect(await invoke([delivery?.body ?? ''])).toEqual([]);
    expect([endpoint.received.length, (await getEndpoint(id))?.failures]).toEqual([1, 2]);
    expect(await invoke(['not JSON'])).toEqual([0]);
  });

  test('signs with both secrets for a day after a rotation, and then only with the new secret', async () => {
    const endpoint = await startEndpoint(() => 200);
    const { id, secret } = await addEndpoint(endpoint.url);
    jest.spyOn(Date, 'now').mockImplementation(() => time.now);
    const current = newSecret();
    const verifiers = [secret, current].map((key) => new Webhook(key));
    const deliver = async () => {
      await run(0, (await sendMessage()).event);
      const { body, headers } = endpoint.received.at(-1) ?? { body: '', headers: {} };
      return verifiers.map((one) => {
        try {
          return one.verify(body, headers as Record<string, string>) !== undefined;
        } catch {
          return false;
        }
      });
    };
    expect(await deliver()).toEqual([true, false]);
    const rotated_at = time.now / 1000;
    const rotated = JSON.stringify({ current, previous: secret, rotated_at });
    aws.parameters.set(`/test/webhooks/${id}`, rotated);
    // The sender has cached the old secret.
    expect(await deliver()).toEqual([true, false]);
    time.now += 61_000;
    expect(await deliver()).toEqual([true, true]);
    time.now += day * 1000;
    expect(await deliver()).toEqual([false, true]);
  });

  test('stores events for a disabled endpoint as dead letters, and delivers an event that is replayed right after the endpoint is enabled', async () => {
    const endpoint = await startEndpoint(() => 200);
    const { id } = await addEndpoint(endpoint.url);
    await disableEndpoint(id, 'by the test');
    const [missed, later] = [await sendMessage(), await sendMessage()];
    await run(0, missed.event);
    expect([endpoint.received.length, getDeadLetters().length]).toEqual([0, 1]);
    await enableEndpoint(id);
    // The sender may have cached the disabled state, but reads it again for a replayed event.
    await invoke([JSON.stringify({ detail: later.event, endpoint_id: id })]);
    await run(0);
    expect([endpoint.received.length, getDeadLetters().length]).toEqual([1, 1]);
  });

  test('delivers a text of the maximum length, even if nested JSON escapes each character twice', async () => {
    const endpoint = await startEndpoint(() => 200);
    await addEndpoint(endpoint.url);
    const message = '"'.repeat(messageLimits.textCharacters);
    const { event, cleo, message_id } = await sendMessage();
    await edit(cleo, message_id, { message });
    await run(0, event);
    expect(JSON.parse(endpoint.received[0]?.body ?? '').payload.message).toBe(message);
  });

  test('moves an endpoint to the slow lane after three failed attempts in a row, and back after a success', async () => {
    let status = 200;
    const endpoint = await startEndpoint(() => status);
    const { id } = await addEndpoint(endpoint.url);
    const getLaneOf = async () => {
      aws.messages = [];
      await invoke([JSON.stringify({ detail: (await sendMessage()).event })]);
      const [lane] = aws.messages.map(({ queue }) => queue);
      await run(1);
      return lane;
    };
    expect(await getLaneOf()).toBe('fast');
    status = 500;
    expect([await getLaneOf(), await getLaneOf(), await getLaneOf()]).toEqual(
      Array(3).fill('fast'),
    );
    status = 200;
    expect([await getLaneOf(), await getLaneOf()]).toEqual(['slow', 'fast']);
    expect((await getEndpoint(id))?.slow_attempts).toBe(0);
  });

  test('logs each attempt, without content, secret or URL', async () => {
    const endpoint = await startEndpoint((attempt) => (attempt === 1 ? 500 : 200));
    const { id, secret } = await addEndpoint(endpoint.url);
    const { event } = await sendMessage();
    const lines = await captureLogLines(() => run(60, event));
    const attempts = lines.filter(({ operation }) => operation === 'webhook_attempt');
    expect(attempts).toMatchObject([
      { endpoint: id, event: event.id, type: 'message.created', attempt: 1, status: 500 },
      { endpoint: id, event: event.id, attempt: 2, status: 200 },
    ]);
    const text = JSON.stringify(lines);
    for (const hidden of [secretText, secret, endpoint.url]) expect(text).not.toContain(hidden);
    expect(lines.filter(({ operation }) => operation === 'webhooks')).toContainEqual(
      expect.objectContaining({ delivered: 1 }),
    );
  });
});
