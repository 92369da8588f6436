import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { clock } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';
import { usage } from '../../shared/log/usage.ts';
import { touchCacheMilliseconds } from '../../shared/table/contacts.ts';
import { toErasureEndUpdate, toErasureUpdate } from '../../shared/table/erased-contact.ts';
import { chunkKey } from '../../shared/table/keys/keys.ts';
import { erasureAttribute, erasureEndAttribute } from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/table.ts';
import { type Counts, noCounts, sumOf, toErase } from './counts.ts';
import { eraseThing, refuseSettings } from './erase-thing.ts';
import { paceOf } from './pace.ts';
import { type Leg, partition } from './walk.ts';
import { type Actions, walkThings } from './walk-things.ts';

export interface Erasure {
  table: StageTable;
  id: string;
  /** The parts of the table to search. */
  legs: readonly Leg[];
  /** Units per second. */
  rates: { reads: number; writes: number };
  /** Whether the stage has feeds. Erasures are published there as well. */
  hasEvents: boolean;
  pageSize?: number;
  onProgress?: (counts: Counts) => void;
  /** Called before waiting until all functions refuse writes, with the milliseconds. */
  onWait?: (milliseconds: number) => void;
}

const maxWalks = 5;
/**
 * Maximum milliseconds until all functions notice the erasure and requests that began before have
 * ended. All later writes are refused.
 */
const maxUnnoticed = touchCacheMilliseconds + functionLimits.request.timeoutSeconds * 1000;
/**
 * Events of the erasure reach the erased person's own feed through the stream, usually within
 * seconds.
 */
const betweenLooks = 2000;
const quietLooks = 2;
const maxScans = 15;

/** Counts the items of a person; changes nothing. */
export const countThings = ({ rates, ...erasure }: Erasure): Promise<Counts> =>
  walkThings({ ...erasure, pace: paceOf(rates.reads) });

/**
 * Erases all items of a person: the profile first, which makes functions refuse the person's
 * writes within 70 seconds, then the results of repeated searches until one that began after that
 * finds nothing. Returns the erased items and those found by the last search. Can be repeated after
 * an interruption. Records a search of the whole table without results in the profile.
 */
export async function eraseThings(erasure: Erasure): Promise<{ erased: Counts; left: Counts }> {
  const { table, id, rates, hasEvents } = erasure;
  const pace = paceOf(rates.reads);
  const erase = eraser(erasure);
  const before = await eraseProfile(table, id);
  let wait = mayBeCached(before) ? maxUnnoticed : 0;
  let erased = { ...noCounts, profile: hadProfile(before) ? 1 : 0 };
  for (let walks = 1; ; walks++) {
    const begun = clock.now();
    const met = await walkThings({ ...erasure, pace }, walks < maxWalks ? erase : undefined);
    const { conversations, events, ...own } = met;
    const isClean = toErase({ ...own, events: 0, conversations: 0 }) === 0;
    if ((isClean && wait === 0) || walks === maxWalks) {
      if (isClean && isWhole(erasure)) await noteEnd(table, id, begun);
      // Others may keep writing to them, which adds entries to their feed until the conversations
      // are deleted.
      const left = { ...met, conversations: 0, events: 0 };
      return { erased: { ...sumOf(erased, { ...noCounts, events }), conversations }, left };
    }
    erased = sumOf(erased, { ...met, conversations: 0 });
    if (wait > 0) {
      erasure.onWait?.(wait);
      await clock.sleep(wait);
      wait = 0;
    }
    if (hasEvents) erased = sumOf(erased, await emptyFeed(erasure, erase));
  }
}

type Profile = Record<string, unknown>;

/** Returns the profile before the erasure, `undefined` if there was none. */
async function eraseProfile(
  { client, name }: StageTable,
  id: string,
): Promise<Profile | undefined> {
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName: name,
      ...toErasureUpdate(id, clock.now()),
      ReturnValues: 'ALL_OLD',
    }),
  );
  return Attributes;
}

const hadProfile = (before: Profile | undefined): boolean =>
  before !== undefined && !(erasureAttribute in before);

const Activity = v.object({
  last_active_at: v.number(),
  [erasureAttribute]: v.optional(v.number(), 0),
  [erasureEndAttribute]: v.optional(v.number()),
});

/**
 * Reports whether a function may have stored the profile so recently that it accepts writes until
 * its cache expires. An hour allows for the difference between this machine's clock and theirs.
 */
function mayBeCached(before: Profile | undefined): boolean {
  if (before === undefined) return false;
  const { last_active_at, erased_at, erased_through } = v.parse(Activity, before);
  // An earlier run has waited.
  if (erased_through !== undefined) return false;
  return Math.max(last_active_at, erased_at) > clock.now() - 60 * 60 * 1000;
}

const isWhole = ({ legs }: Erasure) => legs.every(({ kind }) => kind === 'segment');

async function noteEnd({ client, name }: StageTable, id: string, through: number): Promise<void> {
  try {
    await client.send(new UpdateCommand({ TableName: name, ...toErasureEndUpdate(id, through) }));
  } catch (error) {
    // The record was removed manually, as described in docs/privacy.md: the id may have a profile
    // again.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Erases at the given rates, measured by the consumed capacity of the table code. */
function eraser({ table, id, rates }: Erasure): Actions {
  const [readsPaced, writesPaced] = [paceOf(rates.reads), paceOf(rates.writes)];
  let paid = { ...usage };
  const pace = async () => {
    const reads = usage.read_units - paid.read_units;
    const writes = usage.write_units - paid.write_units;
    paid = { ...usage };
    await readsPaced(reads);
    // Other deletions count as one or two units.
    await writesPaced(Math.max(1, writes));
  };
  return {
    onThing: (found) => eraseThing(found, id, table).then(pace),
    onSharedConversation: (shared) => refuseSettings(shared, id).then(pace),
  };
}

/** Empties the feed of the erased person until no new entries arrive for some time. */
async function emptyFeed(erasure: Erasure, erase: Actions) {
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
