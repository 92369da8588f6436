import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../shared/caller.ts';
import { createConversation, sendMessage } from '../../shared/contract/operations.ts';
import { create, getConversations, send } from '../support/handlers/api-calls.ts';
import { refused, request } from '../support/handlers/invoke-handler.ts';
import { listAcross } from '../support/handlers/list-across.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';
import { person } from '../support/people/callers.ts';
import { takeSample } from '../support/setup/sample-size.ts';
import { injectFault, listFaults } from '../support/table/http-faults.ts';
import { interceptHttp, recordHttpCalls } from '../support/table/http-hooks.ts';
import '../support/setup/use-table.ts';

const pause = 11 * 60_000;
let memberCount = 0;

/**
 * Creates a member of eight groups. The member creates conversations in the first three groups,
 * with a pause of 11 minutes after each conversation.
 */
async function begin(virtual: ReturnType<typeof createVirtualClock>) {
  memberCount += 1;
  const groups = Array.from({ length: 8 }, (_, n) => `faulty-${memberCount}-${n}`);
  const [member, soleUser] = ['mo', 'al'].map((name) =>
    person(`${name}-${memberCount}`, { groups }),
  );
  if (!member || !soleUser) throw new Error('A member is missing.');
  const ids: string[] = [];
  for (const group_id of groups.slice(0, 3)) {
    ids.push((await create(member, { group_id })).id);
    virtual.pass(pause);
  }
  const [lower = '', upper = ''] = ids;
  // Listing conversations derives and stores the heads of groups without conversations.
  await getConversations(soleUser);
  return { groups, member, lower, upper };
}

/**
 * Returns the list across all groups, the same list with a limit of 1, and the list of each group.
 * Only lists across groups read group heads.
 */
async function listBoth({ id, groups }: Caller) {
  const all = await getConversations(person(id, { groups }));
  // If the page is full, the service does not query groups with only older activity.
  const top = await getConversations(person(id, { groups }), { limit: '1' });
  const single = await Promise.all(
    groups.map((group_id) => getConversations(person(id, { groups }), { group_id })),
  );
  return { all: all.data, top: top.data, single: single.flatMap(({ data }) => data) };
}

const requests: [string, (begun: Awaited<ReturnType<typeof begin>>) => Promise<unknown>][] = [
  [
    'A send to an idle group',
    ({ member, lower }) =>
      request(sendMessage, { as: member, body: { conversation_id: lower, message: 'Hi' } }),
  ],
  [
    'The creation of a conversation in an unused group',
    ({ member, groups }) =>
      request(createConversation, { as: member, body: { group_id: groups[3] } }),
  ],
];

describe.each(requests)('%s', (_, sendRequests) => {
  let calls: Awaited<ReturnType<typeof recordHttpCalls>>;
  beforeAll(async () => {
    const begun = await begin(createVirtualClock());
    calls = await recordHttpCalls(() => sendRequests(begun));
  });

  test('leaves the lists of a member of many groups complete and in order, even if a table call fails', async () => {
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const fault of takeSample(listFaults(calls), 4)) {
      const begun = await begin(createVirtualClock());
      const interception = injectFault(fault);
      await sendRequests(begun);
      await interception.remove();
      const { all, top, single } = await listBoth(begun.member);
      const byActivity = single.sort(
        (a, b) => (b.last_active_at ?? b.created_at ?? 0) - (a.last_active_at ?? a.created_at ?? 0),
      );
      const ids = byActivity.map(({ id }) => id);
      const listed = { all: all.map(({ id }) => id), top: top.map(({ id }) => id) };
      expect([fault.title, listed]).toEqual([fault.title, { all: ids, top: ids.slice(0, 1) }]);
    }
  });
});

test('After a pause of 11 minutes, lists across groups immediately contain new messages', async () => {
  const virtual = createVirtualClock();
  const { member, lower, upper } = await begin(virtual);
  const sent: string[] = [];
  for (const id of [lower, upper, lower]) {
    sent.unshift((await send(member, id, 'Hello')).id);
    virtual.pass(pause);
    expect((await listAcross(member)).data.map((message) => message.id)).toEqual(sent);
    const newer = await listAcross(member, { ending_before: sent.at(-1) ?? '' });
    expect(newer.data.map((message) => message.id)).toEqual(sent.slice(0, -1));
  }
});

test('If the group head cannot be updated, a send fails with unavailable, and lists of conversations do not change', async () => {
  const virtual = createVirtualClock();
  const { member, lower } = await begin(virtual);
  const before = await listBoth(member);
  const interception = interceptHttp(async ({ body }, proceed) =>
    body.includes('"GROUP#')
      ? { status: 400, body: JSON.stringify({ __type: 'x#ThrottlingException' }) }
      : proceed(),
  );
  const body = { conversation_id: lower, message: 'Hi' };
  expect(await refused(sendMessage, { as: member, body })).toMatchObject({ code: 'unavailable' });
  await interception.remove();
  expect(await listBoth(member)).toEqual(before);
});
