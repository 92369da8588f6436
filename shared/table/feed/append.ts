import { clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { feedName, type Inbox } from '../../inbox.ts';
import { remembering } from '../../remembering.ts';
import {
  addToChunk,
  beginChunk,
  type Chunk,
  capacityOf,
  endOf,
  newestChunks,
  toChunk,
} from './chunk.ts';
import { expire, seeToCheck } from './kept.ts';

const mostSteps = 1000;

/** A chunk as it was met last, in milliseconds: it may be full by now, and others newer. */
interface Met {
  chunk: Chunk;
  at: number;
}
/** Far below what a chunk lives, so that nobody goes on from one that came before some that are gone. */
const meetingCountsFor = 60 * 60 * 1000;

/** Appends entries to a feed, and gives the place of each. */
export type AppendToFeed = (
  inbox: Inbox,
  entries: readonly string[],
) => Promise<ReadonlyMap<string, number>>;

/**
 * What appends to feeds, with a memory of its own. Entries come in the given order. A feed is a log in chunks:
 *
 * - writers only add to the newest chunk, and that only while it has room;
 * - the next one is begun by who has seen it full, at the place after its last, on condition that it does not exist;
 * - only then is the full one given a time to live; whoever learns of a chunk first makes sure that the one before has it;
 * - a chunk that nobody fills is emptied when it is old (look-after.ts): then it is full, and its places are known.
 *
 * So places have no gaps and are given once, the newest chunk never goes, and whatever dies at whatever moment, who comes
 * next goes on. An entry that is in the chunk already is not added again, nor one that this very writer has added; one that
 * another has added to an earlier chunk may be.
 */
export function feedWriter(): AppendToFeed {
  const newest = remembering<Met>(10_000);
  const placed = remembering<number>(20_000);

  return async (inbox, entries) => {
    const feed = feedName(inbox);
    const keyOf = (entry: string) => `${feed}${entry}`;
    const places = new Map<string, number>();
    for (const entry of entries) {
      const place = placed.get(keyOf(entry));
      if (place !== undefined) places.set(entry, place);
    }
    for (let steps = 0; steps < mostSteps; steps++) {
      const left = [...new Set(entries)].filter((entry) => !places.has(entry));
      if (left.length === 0) return places;
      const met = newest.get(feed);
      const known = met && clock.now() - met.at < meetingCountsFor ? met.chunk : undefined;
      const chunk = known ? await addOrGoOn(inbox, known, left) : await addToNewest(inbox, left);
      if (!chunk) {
        newest.forget(feed);
        continue;
      }
      newest.set(feed, { chunk, at: clock.now() });
      for (const [n, entry] of chunk.entries.entries()) {
        if (!left.includes(entry)) continue;
        places.set(entry, chunk.first + n);
        placed.set(keyOf(entry), chunk.first + n);
      }
    }
    throw new ApiError('unavailable');
  };
}

/** Each gives the chunk with what it holds then, which may be some of the entries or none; undefined where nothing is known. */
type Step = Promise<Chunk | undefined>;

async function addToNewest(inbox: Inbox, entries: string[]): Step {
  const [last, before] = await newestChunks(inbox, 2);
  if (!last) {
    await seeToCheck(inbox, undefined);
    return beginChunk(inbox, 1, entries.slice(0, capacityOf(inbox)));
  }
  if (before && before.expires_at === undefined) await expire(inbox, before);
  return last.room > 0 ? addTo(inbox, last, entries) : begin(inbox, last, entries);
}

async function addOrGoOn(inbox: Inbox, known: Chunk, entries: string[]): Step {
  if (known.room > 0) return addTo(inbox, known, entries);
  // Somebody has begun the next one, and others may have come since.
  return known.expires_at === undefined ? begin(inbox, known, entries) : undefined;
}

async function addTo(inbox: Inbox, { first, room }: Chunk, entries: string[]): Step {
  const written = await addToChunk(inbox, first, entries.slice(0, room));
  const item = written.done ? written.item : written.found;
  return item && toChunk(item);
}

/** The chunk after a full one, begun with the first of the entries unless it is there. */
async function begin(inbox: Inbox, full: Chunk, entries: string[]): Step {
  await seeToCheck(inbox, full);
  const chunk = await beginChunk(inbox, endOf(full), entries.slice(0, capacityOf(inbox)));
  await expire(inbox, full);
  return chunk;
}
