import type { Operation } from '../../shared/contract/operation.ts';
import {
  listConversations,
  listEvents,
  listMessages,
  retrieveLive,
  retrieveMessage,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { expansionNames } from '../../shared/contract/resources/expand.ts';
import { toMessageId } from '../../shared/ids.ts';
import type { Call } from '../support/handlers/gateway-event.ts';
import { person } from '../support/people/callers.ts';
import type { Section } from './report/section.ts';
import type { Measure } from './with-table.ts';

type Row = readonly [name: string, operation: Operation, call: Call];

export async function measureExpensiveRequests(measure: Measure): Promise<Section[]> {
  const rows = [
    ...(await seedInboxes()),
    ...(await seedGroups(measure)),
    ...(await seedLargeMessages()),
  ];
  const measured = [];
  for (const [name, operation, call] of rows) {
    measured.push({ name, ...(await measure(operation, call)) });
  }
  const explanation =
    'Each request was measured once on DynamoDB Local. Numbers of unread messages are per conversation.';
  return [
    {
      ...{ id: 'table-calls', title: 'Table calls of expensive requests', explanation },
      ...{ unit: 'table calls', hasRatio: false },
      rows: measured.map(({ name, table_calls }) => ({ name, values: [table_calls] })),
    },
    {
      ...{ id: 'units', title: 'Read and write units of expensive requests' },
      ...{
        explanation: 'Read plus write units of each request above.',
        unit: 'units',
        hasRatio: false,
      },
      rows: measured.map((one) => ({ name: one.name, values: [one.read_units + one.write_units] })),
    },
  ];
}

const expand = { 'expand[]': [...expansionNames] };
const large = 'x'.repeat(60_000);

async function seedInboxes(): Promise<Row[]> {
  const inbox = async (owner: string, count: number, unread: number, text: string) => {
    const { seedConversations } = await import('../support/seeds/seed-conversations.ts');
    const { seedMessages } = await import('../support/seeds/seed-messages.ts');
    const created_at = Date.now() - 200_000;
    const ids = await seedConversations(
      Array.from({ length: count }, (_, n) => ({
        ...{ created_by: owner, contact_id: `${owner}-${n}`, created_at },
        last_message_at: created_at,
      })),
    );
    for (const [n, id] of ids.entries()) {
      await seedMessages(id, `${owner}-${n}`, Math.max(1, unread), undefined, text, {
        isRead: unread === 0,
      });
    }
    return person(owner);
  };
  const list = (as: Call['as'], limit: number, query: Call['query'] = {}): [Operation, Call] => [
    listConversations,
    { as, query: { limit: String(limit), ...query } },
  ];
  const thirty = await inbox('thirty', 30, 3, 'Hello');
  const quiet = await inbox('quiet', 100, 0, 'Hello');
  const busy = await inbox('busy', 100, 12, large);
  const unread = { 'expand[]': ['unread_count'] };
  return [
    ['inbox of 30, expanded, 3 unread', ...list(thirty, 30, expand)],
    ['inbox of 30', ...list(thirty, 30)],
    ['unread counts of 100, all read', ...list(quiet, 100, unread)],
    ['unread counts of 100, 12 of 60 KB', ...list(busy, 100, unread)],
  ];
}

async function seedGroups(measure: Measure): Promise<Row[]> {
  const { seedConversations } = await import('../support/seeds/seed-conversations.ts');
  const groups = Array.from({ length: 100 }, (_, n) => `many-${n}`);
  const created_at = Date.now() - 200_000;
  await seedConversations(
    groups.slice(0, 10).map((group_id) => ({
      ...{ created_by: 'bob', group_id, created_at, last_message_at: created_at },
    })),
  );
  // The first reader derives the head of each group, once for all members.
  const first = person('first', { groups });
  for (const operation of [listConversations, retrieveLive])
    await measure(operation, { as: first });
  const as = person('member', { groups });
  return [
    ['inbox, 10 of 100 groups active', listConversations, { as }],
    ['all messages, 10 of 100 groups active', listMessages, { as }],
    ['events, 100 groups', listEvents, { as }],
  ];
}

async function seedLargeMessages(): Promise<Row[]> {
  const { seedConversations } = await import('../support/seeds/seed-conversations.ts');
  const { seedMessages } = await import('../support/seeds/seed-messages.ts');
  const created_at = Date.now() - 200_000;
  const [conversationId = ''] = await seedConversations([
    { created_by: 'ann', contact_id: 'bob', created_at },
  ]);
  await seedMessages(conversationId, 'ann', 2, () => created_at, large, { isRead: false });
  const idOf = (sequence: number) => toMessageId({ conversationId, sequence, sentAt: created_at });
  const as = person('bob');
  return [
    ['mark a message of 60 KB as read', retrieveMessage, { as, path: { message_id: idOf(1) } }],
    [
      'react to a message of 60 KB',
      updateMessage,
      { as, path: { message_id: idOf(2) }, body: { reactions: { fine: ['bob'] } } },
    ],
  ];
}
