import type { Operation } from '../../shared/contract/operation.ts';
import {
  createConversation,
  deleteConversation,
  listBusinesses,
  listConversations,
  listMessages,
  operations,
  updateConversation,
} from '../../shared/contract/operations.ts';
import { partitions } from '../../shared/table/keys/partitions.ts';
import { type Check, Differs, needed } from './check.ts';
import { call, inShort, type Sent, send } from './client.ts';
import { noPeople, noServices, type Subject } from './subject.ts';

const file = 'lib/constructs/functions/table-statements.ts';

const cure = `if the function's log contains AccessDeniedException: AWS does not provide the index's key for index queries. In ${file}, remove the condition from the statements of indexes (use onlyKeys only without an index), deploy, and remove the leading keys of indexes from docs/first-deploy.md`;

const queries: readonly {
  what: string;
  row: Operation;
  query: Readonly<Record<string, string>>;
}[] = [
  {
    what: "the user's inbox, those of groups and of the named contact (gsi1, gsi2)",
    row: listConversations,
    query: {},
  },
  { what: 'messages across conversations (gsi1, gsi2)', row: listMessages, query: {} },
  { what: 'flagged conversations (gsi3)', row: listConversations, query: { pinned: 'true' } },
  { what: 'active businesses (gsi1)', row: listBusinesses, query: { active: 'true' } },
];

/**
 * Returns the checks that AWS applies leading keys as the grants assume. A successful index query
 * proves that AWS provides the index's key, because the grants require it. Denials are checked by
 * evaluating the policies.
 */
export const indexChecks = (subject: Subject): Check[] => [
  ...queries.map(
    ({ what, row, query }): Check => ({
      name: `Index queries: ${what}`,
      expected: `${row.status}`,
      cure,
      look: async () => {
        const { ANN } = needed(subject.people, noPeople(subject)).all;
        const answer = await send(subject.url, ANN, row, { query: { ...query, limit: '1' } });
        if (answer.status !== row.status) throw new Differs(inShort(answer));
        return inShort(answer);
      },
    }),
  ),
  {
    name: 'Index queries: grants of all operations',
    expected: 'allowed for their own partitions, denied for others and without a key',
    cure: `the deployed policies differ from ${file}: deploy again`,
    look: () => grantsOfIndexes(subject),
  },
  {
    name: 'Transactions: a condition check on an unchanged item (ConditionCheckItem)',
    expected: '200',
    cure: `if the function's log contains AccessDeniedException: AWS provides no leading keys for ConditionCheckItem. In ${file}, give it a separate statement without the condition`,
    look: () => flagWithIfMatch(subject),
  },
];

async function grantsOfIndexes({ deployed }: Subject): Promise<string> {
  const { mayQuery } = needed(deployed, noServices);
  let asked = 0;
  const wrong: string[] = [];
  for (const { index, kinds, row } of indexesOf(operations)) {
    const description = `${row.method} ${row.path}:`;
    const own = kinds.flatMap(({ keys }) => keys).map((key) => key.replace('*', 'verify'));
    const expectations = [
      ...own.map((key) => ({ keys: [key], allowed: true })),
      { keys: ['SOMETHING#ELSE'], allowed: false },
      { keys: [own[0] ?? '', 'SOMETHING#ELSE'], allowed: false },
      { keys: [], allowed: false },
    ];
    for (const { keys, allowed } of expectations) {
      asked += 1;
      if ((await mayQuery(description, index, keys)) !== allowed) {
        wrong.push(`${row.id} ${allowed ? 'may not' : 'may'} query ${index} for [${keys}]`);
      }
    }
  }
  if (wrong.length > 0) throw new Differs(wrong.join('; '));
  return `as expected in all ${asked} cases`;
}

/** Each index that an operation may query, with the partition types it may use there. */
const indexesOf = (rows: readonly Operation[]) =>
  rows.flatMap((row) => {
    const own = partitions.filter(({ kind, index }) => index && row.calls[kind]?.length);
    return [...Map.groupBy(own, ({ index }) => index)].flatMap(([index, kinds]) =>
      index ? [{ row, index, kinds }] : [],
    );
  });

async function flagWithIfMatch(subject: Subject): Promise<string> {
  const { ANN, BOB } = needed(subject.people, noPeople(subject)).all;
  const { reply, answer } = await call(subject.url, ANN, createConversation, {
    body: { contact_id: BOB.id },
  });
  const path = { conversation_id: reply.id };
  const change: Sent = {
    path,
    body: { is_muted: true },
    headers: { 'If-Match': answer.headers.etag ?? '' },
  };
  const changed = await send(subject.url, ANN, updateConversation, change);
  await send(subject.url, ANN, deleteConversation, { path });
  if (changed.status !== 200) throw new Differs(inShort(changed));
  return inShort(changed);
}
