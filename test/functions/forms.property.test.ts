import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Operation } from '../../shared/contract/operation.ts';
import {
  createConversation,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { create, send } from '../support/handlers/api-calls.ts';
import { request } from '../support/handlers/invoke-handler.ts';
import { toFormFields } from '../support/handlers/to-form-fields.ts';
import { person } from '../support/people/callers.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import '../support/setup/use-table.ts';

const ann = person('ann', { groups: ['team'] });

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
/** Valid and invalid contact ids. A form can express these ids and all values below. */
const contact = fc.oneof(fc.constantFrom('bob', 'b.o:b@x', 'no spaces', 'a#b'), text);
const attachment = fc
  .record(
    {
      name: text,
      url: fc.constantFrom('https://example.com/a', 'http://example.com/a', 'nonsense'),
      size: fc.oneof(fc.nat(), fc.constantFrom('big', -1)),
      caption: text,
    },
    { requiredKeys: [] },
  )
  .filter((one) => Object.keys(one).length > 0);
const reactors = fc.array(fc.constantFrom('ann', 'ann.name', 'bob'), { maxLength: 3 });
const names = ['ok', '🎉', 'a.b', 'x'.repeat(65)];
const reactions = (...moreNames: string[]) =>
  fc.dictionary(fc.constantFrom(...names, ...moreNames), reactors, { minKeys: 1, maxKeys: 3 });

const bodies: [Operation, fc.Arbitrary<Record<string, unknown>>][] = [
  [
    createConversation,
    fc.record(
      {
        contact_id: fc.option(contact),
        group_id: fc.option(fc.constantFrom('team', 'other', 'x y')),
        distinct: fc.constantFrom(false, 'yes', '', 1),
        extra: text,
      },
      { requiredKeys: [] },
    ),
  ],
  [
    sendMessage,
    fc.record(
      {
        conversation_id: fc.constantFrom('MINE', '0'.repeat(26), 'garbage', ''),
        message: fc.oneof(text, fc.constantFrom('42', 'true', ' ', 'x'.repeat(10_001))),
        attachments: fc.option(fc.array(attachment, { maxLength: 12 })),
      },
      { requiredKeys: [] },
    ),
  ],
  [
    updateMessage,
    fc.record(
      {
        message: fc.oneof(text, fc.constantFrom('42', 'false', ' ')),
        attachments: fc.option(fc.array(attachment, { maxLength: 3 })),
        reactions: fc.oneof(
          reactions('0', '12'),
          // Excludes numeric names. In a form's list of maps, they could be parsed as indexes, and
          // the error message would differ.
          fc.array(reactions(), { minLength: 1, maxLength: 3 }),
        ),
      },
      { requiredKeys: [] },
    ),
  ],
  [
    updateConversation,
    fc.record(
      {
        pinned_message_id: fc.option(fc.constantFrom('MESSAGE', 'garbage')),
        is_pinned: fc.oneof(fc.boolean(), fc.constantFrom('yes', '1')),
        is_muted: fc.boolean(),
        last_read_message_id: fc.constantFrom('MESSAGE', 'garbage'),
        mark_unread_from: fc.constantFrom('MESSAGE', 'garbage'),
        archived_at: fc.option(fc.oneof(fc.nat(), fc.constantFrom('soon', -5, 1.5))),
      },
      { requiredKeys: [] },
    ),
  ],
];

describe('A form gets the same response or validation error as the equivalent JSON', () => {
  let conversation: string;
  let message: string;
  beforeAll(async () => {
    conversation = (await create(ann, { contact_id: 'bob' })).id;
    message = (await send(ann, conversation, 'Hello')).id;
  });

  /** Returns the part of a reply that must not depend on the request's encoding. */
  const toComparable = ({ status, body }: { status: number; body: unknown }) =>
    JSON.parse(
      JSON.stringify({ status, body }, (name, value) =>
        /^(id|request_id|created_at|updated_at|last_\w+_at)$/.test(name) ? undefined : value,
      ),
    );

  test.each(bodies.map(([row, body]) => [row.id, row, body] as const))(
    'from %s',
    async (_, row, arbitrary) => {
      await fc.assert(
        fc.asyncProperty(arbitrary, async (drawn) => {
          const body = JSON.parse(
            JSON.stringify(drawn)
              .replaceAll('"MINE"', JSON.stringify(conversation))
              .replaceAll('"MESSAGE"', JSON.stringify(message)),
          );
          const path = { message_id: message, conversation_id: conversation };
          const inPath = Object.entries(path).filter(([name]) => row.path.includes(`{${name}}`));
          const call = { as: ann, path: Object.fromEntries(inPath) };
          const byJson = await request(row, { ...call, body });
          const byForm = await request(row, {
            ...call,
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams(toFormFields(body)).toString(),
          });
          expect(toComparable(byForm)).toEqual(toComparable(byJson));
        }),
        { numRuns: selectSize(25, 100) },
      );
    },
  );
});
