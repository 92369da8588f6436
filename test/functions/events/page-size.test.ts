import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { listEvents } from '../../../shared/contract/operations.ts';
import { EventPage } from '../../../shared/contract/resources/event.ts';
import { maxReplyBytes } from '../../../shared/contract/schema/list-schema.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import { create, react, send } from '../../support/handlers/api-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor } from '../../support/handlers/list-events.ts';
import { createTrio } from '../../support/people/callers.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

test('A page of events ends before it exceeds the maximum response size, and the next page continues with the next event', async () => {
  const { cleo, xavier } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  await publishAll();
  let starting_after = await getLiveCursor(xavier);
  const attachments = Array.from({ length: 10 }, () => ({ name: 'a'.repeat(4000) }));
  const count = 80;
  const large = { attachments };
  for (let n = 0; n < count; n++) await send(cleo, id, '😀'.repeat(10_000), large);
  await publishAll();

  const sequences: number[] = [];
  const lengths: number[] = [];
  for (;;) {
    const query = { limit: '100', starting_after };
    const { body, headers } = await request(listEvents, { as: xavier, query });
    const { data, has_more } = v.parse(EventPage, body);
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(maxReplyBytes + 1000);
    sequences.push(...data.map(({ place }) => place));
    lengths.push(data.length);
    starting_after = getLinkQuery(headers.Link, 'next')?.starting_after ?? '';
    if (!has_more) break;
  }
  expect(sequences).toEqual(sequences.map((_, n) => n + 2));
  expect(sequences).toHaveLength(count);
  expect(lengths.length).toBe(2);
});

test('A resource with many events on a page is returned once, in its current state', async () => {
  const { cleo, xavier } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  const message = await send(cleo, id, 'Hello');
  await publishAll();
  const starting_after = await getLiveCursor(xavier);
  const changes = 90;
  for (let n = 1; n <= changes; n++) {
    await react(xavier, message.id, { ok: n % 2 === 0 ? [xavier.id] : [] });
    if (n === 1) await react(xavier, message.id, { ok: [xavier.id] });
  }
  await publishAll();
  const query = { starting_after, limit: '100' };
  const { body } = await request(listEvents, { as: xavier, query });
  const { data } = v.parse(EventPage, body);
  const [first, ...others] = data;
  expect(first).toMatchObject({
    type: 'message.updated',
    version: 1 + data.length,
    payload: { id: message.id, reactions: [{ ok: [xavier.id] }] },
  });
  expect(others.map(({ version, payload }) => [version, payload])).toEqual(
    others.map((_, n) => [n + 3, null]),
  );
  expect(data.length).toBeGreaterThan(changes / 2);
});
