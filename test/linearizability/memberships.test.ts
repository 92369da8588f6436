import { expect, test } from '@jest/globals';
import type { Caller } from '../../shared/caller.ts';
import type { Operation as Row } from '../../shared/contract/operation.ts';
import {
  listConversations,
  listMessages,
  putGroupMember,
  removeGroupMember,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { create, send } from '../support/handlers/api-calls.ts';
import type { Call } from '../support/handlers/gateway-event.ts';
import { makeGroup } from '../support/handlers/group-calls.ts';
import { request } from '../support/handlers/invoke-handler.ts';
import { newPeople } from '../support/people/group-people.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { interceptCalls } from '../support/table/call-hooks.ts';
import '../support/setup/use-table.ts';
import { linearize, type Model } from './checker/linearize.ts';
import { sleep } from './recorder/sleep.ts';

/** Times are in milliseconds, from one monotonic clock. */
interface Operation {
  kind: 'add' | 'remove' | 'use';
  title: string;
  status: number;
  /** Whether the person is a member according to the reply. */
  isMember: boolean;
  invoked: number;
  responded: number;
}

const membership: Model<boolean, Operation> = {
  initial: true,
  keyOf: String,
  isRead: ({ kind }) => kind === 'use',
  step: (isMember, operation) => {
    if (operation.kind === 'add') return operation.status === (isMember ? 200 : 201) || undefined;
    if (operation.kind === 'remove') {
      return operation.status === (isMember ? 200 : 404) ? false : undefined;
    }
    return operation.isMember === isMember ? isMember : undefined;
  },
};

interface Target {
  group_id: string;
  conversation_id: string;
  message_id: string;
}

const uses: [string, (target: Target) => [Row, Omit<Call, 'as'>]][] = [
  ['send', ({ conversation_id }) => [sendMessage, { body: { conversation_id, message: 'Hi' } }]],
  [
    'send with a key',
    ({ conversation_id }) => [
      sendMessage,
      {
        headers: { 'Idempotency-Key': `k${Math.random()}` },
        body: { conversation_id, message: 'Hi' },
      },
    ],
  ],
  ['list', ({ conversation_id }) => [listMessages, { query: { conversation_id } }]],
  ['retrieve', ({ message_id }) => [retrieveMessage, { path: { message_id } }]],
  [
    'react',
    ({ message_id }) => [updateMessage, { path: { message_id }, body: { reactions: { ok: [] } } }],
  ],
  [
    'retrieve conversation',
    ({ conversation_id }) => [retrieveConversation, { path: { conversation_id } }],
  ],
  ['list conversations', () => [listConversations, {}]],
  ['list the group', ({ group_id }) => [listConversations, { query: { group_id } }]],
  ['list everything', () => [listMessages, {}]],
];

const pauses = fc.array(fc.nat(12), { minLength: 6, maxLength: 6 });
const plan = fc.record({
  changes: pauses,
  clients: fc.array(
    fc.array(fc.record({ use: fc.nat(uses.length - 1), pause: fc.nat(8) }), {
      minLength: 8,
      maxLength: 12,
    }),
    { minLength: 2, maxLength: 3 },
  ),
  delays: fc.array(fc.nat(6), { minLength: 10, maxLength: 40 }),
});

async function recordHistory({
  changes,
  clients,
  delays,
}: typeof plan extends fc.Arbitrary<infer Plan> ? Plan : never) {
  const { ann: owner, bob: person } = newPeople();
  const { id: group_id } = await makeGroup(owner, [person]);
  const { id: conversation_id } = await create(owner, { group_id });
  const { id: message_id } = await send(owner, conversation_id, 'Hello');
  const target = { group_id, conversation_id, message_id };
  const operations: Operation[] = [];
  const run = async (
    kind: Operation['kind'],
    title: string,
    as: Caller,
    row: Row,
    call: Omit<Call, 'as'>,
  ) => {
    const invoked = performance.now();
    const { status, body } = await request(row, { as, ...call });
    const responded = performance.now();
    const isMember = row.list ? JSON.stringify(body).includes(conversation_id) : status !== 404;
    operations.push({ kind, title, status, isMember, invoked, responded });
  };
  let calls = 0;
  const undo = interceptCalls(async (_, proceed) => {
    calls += 1;
    await sleep(delays[calls % delays.length] ?? 0);
    await proceed();
  });
  const path = { group_id, contact_id: person.id };
  const changeMemberships = async () => {
    for (const [n, pause] of changes.entries()) {
      await sleep(pause);
      if (n % 3 === 2) continue;
      if (n % 3 === 0) await run('remove', 'remove', owner, removeGroupMember, { path });
      else await run('add', 'add', owner, putGroupMember, { path, body: {} });
    }
  };
  await Promise.all([
    changeMemberships(),
    ...clients.map(async (steps) => {
      for (const { use, pause } of steps) {
        await sleep(pause);
        const picked = uses[use];
        if (picked) await run('use', picked[0], person, ...picked[1](target));
      }
    }),
  ]);
  undo();
  return operations;
}

test('replies are linearizable for a group member whom the owner concurrently removes and adds', async () => {
  const seen = new Set<string>();
  for (const next of fc.sample(plan, selectSize(8, 200))) {
    const operations = await recordHistory(next);
    for (const { kind, isMember } of operations) if (kind === 'use') seen.add(String(isMember));
    const problem = linearize(membership, operations);
    expect([problem, operations.sort((a, b) => a.invoked - b.invoked)]).toEqual([
      undefined,
      operations,
    ]);
  }
  expect([...seen].sort()).toEqual(['false', 'true']);
}, 300_000);
