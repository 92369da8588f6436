import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { getSuccessStatuses } from '../../shared/contract/operation.ts';
import {
  listConversations,
  listEvents,
  listMessages,
  retrieveContact,
  retrieveLive,
} from '../../shared/contract/operations.ts';
import { random } from '../../shared/ids.ts';
import { create, list, send } from '../support/handlers/api-calls.ts';
import { conversationRequests } from '../support/handlers/conversation-requests.ts';
import { addMember, makeGroup, removeMember } from '../support/handlers/group-calls.ts';
import { ok, request } from '../support/handlers/invoke-handler.ts';
import { newPeople } from '../support/people/group-people.ts';
import { takeSample } from '../support/setup/sample-size.ts';
import { type FaultInjection, injectFault, listFaults } from '../support/table/http-faults.ts';
import { recordHttpCalls } from '../support/table/http-hooks.ts';
import '../support/setup/use-table.ts';

type Requests = typeof conversationRequests;

/** Requests that read all memberships of the caller. */
const lists: Requests = {
  'list conversations': (_, as) => [listConversations, { as }],
  'list flagged conversations': (_, as) => [listConversations, { as, query: { muted: 'true' } }],
  'list messages of all conversations': (_, as) => [listMessages, { as }],
  'list events': (_, as) => [listEvents, { as }],
  'retrieve channels': (_, as) => [retrieveLive, { as }],
  'retrieve a member': (_, as) => [retrieveContact, { as, path: { contact_id: ownerOf(as) } }],
};

const ownerOf = ({ id }: Caller) => id.replace('bob', 'ann');

/** Creates a group with an owner and a member, and a conversation with a message from each. */
async function begin() {
  const { ann: owner, bob: member } = newPeople();
  const { id: group_id } = await makeGroup(owner, [member]);
  const { id: conversation_id } = await create(member, { group_id });
  await send(owner, conversation_id, secret);
  const { id: message_id } = await send(member, conversation_id, 'Mine');
  return { owner, member, target: { group_id, conversation_id, message_id } };
}

const secret = 'Only members may read this';

const requests = Object.entries({ ...conversationRequests, ...lists });

beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  jest.spyOn(random, 'oneIn').mockReturnValue(false);
});

/** Returns only the faults of membership reads; other tests inject the other faults. */
async function listMembershipFaults(act: () => Promise<unknown>) {
  const calls = await recordHttpCalls(act);
  return listFaults(calls).filter(({ number }) => calls[number - 1]?.body.includes('MEMBERSHIP#'));
}

async function requestWith(fault: FaultInjection, ...call: Parameters<typeof request>) {
  const wire = injectFault(fault);
  const { status, body } = await request(...call);
  await wire.remove();
  return { status, text: JSON.stringify(body) };
}

describe('If a membership cannot be read, a request', () => {
  test.each(requests)(
    'from a member succeeds, or returns 503 if the fault persists: %s',
    async (_, toRequest) => {
      const first = await begin();
      const faults = await listMembershipFaults(() => ok(...toRequest(first.target, first.member)));
      expect(faults.length).toBeGreaterThan(0);
      for (const fault of takeSample(faults, 4)) {
        const { member, target } = await begin();
        const [row, call] = toRequest(target, member);
        const { status } = await requestWith(fault, row, call);
        const isRight =
          getSuccessStatuses(row).includes(status) || (fault.isLasting && status === 503);
        expect([fault.title, status, isRight]).toEqual([fault.title, status, true]);
      }
    },
  );

  test.each(requests)(
    'from a removed member reveals no messages and changes nothing: %s',
    async (_, toRequest) => {
      const { owner, member, target } = await begin();
      await removeMember(owner, target.group_id, member);
      const before = await list(owner, target.conversation_id);
      const [row, call] = toRequest(target, member);
      const faults = await listMembershipFaults(() => request(row, call));
      for (const fault of takeSample(faults, 4)) {
        const { status, text } = await requestWith(fault, row, call);
        const isRefused = status === 404 || (fault.isLasting && status === 503);
        const isRight = isRefused || (row.method === 'GET' && !row.path.includes('{'));
        expect([fault.title, status, isRight]).toEqual([fault.title, status, true]);
        expect([fault.title, text.includes(secret)]).toEqual([fault.title, false]);
      }
      expect((await list(owner, target.conversation_id)).data).toEqual(before.data);
    },
  );
});

test('After a fault while a member is added or removed, all requests agree on the membership, and a successful change is in effect', async () => {
  for (const isAddition of [true, false]) {
    const first = await begin();
    const act = async ({ owner, member, target: { group_id } }: typeof first) =>
      isAddition ? addMember(owner, group_id, member) : removeMember(owner, group_id, member);
    if (isAddition) await removeMember(first.owner, first.target.group_id, first.member);
    const calls = await recordHttpCalls(() => act(first));
    for (const fault of takeSample(listFaults(calls), 4)) {
      const begun = await begin();
      if (isAddition) await removeMember(begun.owner, begun.target.group_id, begun.member);
      const wire = injectFault(fault);
      const isDone = await act(begun).then(
        () => true,
        () => false,
      );
      await wire.remove();
      const statuses = new Set<number>();
      for (const [, toRequest] of Object.entries(conversationRequests).slice(0, 6)) {
        const [row, call] = toRequest(begun.target, begun.member);
        if (row === listConversations) continue;
        statuses.add((await request(row, call)).status);
      }
      expect([fault.title, statuses.size]).toEqual([fault.title, 1]);
      if (isDone) expect([fault.title, ...statuses]).toEqual([fault.title, isAddition ? 200 : 404]);
    }
  }
});
