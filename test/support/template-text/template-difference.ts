import { wrapNames } from './format-lines.ts';
import { formatTemplate, getPath, indent } from './format-template.ts';
import type { ReadableTemplate } from './readable-template.ts';

export const formatDifference = (
  one: ReadableTemplate,
  other: ReadableTemplate,
  nameOfOther: string,
): string =>
  [
    `Different from ${nameOfOther}:`,
    ...listChanges(one, other),
    '',
    `Not in ${nameOfOther}:`,
    formatTemplate(getAdded(one, other)),
    '',
    `Only in ${nameOfOther}:`,
    ...[...getAdded(other, one)].map(
      ([type, resources]) => `  ${type}:\n${wrapNames([...resources.keys()].sort(), '    ')}`,
    ),
  ].join('\n');

const getAdded = (one: ReadableTemplate, other: ReadableTemplate): ReadableTemplate =>
  new Map(
    [...one].flatMap(([type, resources]) => {
      const added = [...resources].filter(([name]) => !other.get(type)?.has(name));
      return added.length > 0 ? [[type, new Map(added)] as const] : [];
    }),
  );

/** Returns the changed resources. Resources with identical changes share an entry. */
const listChanges = (one: ReadableTemplate, other: ReadableTemplate): string[] =>
  [...one].flatMap(([type, resources]) => {
    const changed = [...resources].flatMap(([name, lines]) => {
      const changes = compareLines(lines, other.get(type)?.get(name) ?? lines);
      return changes.length > 0 ? [{ name, text: indent(changes) }] : [];
    });
    const groups = [...Map.groupBy(changed, ({ text }) => text)].map(([text, members]) => {
      const names = members.map(({ name }) => name);
      const isEach = names.length === resources.size && names.length > 1;
      return `${isEach ? `  each of the ${names.length}` : wrapNames(names)}:${text}`;
    });
    return groups.length > 0 ? [type, ...groups] : [];
  });

/** Returns one line per change: `path: value, not value`, `with line` or `without line`. */
function compareLines(lines: readonly string[], others: readonly string[]): string[] {
  const added = lines.filter((line) => !others.includes(line));
  const missing = others.filter((line) => !lines.includes(line));
  const isReplaced = (line: string) =>
    [added, missing].every((side) => side.filter(hasSamePath(line)).length === 1);
  return [
    ...added.map((line) => {
      if (!isReplaced(line)) return `with ${line}`;
      return `${line}, not ${missing.find(hasSamePath(line))?.slice(getPath(line).length + 2)}`;
    }),
    ...missing.filter((line) => !isReplaced(line)).map((line) => `without ${line}`),
  ];
}

const hasSamePath = (line: string) => (other: string) => getPath(other) === getPath(line);
