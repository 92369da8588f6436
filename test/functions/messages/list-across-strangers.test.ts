import { appendFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { messageId } from '../../../shared/ids.ts';
import { usage } from '../../../shared/usage.ts';
import { listAcross } from '../../support/across.ts';
import { person } from '../../support/people.ts';
import { seedMessages } from '../../support/seed.ts';
import { create } from '../../support/steps.ts';
import { type Deed, openConversations } from '../../support/strangers.ts';
import '../../support/table.ts';

const minute = 60_000;
const start = Date.now() - 200 * minute;
/** A friend writes every minute for a hundred minutes; the cursor is at the fiftieth message. */
const messages = 100;
const cursorAt = 50;
const at = (minutes: number) => start + minutes * minute;

describe.each<[string, (n: number) => Deed, { older: number; newer: number; top: number }]>([
  ['empty, opened since', (n) => ({ opened: at(60) + n }), { older: 0, newer: 0, top: 0 }],
  ['one message, since', (n) => ({ opened: at(60) + n, sent: [at(61) + n] }), { older: 0, newer: 0, top: 0 }],
  ['opened before, one message since', (n) => ({ opened: at(10) + n, sent: [at(61) + n] }), { older: 0, newer: 0, top: 0 }],
  ['two messages around', (n) => ({ opened: at(10) + n, sent: [at(20) + n, at(61) + n] }), { older: 0, newer: 0, top: 0 }],
  ['seven messages around', (n) => ({ opened: at(0) + n, sent: [1, 2, 3,4,61,80,90].map(m => at(m) + n) }), { older: 0, newer: 0, top: 0 }],
  ['opened right after, late message', (n) => ({ opened: at(50) + n + 1, sent: [at(65)+n] }), { older: 0, newer: 0, top: 0 }],
  ['two late, opened right after', (n) => ({ opened: at(50) + n + 1, sent: [at(65)+n, at(66) + n] }), { older: 0, newer: 0, top: 0 }],
  ['deleted', (n) => ({ opened: at(120) + n, sent: [at(130) + n], deleted: true }), { older: 0, newer: 0, top: 0 }],
  ['deleted three, before', (n) => ({ opened: at(20) + n, sent: [at(21) + n, at(22)+n, at(130)+n], deleted: true }), { older: 0, newer: 0, top: 0 }],
])('%s', (name, deedOf) => {
  describe.each([5000])('%i', (count) => {
    const friend = person(`friend ${name}${count}`.replaceAll(/[ ,]/g, '-'));
    const reader = person(`reader ${name}${count}`.replaceAll(/[ ,]/g, '-'));
    let cursor = '';
    beforeAll(async () => {
      const { id } = await create(friend, { contact_id: reader.id });
      await seedMessages(id, friend.id, messages, at);
      cursor = messageId({ conversationId: id, sequence: cursorAt, sentAt: at(cursorAt) });
      await openConversations(reader.id, count, deedOf);
      await listAcross(reader);
    }, 60_000);
    test.each<[string, () => Record<string, string>]>([
      ['older', () => ({ starting_after: cursor })],
      ['newer', () => ({ ending_before: cursor })],
      ['top', () => ({})],
    ])('%s', async (way, query) => {
      const t0 = performance.now();
      const page = await listAcross(reader, query());
      appendFileSync('/tmp/across.log', [name, count, way, usage.table_calls, usage.read_units, Math.round(performance.now() - t0), page.data.map(({contact, message}) => contact.id.slice(0,1) + message.slice(0,3)).join(' ')].join('\t') + '\n');
      expect(page.data).toHaveLength(10);
    });
  });
});
