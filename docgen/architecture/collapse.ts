import type { Arrow } from './graph.ts';

/** Represents all functions that the gateway calls. */
export const operations = 'Operations';

export interface Collapsed {
  /** The functions that the gateway calls, grouped by equal arrows. */
  groups: string[][];
  arrows: Arrow[];
}

/**
 * Merges equal arrows: an arrow shared by all functions of the gateway becomes one of `operations`,
 * and functions with the same other arrows are drawn as one.
 */
export function collapse(allArrows: readonly Arrow[]): Collapsed {
  const arrows = distinct(allArrows);
  const called = new Set(arrows.filter(({ says }) => says === 'calls').map(({ to }) => to));
  const asOne = (arrow: Arrow) => renamed(arrow, (id) => (called.has(id) ? operations : id));
  const counts = Map.groupBy(arrows, (arrow) => text(asOne(arrow)));
  const isShared = (arrow: Arrow) =>
    text(asOne(arrow)) !== text(arrow) && counts.get(text(asOne(arrow)))?.length === called.size;
  const others = arrows.filter((arrow) => !isShared(arrow));
  const groups = [...Map.groupBy(called, (id) => toArrowsKey(id, others)).values()];
  const first = new Map(groups.flatMap((ids) => ids.map((id) => [id, ids[0] ?? id])));
  return {
    groups,
    arrows: distinct([
      ...arrows.filter(isShared).map(asOne),
      ...others.map((arrow) => renamed(arrow, (id) => first.get(id) ?? id)),
    ]),
  };
}

const toArrowsKey = (id: string, arrows: readonly Arrow[]) =>
  arrows
    .filter(({ from, to }) => from === id || to === id)
    .map((arrow) => text(renamed(arrow, (one) => (one === id ? '' : one))))
    .sort()
    .join();

const renamed = ({ from, to, says }: Arrow, name: (id: string) => string): Arrow => ({
  from: name(from),
  to: name(to),
  says,
});

const text = ({ from, to, says }: Arrow) => JSON.stringify([from, to, says]);

const distinct = (arrows: readonly Arrow[]): Arrow[] => [
  ...new Map(arrows.map((arrow) => [text(arrow), arrow])).values(),
];
