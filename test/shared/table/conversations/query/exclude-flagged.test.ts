import { expect, test } from '@jest/globals';
import { newConversationId } from '../../../../../shared/ids.ts';
import { resetUsage, usage } from '../../../../../shared/log/usage.ts';
import { newConversation } from '../../../../../shared/table/conversations/items/conversation-item.ts';
import { createFlagExcluder } from '../../../../../shared/table/conversations/query/exclude-flagged.ts';
import { seedManyFlags } from '../../../../support/seeds/seed-conversations.ts';
import '../../../../support/setup/use-table.ts';

test('After reading the flag index, a filter reads only the settings that the page still needs', async () => {
  const ids = Array.from({ length: 600 }, (_, n) => newConversationId(1_000_000 + n));
  const archived = ids.slice(60, 250);
  await seedManyFlags('ann', archived, { archived_at: 1 });
  const conversations = ids.map((id) => newConversation(id, 'ann', { contact_id: 'bob' }));

  const exclude = createFlagExcluder('ann', { muted: false, archived: true, pinned: false }, 101);
  const first = await exclude(conversations.slice(0, 250));
  resetUsage();
  const second = await exclude(conversations.slice(250));

  expect([...first, ...second].map(({ conversation }) => conversation.id)).toEqual(
    ids.filter((id) => !archived.includes(id)).slice(0, 101),
  );
  // Four calls read the four sets of flags that include `archived`. One call reads 41 settings, at
  // half a read unit each.
  expect(usage.table_calls).toBe(4 + 1);
  expect(usage.read_units).toBeLessThanOrEqual(4 * 4 + 41 / 2);
});
