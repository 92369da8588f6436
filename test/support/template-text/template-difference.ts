import { inline, wrapNames } from './format-lines.ts';
import { findOwner, formatTemplate } from './format-template.ts';
import type { Readable } from './readable-template.ts';

/** How a template differs from another one, as text: what it says otherwise, what it has besides, and what it lacks. */
export const formatDifference = (one: Readable, other: Readable, nameOfOther: string): string =>
  [
    `Other than in ${nameOfOther}:`,
    ...listChanges(one, other),
    '',
    `Not in ${nameOfOther}:`,
    formatTemplate(only(one, other)),
    '',
    `Only in ${nameOfOther}:`,
    ...namesIn(only(other, one), other),
  ].join('\n');

const only = (one: Readable, other: Readable): Readable =>
  new Map(
    [...one].flatMap(([type, resources]) => {
      const left = [...resources].filter(([name]) => !other.get(type)?.has(name));
      return left.length > 0 ? [[type, new Map(left)] as const] : [];
    }),
  );

/** What belongs to each function is named once. */
const namesIn = (template: Readable, whole: Readable) =>
  [...template].map(([type, resources]) => {
    const names = [...resources.keys()].map((name) => {
      const owner = findOwner(name, whole);
      return owner ? name.replace(owner, '*') : name;
    });
    return `  ${type}: ${[...new Set(names)].sort().join(', ')}`;
  });

/** Each change once, with those that it is of. */
const listChanges = (one: Readable, other: Readable): string[] =>
  [...one].flatMap(([type, resources]) => {
    const found = [...resources].flatMap(([name, said]) => {
      const theirs = other.get(type)?.get(name);
      if (theirs === undefined) return [];
      const owner = findOwner(name, one);
      return changes(said, theirs).map(({ path, here, there }) => {
        const change = `  ${type} ${path}: ${here}, not ${there}`;
        return { name, change: owner ? change.replaceAll(`${owner}>`, '*>') : change };
      });
    });
    return [...Map.groupBy(found, ({ change }) => change)].flatMap(([change, those]) => {
      const names = those.map(({ name }) => name);
      const isEach = names.length === resources.size && names.length > 1;
      return [change, isEach ? `    each of the ${names.length}` : wrapNames(names, '    ')];
    });
  });

interface Change {
  path: string;
  here: string;
  there: string;
}

function changes(here: unknown, there: unknown, path = ''): Change[] {
  if (!isRecord(here) || !isRecord(there)) {
    const [a, b] = [here, there].map((value) => (value === undefined ? 'nothing' : inline(value)));
    return a === b ? [] : [{ path, here: a ?? '', there: b ?? '' }];
  }
  const keys = new Set([...Object.keys(here), ...Object.keys(there)]);
  return [...keys].flatMap((key) => changes(here[key], there[key], path ? `${path}.${key}` : key));
}

/** Entries of an array are told apart by their places. */
const isRecord = (value: unknown): value is Said => typeof value === 'object' && value !== null;
type Said = Readonly<Record<string, unknown>>;
