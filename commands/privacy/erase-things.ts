import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clock } from '../../shared/clock.ts';
import { usage } from '../../shared/log/usage.ts';
import { toErasureEndUpdate, toErasureUpdate } from '../../shared/table/erased-contact.ts';
import { chunkKey } from '../../shared/table/keys/keys.ts';
import { erasureAttribute } from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/table.ts';
import { type Counts, noCounts, sumOf, toErase } from './counts.ts';
import { eraseThing } from './erase-thing.ts';
import type { Found } from './found.ts';
import { paceOf } from './pace.ts';
import { type Leg, partition } from './walk.ts';
import { walkThings } from './walk-things.ts';

export interface Erasure {
  table: StageTable;
  id: string;
  /** Where their things are looked for. */
  legs: readonly Leg[];
  /** Units a second. */
  rates: { reads: number; writes: number };
  /** The stage tells what happens, in feeds: what is erased, too. */
  hasEvents: boolean;
  pageSize?: number;
  onProgress?: (counts: Counts) => void;
}

const maxWalks = 5;
/**
 * What the others are told by goes through the stream, and so into the feed of who is erased:
 * within seconds, mostly.
 */
const betweenLooks = 2000;
const quietLooks = 2;
const maxScans = 15;

/** Counts what there is of somebody; changes nothing. */
export const countThings = ({ rates, ...erasure }: Erasure): Promise<Counts> =>
  walkThings({ ...erasure, pace: paceOf(rates.reads) });

/**
 * Erases all that there is of somebody: first their contact's record, so that no face is stored any
 * more, then what walks of the table find, until one finds nothing. Gives what was erased, and what
 * the last walk still found: nothing, unless somebody writes as them all the while. Whenever it
 * breaks off, it can be begun again. That the whole table was found to have nothing is noted in the
 * record.
 */
export async function eraseThings(erasure: Erasure): Promise<{ erased: Counts; left: Counts }> {
  const { table, id, rates, hasEvents } = erasure;
  const pace = paceOf(rates.reads);
  const erase = eraser(erasure);
  let erased = { ...noCounts, profile: (await eraseProfile(table, id)) ? 1 : 0 };
  for (let walks = 1; ; walks++) {
    const begun = clock.now();
    const met = await walkThings({ ...erasure, pace }, walks < maxWalks ? erase : undefined);
    const { conversations, events, ...own } = met;
    const isClean = toErase({ ...own, events: 0, conversations: 0 }) === 0;
    if (isClean || walks === maxWalks) {
      if (isClean && isWhole(erasure)) await noteEnd(table, id, begun);
      // Others may go on writing to them, and be told so in their feed: that ends with the
      // conversations.
      const left = { ...met, conversations: 0, events: 0 };
      return { erased: { ...sumOf(erased, { ...noCounts, events }), conversations }, left };
    }
    erased = sumOf(erased, { ...met, conversations: 0 });
    if (hasEvents) erased = sumOf(erased, await emptyFeed(erasure, erase));
  }
}

/** Gives whether there was anything to be known. */
async function eraseProfile({ client, name }: StageTable, id: string): Promise<boolean> {
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName: name,
      ...toErasureUpdate(id, clock.now()),
      ReturnValues: 'ALL_OLD',
    }),
  );
  return Attributes !== undefined && !(erasureAttribute in Attributes);
}

const isWhole = ({ legs }: Erasure) => legs.every(({ kind }) => kind === 'segment');

async function noteEnd({ client, name }: StageTable, id: string, through: number): Promise<void> {
  try {
    await client.send(new UpdateCommand({ TableName: name, ...toErasureEndUpdate(id, through) }));
  } catch (error) {
    // Somebody has removed the record meanwhile, as docs/privacy.md says how: the id may have a
    // face again.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Erases as fast as the rates allow, by what the table's code was charged. */
function eraser({ table, id, rates }: Erasure): (found: Found) => Promise<void> {
  const [readsPaced, writesPaced] = [paceOf(rates.reads), paceOf(rates.writes)];
  let paid = { ...usage };
  return async (found) => {
    await eraseThing(found, id, table);
    const reads = usage.read_units - paid.read_units;
    const writes = usage.write_units - paid.write_units;
    paid = { ...usage };
    await readsPaced(reads);
    // What is removed in another way than by that code is charged one, or two.
    await writesPaced(Math.max(1, writes));
  };
}

/** Empties the feed of who was erased, until nothing has come for a while. */
async function emptyFeed(erasure: Erasure, erase: (found: Found) => Promise<void>) {
  const { id, rates } = erasure;
  const legs = [partition(chunkKey({ kind: 'contact', id }, 1).pk)];
  const pace = paceOf(rates.reads);
  let erased = noCounts;
  for (let looks = 0, quiet = 0; looks < maxScans && quiet < quietLooks; looks++) {
    await clock.sleep(betweenLooks);
    const { events } = await walkThings({ ...erasure, legs, pace, onProgress: undefined }, erase);
    erased = sumOf(erased, { ...noCounts, events });
    quiet = events === 0 ? quiet + 1 : 0;
  }
  return erased;
}
