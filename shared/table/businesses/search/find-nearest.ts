import { businessCellDigits } from '../../keys/business-keys.ts';
import {
  getCellDistance,
  getCells,
  getDistanceBounds,
  getInnerCells,
  isSmallestCell,
  type Point,
  smallestCellDigits,
  toCellKey,
} from './cells.ts';
import { getCommonStart } from './common-start.ts';

/**
 * Number of entries above which a cell is full. Instead of a full cell, `findNearest` reads the
 * cells inside it.
 */
const maxCellEntries = 100;
/** Maximum number of concurrent reads. A higher limit would cause reads of unneeded cells. */
const concurrentCells = 2;
/** Number of digits to add to the key of a full cell to get the keys of the 64 cells inside it. */
const innerDigits = 3;

export interface CellEntry {
  cell: string;
  publicId: string;
}

export interface CellRead {
  /** Prefix of the cell keys to read. */
  cell: string;
  count: number;
  backwards: boolean;
  /** Public id to start after. Used only for the smallest cells. */
  from?: string | undefined;
}

/** Returns entries sorted by cell, then by public id. */
export type ReadCell = (read: CellRead) => Promise<CellEntry[]>;

export interface NearestRange {
  point: Point;
  /** Maximum distance in meters. */
  radius: number;
  /** Position to start after, if any. */
  from: string | undefined;
  /** Whether to return the farthest entries first. */
  backwards: boolean;
  count: number;
}

/** A listing that may match a search, with its position in the results. */
export interface Candidate {
  publicId: string;
  position: string;
}

/**
 * Returns an entry's position; `undefined` if the entry is outside the radius. Positions sort by
 * distance in centimeters, then by public id.
 */
export function toNearPosition(
  { point, radius }: Pick<NearestRange, 'point' | 'radius'>,
  { cell, publicId }: CellEntry,
): string | undefined {
  const distance = getCellDistance(point, cell);
  return distance <= radius ? `${formatDistance(distance)} ${publicId}` : undefined;
}

const formatDistance = (meters: number) => String(Math.round(meters * 100)).padStart(10, '0');
const parsePosition = (position: string) => {
  const [distance = '', publicId = ''] = position.split(' ');
  return { distance, publicId };
};

/**
 * Returns up to `count` entries after a position, nearest first or, if `backwards`, farthest first.
 * Reads cells in the same order. If a cell is full, reads the cells inside it instead. The cost
 * therefore hardly depends on the number of entries within the radius or on their distribution.
 */
export async function findNearest(range: NearestRange, readCell: ReadCell): Promise<Candidate[]> {
  const { backwards, count } = range;
  let found: Candidate[] = [];
  let cells = getStartCells(range);
  for (;;) {
    cells.sort((one, other) => compareText(one.nearest, other.nearest, backwards));
    found.sort((one, other) => compareText(one.position, other.position, backwards));
    found = found.slice(0, count);
    const last = found[count - 1];
    const pending = cells.filter(
      ({ nearest }) => !last || compareText(nearest, last.position, backwards) <= 0,
    );
    if (pending.length === 0) return found;
    const next = pending.slice(0, concurrentCells);
    cells = pending.slice(concurrentCells);
    for (const { entries, inner } of await Promise.all(
      next.map(({ key }) => readNext(range, key, readCell)),
    )) {
      found.push(...entries);
      cells.push(...inner);
    }
  }
}

/** Approximate width of a cube face in meters, along the earth's surface. */
const faceMeters = 10_000_000;

/**
 * Returns the cells to read first: all cells that may have positions in the range. The cells' edges
 * are at least four times as long as the radius, unless cells with their own partition are smaller.
 */
function getStartCells(range: NearestRange): PendingCell[] {
  const divisions = Math.floor(Math.log2(faceMeters / (4 * range.radius)));
  const digits = Math.min(1 + divisions, smallestCellDigits);
  let cells = getCells(businessCellDigits).flatMap((key) => toPending(range, key) ?? []);
  for (let n = businessCellDigits; n < digits; n += 1) {
    cells = cells.flatMap(({ key }) =>
      getInnerCells(key).flatMap((inner) => toPending(range, inner) ?? []),
    );
  }
  return cells;
}

interface PendingCell {
  key: string;
  /** Lower bound, in search order, of the positions in the cell. */
  nearest: string;
}

/** Returns a cell to read; `undefined` if the cell has no position in the range. */
function toPending(range: NearestRange, key: string): PendingCell | undefined {
  const { point, radius, from, backwards } = range;
  const { min, max } = isSmallestCell(key)
    ? { min: getCellDistance(point, key), max: getCellDistance(point, key) }
    : getDistanceBounds(point, key);
  if (min > radius) return undefined;
  const [first, end] = [formatDistance(min), `${formatDistance(max)}~`];
  if (from !== undefined && (backwards ? first >= from : end <= from)) return undefined;
  return { key, nearest: backwards ? end : first };
}

/** Returns the cell's entries in the range or, if the cell has too many, its inner cells. */
async function readNext(range: NearestRange, key: string, readCell: ReadCell) {
  const { backwards, count } = range;
  if (isSmallestCell(key)) {
    const from = getStartInCell(range, key);
    const entries = await readCell({ cell: key, count, backwards, from });
    return { entries: toCandidates(range, entries), inner: [] };
  }
  const read = { cell: key, count: maxCellEntries + 1, backwards: false };
  const entries = await readCell(read);
  if (entries.length <= maxCellEntries) return { entries: toCandidates(range, entries), inner: [] };
  const [last] = await readCell({ ...read, count: 1, backwards: true });
  const common = getCommonStart(entries[0]?.cell ?? key, last?.cell ?? key);
  return {
    entries: [],
    inner: getInnerCells(common, innerDigits).flatMap((one) => toPending(range, one) ?? []),
  };
}

/**
 * Returns the public id after which to start in a cell of the smallest size. All entries of the
 * cell have the same distance. If the start position is missing, or its distance differs from the
 * cell's, returns `undefined`.
 */
function getStartInCell({ point, from }: NearestRange, key: string): string | undefined {
  if (from === undefined) return undefined;
  const start = parsePosition(from);
  return start.distance === formatDistance(getCellDistance(point, key))
    ? start.publicId
    : undefined;
}

function toCandidates(range: NearestRange, entries: readonly CellEntry[]): Candidate[] {
  const { from, backwards } = range;
  return entries.flatMap((entry) => {
    const position = toNearPosition(range, entry);
    const isInRange =
      position !== undefined && (from === undefined || compareText(from, position, backwards) < 0);
    return isInRange ? [{ publicId: entry.publicId, position }] : [];
  });
}

const compareText = (one: string, other: string, backwards: boolean): number =>
  one === other ? 0 : one < other === backwards ? 1 : -1;

export const toCellEntry = (publicId: string, point: Point): CellEntry => ({
  cell: toCellKey(point),
  publicId,
});
