/** Disjoint ranges of ids. Each range excludes its lower bound and includes its upper bound. */
export interface Ranges {
  ranges: IdRange[];
}

export interface IdRange {
  above: string;
  upTo: string;
}

export const createRanges = (): Ranges => ({ ranges: [] });

export const isInRanges = ({ ranges }: Ranges, id: string): boolean =>
  ranges.some(({ above, upTo }) => above < id && id <= upTo);

export function addRange(ranges: Ranges, added: IdRange): void {
  if (added.above >= added.upTo) return;
  const touches = (one: IdRange) => one.above <= added.upTo && added.above <= one.upTo;
  const joined = [added, ...ranges.ranges.filter(touches)];
  ranges.ranges = [
    ...ranges.ranges.filter((one) => !touches(one)),
    {
      above: joined.map(({ above }) => above).reduce((a, b) => (a < b ? a : b)),
      upTo: joined.map(({ upTo }) => upTo).reduce((a, b) => (a > b ? a : b)),
    },
  ];
}
