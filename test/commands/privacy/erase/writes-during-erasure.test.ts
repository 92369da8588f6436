import { beforeEach, expect, jest, test } from '@jest/globals';
import { eraseItems } from '../../../../commands/privacy/erase/erase-items.ts';
import type { Caller } from '../../../../shared/caller.ts';
import { clock } from '../../../../shared/clock.ts';
import {
  createConversation,
  listMessages,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../../shared/contract/operations.ts';
import { random } from '../../../../shared/ids.ts';
import { create, list } from '../../../support/handlers/api-calls.ts';
import type { Call } from '../../../support/handlers/gateway-event.ts';
import { refused, request } from '../../../support/handlers/invoke-handler.ts';
import { takeSample } from '../../../support/setup/sample-size.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import { injectFault, listFaults } from '../../../support/table/http-faults.ts';
import { recordHttpCalls } from '../../../support/table/http-hooks.ts';
import { publishAll } from '../../../support/workers/live-worker.ts';
import { findTraces } from '../find-traces.ts';
import { allItems, createPersonFixture, type PersonFixture, toErasure } from '../person-fixture.ts';
import { restoreItems } from '../restore-items.ts';
import '../../../support/setup/use-table.ts';

let now: number;
beforeEach(() => {
  now = Date.now();
  jest.spyOn(clock, 'now').mockImplementation(() => now);
  jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
    now += milliseconds;
    await publishAll();
  });
  // Disables the random neighbor scans of deletions, which make the number of calls vary.
  jest.spyOn(random, 'oneIn').mockReturnValue(false);
});
const erase = (id: string) => eraseItems(toErasure(id, { hasEvents: true }));

async function writeAll(as: Caller, { direct, team, liked, cleo }: PersonFixture, key: string) {
  const body = { conversation_id: direct, message: 'I am still here' };
  const flagged = { as, body: { is_muted: true, archived_at: 1 } };
  const calls: [Parameters<typeof request>[0], Call][] = [
    [sendMessage, { as, body }],
    [sendMessage, { as, body, headers: { 'Idempotency-Key': key } }],
    [createConversation, { as, body: { contact_id: cleo.id, distinct: true } }],
    [updateMessage, { as, path: { message_id: liked }, body: { reactions: { [key]: [as.id] } } }],
    [updateConversation, { ...flagged, path: { conversation_id: team } }],
    [updateConversation, { ...flagged, path: { conversation_id: direct } }],
    [listMessages, { as, query: { conversation_id: direct } }],
  ];
  const statuses: number[] = [];
  for (const [row, call] of calls) statuses.push((await request(row, call)).status);
  return statuses;
}

/** Makes Bob write before each page of a scan until `stop` is called. Collects the statuses. */
function keepWriting(fixture: PersonFixture): { statuses: number[][]; stop(): void } {
  const statuses: number[][] = [];
  let queue = Promise.resolve();
  const stop = interceptCalls(async ({ operation }, proceed) => {
    if (operation === 'Scan') {
      queue = queue.then(async () => {
        statuses.push(await writeAll(fixture.bob, fixture, `key-${statuses.length}`));
      });
      await queue;
    }
    await proceed();
  });
  return { statuses, stop };
}

/** Statuses that `writeAll` returns when the API refuses writes. The last request only reads. */
const allRefused = [403, 403, 403, 403, 403, 403, 200];

test('One run erases a person who keeps writing, and the API then refuses the person’s writes', async () => {
  const fixture = await createPersonFixture();
  const { id: unopened } = await create(fixture.ann, { contact_id: fixture.bob.id });
  const { statuses, stop } = keepWriting(fixture);
  const { remaining } = await erase(fixture.bob.id).finally(stop);
  // The first writes succeed because the test's process caches the contact for a minute.
  expect(statuses[0]?.slice(0, 2)).toEqual([201, 201]);
  expect(statuses.at(-1)).toEqual(allRefused);
  expect(remaining).toEqual({});
  expect(await findTraces(fixture.bob.id, { isPurged: false })).toEqual([]);

  now += 60 * 60 * 1000;
  expect(await writeAll(fixture.bob, fixture, 'later')).toEqual(allRefused);
  const flags = { as: fixture.bob, path: { conversation_id: unopened }, body: { is_muted: true } };
  expect(await refused(updateConversation, flags)).toMatchObject({ code: 'not_allowed' });
  expect(await findTraces(fixture.bob.id, { isPurged: false })).toEqual([]);
  const texts = (await list(fixture.ann, fixture.direct)).data.map(({ message }) => message);
  expect(texts).toEqual(['Hello']);
});

test('If any call of a run fails, one more run erases a person who keeps writing', async () => {
  const fixture = await createPersonFixture();
  const before = await allItems();
  const calls = await recordHttpCalls(() => erase(fixture.bob.id));
  const problems: string[] = [];
  // Injects only a sample of the faults, because each fault takes half a minute. In thorough
  // runs, erase-faults.test.ts injects every fault.
  for (const fault of takeSample(
    listFaults(calls).filter((_, n) => n % 60 === 30),
    16,
  )) {
    await restoreItems(before);
    now += 60 * 60 * 1000;
    const { stop } = keepWriting(fixture);
    const interception = injectFault(fault);
    await erase(fixture.bob.id).catch(() => undefined);
    await interception.remove();
    await erase(fixture.bob.id).finally(stop);
    const traces = await findTraces(fixture.bob.id, { isPurged: false });
    if (traces.length > 0) problems.push(`${fault.title}: leaves ${traces.join(' ')}`);
  }
  expect(problems).toEqual([]);
});
