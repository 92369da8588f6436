import type { StageTable } from '../stage/table.ts';
import { aloneAmong } from './alone.ts';
import { conversationsOf } from './conversations.ts';
import { type Counts, countOf, noCounts, sumOf } from './counts.ts';
import { mayConcern } from './filter.ts';
import { type Found, foundOn } from './found.ts';
import type { Pace } from './pace.ts';
import { sideBySide } from './side-by-side.ts';
import { type Leg, walk } from './walk.ts';

export interface WalkOfThings {
  table: StageTable;
  id: string;
  /** The parts of the table to search. */
  legs: readonly Leg[];
  pace: Pace;
  pageSize?: number | undefined;
  /** Receives the counts so far. */
  onProgress?: ((counts: Counts) => void) | undefined;
}

/** Number of items processed in parallel. */
const atOnce = 8;

/** What to do with the items of a person. */
export interface Actions {
  /** Receives an item, or a conversation without another participant. */
  onThing(found: Found): Promise<void>;
  /** Receives the id of a conversation that the person created or that names the person. */
  onSharedConversation(id: string): Promise<void>;
}

const countOnly: Actions = { onThing: async () => {}, onSharedConversation: async () => {} };

/**
 * Calls a function for each item of a person, and counts the items. Conversations without another
 * participant are passed as a whole, without their single items.
 */
export async function walkThings(
  { table, id, legs, pace, pageSize, onProgress }: WalkOfThings,
  { onThing, onSharedConversation }: Actions = countOnly,
): Promise<Counts> {
  const who = { id, groups: [] };
  const conversations = conversationsOf(table);
  let counts = noCounts;
  await walk({
    table,
    legs,
    filter: mayConcern(who),
    pace,
    pageSize,
    onPage: async (items) => {
      const found = await foundOn(items, who, conversations);
      const alone = await aloneAmong(table, found, id);
      const isAlone = ({ conversation }: Found) => alone.has(conversation?.id ?? '');
      const ofOthers = found.filter((one) => !isAlone(one));
      const asAWhole = found.filter((one) => one.thing.kind === 'conversation' && isAlone(one));
      await sideBySide(asAWhole, atOnce, onThing);
      for (const id of alone) conversations.forget(id);
      await sideBySide(ofOthers, atOnce, (one) =>
        one.thing.kind === 'conversation'
          ? onSharedConversation(one.thing.conversation.id)
          : onThing(one),
      );
      for (const { thing } of asAWhole) counts = sumOf(counts, countOf(thing, true));
      for (const { thing } of ofOthers) counts = sumOf(counts, countOf(thing, false));
      onProgress?.(counts);
    },
  });
  return counts;
}
