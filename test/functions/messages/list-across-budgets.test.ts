import { beforeAll, describe, expect, test } from '@jest/globals';
import { messageId } from '../../../shared/ids.ts';
import { usage } from '../../../shared/usage.ts';
import { listAcross, openedBy } from '../../support/across.ts';
import { person } from '../../support/people.ts';
import { seedMessages } from '../../support/seed.ts';
import { create, list } from '../../support/steps.ts';
import '../../support/table.ts';

const now = Date.now();
const minute = 60_000;

/** What a listing asks of the table: calls, read units, write units, and how many conversations it opens. */
async function costOf(call: () => Promise<unknown>) {
  const opened = await openedBy(call);
  const { table_calls, read_units, write_units } = usage;
  return [table_calls, read_units, write_units, opened.length];
}

describe.each([10, 10_000])(
  'What listing across conversations costs, with a hundred of which one is busy, with %i messages',
  (count) => {
    const ann = person(`ann${count}`);
    const reader = person(`reader${count}`);
    let busy: string;
    let [newest, middle, idle] = ['', '', ''];

    beforeAll(async () => {
      const sentBefore = async (minutes: number) => {
        const { id } = await create(ann, { contact_id: reader.id });
        await seedMessages(id, ann.id, 1, () => now - minutes * minute);
        return id;
      };
      const ids: string[] = [];
      for (let n = 0; n < 99; n++) ids.push(await sentBefore(5 + n));
      busy = (await create(ann, { contact_id: reader.id })).id;
      await seedMessages(busy, ann.id, count);
      const { data } = await list(reader, busy, { limit: String(5) });
      newest = data[0]?.id ?? '';
      const all = await list(reader, busy, { limit: '10' });
      middle = all.data[4]?.id ?? '';
      idle = (await list(reader, ids[50] ?? '')).data[0]?.id ?? '';
    });

    test.each<[string, () => Record<string, string>]>([
      ['the first ten', () => ({})],
      ['what is newer than the newest: nothing', () => ({ ending_before: newest })],
      ['what is newer', () => ({ ending_before: middle })],
      ['what is older', () => ({ starting_after: middle })],
      ['what is older, far down', () => ({ starting_after: idle })],
      ['what is newer, far down', () => ({ ending_before: idle })],
      ['a hundred', () => ({ limit: '100' })],
    ])('%s', async (name, query) => {
      console.log(count, name, await costOf(() => listAcross(reader, query())));
      expect(1).toBe(1);
    });
  },
);

describe.each([10, 10_000])(
  'What listing across conversations costs, with ten that take turns, with %i messages in all',
  (count) => {
    const ann = person(`anna${count}`);
    const reader = person(`lector${count}`);
    let deep: string;

    beforeAll(async () => {
      const third = Math.ceil(count / 30);
      for (let n = 0; n < 10; n++) {
        const { id } = await create(ann, { contact_id: reader.id });
        const timeOf = (place: number) => now - 20 * minute + place * 10 + n;
        await seedMessages(id, ann.id, count / 10, timeOf);
        const position = { conversationId: id, sequence: third, sentAt: timeOf(third) };
        if (n === 5) deep = messageId(position);
      }
      await listAcross(reader);
    });

    test.each<[string, () => Record<string, string>]>([
      ['the first ten', () => ({})],
      ['what is newer', () => ({ ending_before: deep })],
      ['what is older', () => ({ starting_after: deep })],
      ['a hundred', () => ({ limit: '100' })],
    ])('%s', async (name, query) => {
      console.log('turns', count, name, await costOf(() => listAcross(reader, query())));
      expect(1).toBe(1);
    });
  },
);
