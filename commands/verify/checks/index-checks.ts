import { getFunctionPath } from '../../../lib/function-paths.ts';
import { Problem } from '../../../lib/problem.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import {
  createConversation,
  deleteConversation,
  listBusinesses,
  listConversations,
  listMessages,
  operations,
  updateConversation,
} from '../../../shared/contract/operations.ts';
import { partitions } from '../../../shared/table/keys/partitions.ts';
import {
  callOperation,
  type OperationInput,
  sendOperation,
  summarize,
} from '../../api/call-operation.ts';
import { type Check, requireValue } from '../target/check.ts';
import { getNoUsersReason, noServicesReason, type VerifyTarget } from '../target/target.ts';

const file = 'lib/constructs/functions/table-statements.ts';

const cure = `if the function's log contains AccessDeniedException: AWS does not provide the index's key for index queries. In ${file}, use onlyKeys only for statements without an index, deploy, and update the comment of onlyKeys`;

const queries: readonly {
  label: string;
  operation: Operation;
  query: Readonly<Record<string, string>>;
}[] = [
  {
    label: 'inboxes of the user, the groups and the named contact (gsi1, gsi2)',
    operation: listConversations,
    query: {},
  },
  { label: 'messages across conversations (gsi1, gsi2)', operation: listMessages, query: {} },
  {
    label: 'flagged conversations (gsi3)',
    operation: listConversations,
    query: { pinned: 'true' },
  },
  { label: 'active businesses (gsi1)', operation: listBusinesses, query: { active: 'true' } },
];

/**
 * Returns the checks of permissions for index queries. Each permission requires the index's
 * partition key as a leading key, so a successful query proves that AWS provides leading keys for
 * indexes. One check evaluates the policies to verify that they deny other queries.
 */
export const indexChecks = (target: VerifyTarget): Check[] => [
  ...queries.map(
    ({ label, operation, query }): Check => ({
      name: `Index queries: ${label}`,
      expected: `${operation.status}`,
      cure,
      run: async () => {
        const { ANN } = requireValue(target.users, getNoUsersReason(target)).all;
        const response = await sendOperation(target.url, ANN, operation, {
          query: { ...query, limit: '1' },
        });
        if (response.status !== operation.status) throw new Problem(summarize(response));
        return summarize(response);
      },
    }),
  ),
  {
    name: 'Index queries: permissions of all operations',
    expected:
      'allowed for the partitions of the operation, denied for other partitions and without a key',
    cure: `the deployed policies differ from ${file}: deploy again`,
    run: () => checkIndexGrants(target),
  },
  {
    name: 'Transactions: a condition check on an unchanged item (ConditionCheckItem)',
    expected: '200',
    cure: `if the function's log contains AccessDeniedException: AWS provides no leading keys for the parts of transactions. In ${file}, set transactionsHaveLeadingKeys to false and deploy`,
    run: () => muteWithIfMatch(target),
  },
];

async function checkIndexGrants({ deployed }: VerifyTarget): Promise<string> {
  const { mayQuery } = requireValue(deployed, noServicesReason);
  let cases = 0;
  const faults: string[] = [];
  for (const { index, kinds, row } of listIndexes(operations)) {
    const description = `${getFunctionPath(row)}:`;
    const ownKeys = kinds.flatMap(({ keys }) => keys).map((key) => key.replace('*', 'verify'));
    const expectations = [
      ...ownKeys.map((key) => ({ keys: [key], allowed: true })),
      { keys: ['SOMETHING#ELSE'], allowed: false },
      { keys: [ownKeys[0] ?? '', 'SOMETHING#ELSE'], allowed: false },
      { keys: [], allowed: false },
    ];
    for (const { keys, allowed } of expectations) {
      cases += 1;
      if ((await mayQuery(description, index, keys)) !== allowed) {
        faults.push(`${row.id} ${allowed ? 'may not' : 'may'} query ${index} for [${keys}]`);
      }
    }
  }
  if (faults.length > 0) throw new Problem(faults.join('; '));
  return `as expected in all ${cases} cases`;
}

/**
 * Pairs each operation with each index that it may query. Each pair includes the partition types
 * that the operation may query in the index.
 */
const listIndexes = (rows: readonly Operation[]) =>
  rows.flatMap((row) => {
    const ownKeys = partitions.filter(({ kind, index }) => index && row.calls[kind]?.length);
    return [...Map.groupBy(ownKeys, ({ index }) => index)].flatMap(([index, kinds]) =>
      index ? [{ row, index, kinds }] : [],
    );
  });

async function muteWithIfMatch(target: VerifyTarget): Promise<string> {
  const { ANN, BOB } = requireValue(target.users, getNoUsersReason(target)).all;
  const { reply, response } = await callOperation(target.url, ANN, createConversation, {
    body: { contact_id: BOB.id },
  });
  const path = { conversation_id: reply.id };
  const input: OperationInput = {
    path,
    body: { is_muted: true },
    headers: { 'If-Match': response.headers.etag ?? '' },
  };
  const updated = await sendOperation(target.url, ANN, updateConversation, input);
  await sendOperation(target.url, ANN, deleteConversation, { path });
  if (updated.status !== 200) throw new Problem(summarize(updated));
  return summarize(updated);
}
