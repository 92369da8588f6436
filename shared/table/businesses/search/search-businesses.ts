import type { BusinessRecord } from '../../../contract/business/business.ts';
import { countFitting } from '../../../paging.ts';
import { type Item, queryPage } from '../../calls/access.ts';
import {
  businessCellKey,
  businessIndustryKey,
  businessTitleKey,
  parseBusinessEntry,
} from '../../keys/business-keys.ts';
import type { Key } from '../../keys/keys.ts';
import { indexes, tableKey } from '../../keys/names.ts';
import { lookUpBusinesses } from '../get-business.ts';
import type { BusinessRange } from '../query-businesses.ts';
import type { Point } from './cells.ts';
import { type Candidate, findNearest, toCellEntry, toNearPosition } from './find-nearest.ts';
import { repeatedAttribute } from './search-entries.ts';
import { normalizeText, toTitleEndings } from './search-text.ts';

interface EntryRange {
  from: string | undefined;
  backwards: boolean;
  count: number;
}

/** A search that sorts listings by position. Positions are compared as text. */
export interface BusinessSearch {
  /** Returns the listing's position; `undefined` if the listing does not match. */
  toPosition(business: BusinessRecord): string | undefined;
  /** Returns up to `count` entries after a position. Entries may be outdated. */
  read(range: EntryRange, onlyActive: boolean): Promise<Candidate[]>;
}

/** Creates a search for listings in an industry, sorted by public id. */
export function searchIndustry(industry: string): BusinessSearch {
  const normalized = normalizeText(industry);
  return {
    toPosition: (business) =>
      normalizeText(business.industry ?? '') === normalized ? business.public_id : undefined,
    read: async (range, onlyActive) => {
      const keys = await queryKeys(businessIndustryKey(normalized, ''), range, onlyActive);
      return keys.map(({ publicId }) => ({ publicId, position: publicId }));
    },
  };
}

/**
 * Creates a search for titles that contain the words consecutively. The last word may be
 * incomplete. Sorts listings by the part of the title that starts with the words. A listing whose
 * title contains the words twice appears once.
 */
export function searchTitle(words: string): BusinessSearch {
  const start = normalizeText(words);
  return {
    toPosition: ({ title, public_id }) => {
      const ending = toTitleEndings(title ?? '').find(({ text }) => text.startsWith(start));
      return ending && `${ending.text}#${public_id}`;
    },
    read: async (range, onlyActive) => {
      const unrepeated = {
        FilterExpression: `attribute_not_exists(${repeatedAttribute}) OR ${repeatedAttribute} < :length`,
        ExpressionAttributeValues: { ':length': start.length },
      };
      const keys = await queryKeys(businessTitleKey(start), range, onlyActive, unrepeated);
      return keys.map(({ sort, publicId }) => ({ publicId, position: `${sort}#${publicId}` }));
    },
  };
}

/** Creates a search for listings within a radius in meters, nearest first. */
export function searchNear(point: Point, radius: number): BusinessSearch {
  const area = { point, radius };
  return {
    toPosition: ({ public_id, latitude, longitude }) =>
      latitude === null || longitude === null
        ? undefined
        : toNearPosition(area, toCellEntry(public_id, { latitude, longitude })),
    read: (range, onlyActive) =>
      findNearest({ ...area, ...range }, async ({ cell, from, ...read }) => {
        const position = from === undefined ? undefined : `${cell}#${from}`;
        const keys = await queryKeys(
          businessCellKey(cell),
          { ...read, from: position },
          onlyActive,
        );
        return keys.map(({ sort, publicId }) => ({ cell: sort, publicId }));
      }),
  };
}

/** A filtered query requests at least ten times this many entries for its second page. */
const firstEntries = 100;

interface EntryFilter {
  FilterExpression: string;
  ExpressionAttributeValues: Record<string, unknown>;
}

/**
 * Returns up to `count` entries with a sort key prefix, after the sort key `from`. A filter adds
 * about one call per megabyte of entries that it drops.
 */
async function queryKeys(
  { pk, sk }: Key,
  { from, backwards, count }: EntryRange,
  onlyActive: boolean,
  filter?: EntryFilter,
) {
  const { partition, sort } = onlyActive ? indexes.gsi1 : tableKey;
  // U+10FFFF sorts after every character that a key contains.
  const [start, end] = [sk || lowestSort, `${sk}\u{10FFFF}`];
  const query = {
    ...(onlyActive && { IndexName: 'gsi1' }),
    KeyConditionExpression: `${partition} = :partition AND ${sort} BETWEEN :first AND :last`,
    ...filter,
    ExpressionAttributeValues: {
      ':partition': pk,
      ':first': backwards ? start : (from ?? start),
      ':last': backwards ? (from ?? end) : end,
      ...filter?.ExpressionAttributeValues,
    },
    ScanIndexForward: !backwards,
  };
  const found: Item[] = [];
  let Limit = count + 1;
  let next: Item | undefined;
  do {
    const page = await queryPage({ ...query, Limit, ExclusiveStartKey: next });
    // BETWEEN also returns the entry at `from`.
    found.push(...page.items.filter(({ [tableKey.sort]: position }) => position !== from));
    next = filter && page.next;
    Limit = Math.max(firstEntries, Limit) * 10;
  } while (next && found.length < count);
  return found.slice(0, count).map(parseBusinessEntry);
}

/** Sort key that precedes all others. It is not empty, because DynamoDB rejects empty keys. */
const lowestSort = ' ';

/** Number of listings per read. Each listing is at most 350 KB. */
const lookUpSize = 25;

/** Returns up to `count` listings of a search; fewer if they exceed the size of one reply. */
export async function searchBusinesses(
  search: BusinessSearch,
  range: BusinessRange,
): Promise<BusinessRecord[]> {
  const { onlyActive, backwards, count } = range;
  const found: BusinessRecord[] = [];
  let from = range.from;
  for (;;) {
    const needed = count - found.length;
    const entries = await search.read({ from, backwards, count: needed }, onlyActive);
    for (let offset = 0; offset < entries.length; offset += lookUpSize) {
      const part = entries.slice(offset, offset + lookUpSize);
      const findBusiness = await lookUpBusinesses(part.map(({ publicId }) => publicId));
      for (const { publicId, position } of part) {
        const business = findBusiness(publicId);
        // The entry may belong to an earlier version of the listing.
        const isCurrent = business && search.toPosition(business) === position;
        if (isCurrent && (!onlyActive || business.status === 'active')) found.push(business);
      }
      if (countFitting(found.map(range.toReply)) < found.length) return found;
    }
    from = entries.at(-1)?.position;
    if (entries.length < needed || found.length === count) return found;
  }
}
