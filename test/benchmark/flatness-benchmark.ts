import * as v from 'valibot';
import type { Operation } from '../../shared/contract/operation.ts';
import {
  createConversation,
  listConversations,
  listMessages,
  sendMessage,
} from '../../shared/contract/operations.ts';
import type { Call } from '../support/handlers/gateway-event.ts';
import { person } from '../support/people/callers.ts';
import type { Section } from './report/section.ts';
import type { Measure } from './with-table.ts';

export interface FlatnessSizes {
  messages: readonly number[];
  conversations: readonly number[];
  groups: readonly number[];
}

interface Row {
  name: string;
  operation: Operation;
  call: Call;
  milliseconds: number[];
}

/**
 * Measures how the duration of calls depends on the amount of data, with handlers in this process
 * and DynamoDB Local. The budget tests count capacity units.
 */
export async function measureFlatness(
  measure: Measure,
  sizes: FlatnessSizes,
  rounds: number,
): Promise<Section[]> {
  const rows = await seed(sizes);
  for (let round = 0; round <= rounds; round += 1) {
    for (const { operation, call, milliseconds } of rows) {
      const measured = await measure(operation, call);
      if (round === 0) continue;
      milliseconds.push(measured.milliseconds);
    }
  }
  const getAction = ({ name }: Row) => name.split(',')[0] ?? '';
  return toSections(rows.toSorted((a, b) => getAction(a).localeCompare(getAction(b))));
}

const Created = v.pipe(v.string(), v.parseJson(), v.object({ id: v.string() }));
const count = (number: number) => number.toLocaleString('en-US');

async function seed({ messages, conversations, groups }: FlatnessSizes): Promise<Row[]> {
  const { invokeHandler } = await import('../support/handlers/invoke-handler.ts');
  const { seedMessages } = await import('../support/seeds/seed-messages.ts');
  const { seedConversations } = await import('../support/seeds/seed-conversations.ts');
  const rows: Row[] = [];
  const add = (name: string, operation: Operation, call: Call) =>
    rows.push({ name, operation, call, milliseconds: [] });
  for (const number of messages) {
    const as = person(`writer-${number}`);
    const { body } = await invokeHandler(createConversation, { as, body: { contact_id: 'bob' } });
    const { id } = v.parse(Created, body);
    await seedMessages(id, as.id, number);
    const of = `${count(number)} messages`;
    add(`send, ${of}`, sendMessage, { as, body: { conversation_id: id, message: 'Hello' } });
    add(`list, ${of}`, listMessages, { as, query: { conversation_id: id } });
  }
  for (const number of conversations) {
    const as = person(`reader-${number}`);
    await seedConversations(toSeeds(number, (n) => ({ created_by: as.id, contact_id: `c-${n}` })));
    add(`inbox, ${count(number)} conversations`, listConversations, { as });
  }
  for (const number of groups) {
    const names = Array.from({ length: number }, (_, n) => `group-${number}-${n}`);
    await seedConversations(
      toSeeds(number, (n) => ({ created_by: 'bob', group_id: names[n] ?? '' })),
    );
    const as = person(`member-${number}`, { groups: names });
    add(`inbox, ${count(number)} active groups`, listConversations, { as });
  }
  return rows;
}

const toSeeds = <Fields extends object>(number: number, getFields: (n: number) => Fields) =>
  Array.from({ length: number }, (_, n) => {
    const created_at = Date.now() - 1000 * (number - n);
    return { ...getFields(n), created_at, last_message_at: created_at };
  });

const toSections = (rows: readonly Row[]): Section[] => [
  {
    id: 'flatness',
    title: 'Time by amount of data',
    explanation:
      'All handlers ran in one process, on DynamoDB Local. Compare only rows of the same operation: ratios between operations differ on AWS.',
    unit: 'ms',
    hasRatio: false,
    rows: rows.map(({ name, milliseconds }) => ({ name, values: milliseconds })),
  },
];
