import { wrapNames } from './format-lines.ts';
import type { ReadableTemplate } from './readable-template.ts';

/** Typical lines are listed only for types with at least this many resources. */
const minTypical = 3;
/** A line is typical if at least this share of a type's resources contain it. */
const typicalShare = 0.6;

/**
 * Returns the template as sorted text. For each type, lists as `typical` the lines that most
 * resources share. Then lists each resource's other lines and the typical lines that it lacks.
 */
export const formatTemplate = (template: ReadableTemplate): string =>
  [...template]
    .sort(byName)
    .map(([type, resources]) => {
      const typical = findTypicalLines([...resources.values()]);
      const own = Map.groupBy([...resources].sort(byName), ([, lines]) =>
        formatOwnLines(lines, typical),
      );
      const groups = [...own].map(
        ([text, members]) => `${wrapNames(members.map(([name]) => name))}:${text || ' typical'}`,
      );
      const shared = typical.length > 0 ? [`  typical:${indent(typical)}`] : [];
      return [type, ...shared, ...groups].join('\n');
    })
    .join('\n\n');

function findTypicalLines(resources: readonly (readonly string[])[]): string[] {
  if (resources.length < minTypical) return [];
  const counts = new Map<string, number>();
  for (const line of resources.flat()) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= resources.length * typicalShare)
    .map(([line]) => line);
}

function formatOwnLines(lines: readonly string[], typical: readonly string[]): string {
  const own = lines.filter((line) => !typical.includes(line));
  const paths = new Set(own.map(getPath));
  const missing = typical.filter((line) => !lines.includes(line) && !paths.has(getPath(line)));
  return indent([...own, ...missing.map((line) => `without ${line}`)]);
}

export const getPath = (line: string): string => line.slice(0, line.indexOf(': '));

/**
 * Formats lines that follow resource names. Puts a single line on the same line as the names, and
 * several lines below the names.
 */
export const indent = (lines: readonly string[]): string =>
  lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n    ${line}`).join('');

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
