/** Stretches of ids in their order, each without its lower end and with its upper one; apart from each other. */
export interface Ranges {
  stretches: Stretch[];
}

export interface Stretch {
  above: string;
  upTo: string;
}

export const noRanges = (): Ranges => ({ stretches: [] });

export const contains = ({ stretches }: Ranges, id: string): boolean =>
  stretches.some(({ above, upTo }) => above < id && id <= upTo);

/** Adds a stretch, as one with those that it touches. */
export function addRange(ranges: Ranges, added: Stretch): void {
  if (added.above >= added.upTo) return;
  const touches = (one: Stretch) => one.above <= added.upTo && added.above <= one.upTo;
  const joined = [added, ...ranges.stretches.filter(touches)];
  ranges.stretches = [
    ...ranges.stretches.filter((one) => !touches(one)),
    {
      above: joined.map(({ above }) => above).reduce((a, b) => (a < b ? a : b)),
      upTo: joined.map(({ upTo }) => upTo).reduce((a, b) => (a > b ? a : b)),
    },
  ];
}
