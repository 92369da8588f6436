import type { Arrow } from './graph.ts';

/** Id of the frame for the arrows that all the operations' functions share. */
export const operations = 'Operations';

export interface Collapsed {
  /** Ids of the operations' functions. All functions of a group have the same arrows. */
  groups: string[][];
  arrows: Arrow[];
}

/**
 * Merges equal arrows. The operations' functions are the targets of the arrows labeled `calls`. An
 * arrow that all these functions share becomes one arrow of `operations`. Functions that have the
 * same remaining arrows form a group.
 */
export function collapse(allArrows: readonly Arrow[]): Collapsed {
  const arrows = distinct(allArrows);
  const called = new Set(arrows.filter(({ label }) => label === 'calls').map(({ to }) => to));
  const toOperation = (arrow: Arrow) =>
    renameEnds(arrow, (id) => (called.has(id) ? operations : id));
  const counts = Map.groupBy(arrows, (arrow) => toKey(toOperation(arrow)));
  const isShared = (arrow: Arrow) =>
    toKey(toOperation(arrow)) !== toKey(arrow) &&
    counts.get(toKey(toOperation(arrow)))?.length === called.size;
  const others = arrows.filter((arrow) => !isShared(arrow));
  const groups = [...Map.groupBy(called, (id) => toArrowsKey(id, others)).values()];
  const first = new Map(groups.flatMap((ids) => ids.map((id) => [id, ids[0] ?? id])));
  return {
    groups,
    arrows: distinct([
      ...arrows.filter(isShared).map(toOperation),
      ...others.map((arrow) => renameEnds(arrow, (id) => first.get(id) ?? id)),
    ]),
  };
}

const toArrowsKey = (id: string, arrows: readonly Arrow[]) =>
  arrows
    .filter(({ from, to }) => from === id || to === id)
    .map((arrow) => toKey(renameEnds(arrow, (one) => (one === id ? '' : one))))
    .sort()
    .join();

const renameEnds = ({ from, to, label }: Arrow, name: (id: string) => string): Arrow => ({
  from: name(from),
  to: name(to),
  label,
});

const toKey = ({ from, to, label }: Arrow) => JSON.stringify([from, to, label]);

const distinct = (arrows: readonly Arrow[]): Arrow[] => [
  ...new Map(arrows.map((arrow) => [toKey(arrow), arrow])).values(),
];
