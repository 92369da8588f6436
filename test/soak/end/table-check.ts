import type { ServingCloud } from '../cloud-process.ts';
import { isAlive, isGone, type World } from '../model/world.ts';
import { isLeftOver, whyStray, wrongRecords } from './belongs.ts';
import { type Item, readTable } from './table.ts';

/** What was found in the table once all was quiet. */
export interface TableFigures {
  items: number;
  deletedConversations: number;
}

/** Looks at every item: each must belong to something that the API shows, or showed before it was deleted. */
export async function checkTable(
  cloud: ServingCloud,
  world: World,
  people: ReadonlySet<string>,
): Promise<TableFigures> {
  const items = await readTable(cloud);
  for (const item of items) {
    const why = isLeftOver(world, item) ? undefined : whyStray(world, people, item);
    if (why) world.report({ expected: `no such item in the table, as ${why}: ${shown(item)}` });
  }
  for (const wrong of wrongRecords(world, items)) world.report({ expected: wrong });
  reportMissing(world, items);
  return {
    items: items.length,
    deletedConversations: deletedOf(world).length,
  };
}

export const deletedOf = ({ conversations, now }: World) =>
  [...conversations.values()].filter((one) => isGone(one, now));

/** Every message that is there has its item, and only one: its key says so. */
function reportMissing({ messages, report }: World, items: Item[]): void {
  const stored = new Set(items.map(({ id }) => id));
  for (const message of messages.values()) {
    const { conversation, id } = message;
    if (!isAlive(message) || !isAlive(conversation) || stored.has(id)) continue;
    report({ expected: `an item for message ${id}`, conversation });
  }
}

const shown = (item: Item) => JSON.stringify(item).slice(0, 300);
