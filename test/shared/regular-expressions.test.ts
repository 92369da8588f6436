import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { analyse } from 'scslre';
import * as v from 'valibot';

const root = join(import.meta.dirname, '../..');
const folders = ['shared', 'functions'];

const listFiles = () =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );

const RegExpLiteral = v.object({
  type: v.literal('RegExpLiteral'),
  pattern: v.string(),
  flags: v.string(),
});

/** Returns the regular expression literals in a part of a syntax tree. */
function findLiterals(node: unknown): RegExp[] {
  if (typeof node !== 'object' || node === null) return [];
  if (v.is(RegExpLiteral, node)) return [new RegExp(node.pattern, node.flags)];
  return Object.values(node).flatMap(findLiterals);
}

const findSuperlinear = (source: string): RegExp[] =>
  findLiterals(parseSync(source, { syntax: 'typescript' })).filter(
    (literal) => analyse(literal).reports.length > 0,
  );

test('Every regular expression literal in the functions runs in linear time on any input', () => {
  const superlinear = listFiles().flatMap((file) =>
    findSuperlinear(readFileSync(join(root, file), 'utf8')).map((literal) => `${file}: ${literal}`),
  );
  expect(superlinear).toEqual([]);
});

test('The check of regular expressions finds literals with quadratic or exponential running time', () => {
  const source = "export const trim = (text: string) => text.replace(/a+$/, '').match(/(a|a)*b/u);";
  expect(findSuperlinear(source)).toEqual([/a+$/, /(a|a)*b/u]);
});
