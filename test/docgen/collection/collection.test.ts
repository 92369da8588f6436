import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { parse } from 'yaml';
import { createCollection } from '../../../docgen/collection/collection.ts';
import { replaceWithVariables } from '../../../docgen/collection/variables.ts';
import { examples } from '../../../shared/contract/examples.ts';
import { operations } from '../../../shared/contract/operations.ts';

const folder = join(import.meta.dirname, '../../../docs/bruno');
const files = createCollection();

const Request = v.object({
  info: v.object({ seq: v.number() }),
  http: v.object({
    method: v.string(),
    url: v.string(),
    params: v.optional(
      v.array(v.object({ name: v.string(), value: v.string(), disabled: v.optional(v.boolean()) })),
      [],
    ),
    auth: v.object({ token: v.string() }),
  }),
});
const requests = Object.values(files)
  .map((text) => v.safeParse(Request, parse(text)))
  .filter(({ success }) => success)
  .map(({ output }) => v.parse(Request, output))
  .sort((one, other) => one.info.seq - other.info.seq);

describe('The Bruno collection', () => {
  test('calls each operation once, in the order and with the users of the examples', () => {
    const calls = requests.map(({ http: { method, url, auth } }) => [method, url, auth.token]);
    const scenario = Object.entries(examples).map(([id, { as }]) => {
      const row = operations.find((one) => one.id === id);
      const path = row?.path.replace(/\{(\w+)\}/g, ':$1');
      return [row?.method, `{{base_url}}${path}`, `{{${as}_token}}`];
    });
    expect(calls).toEqual(scenario);
    expect(calls).toHaveLength(operations.length);
  });

  test('disables the cursors, because a request accepts at most one of them', () => {
    const isCursor = (name: string) => ['starting_after', 'ending_before'].includes(name);
    const cursors = requests.flatMap(({ http }) =>
      http.params.filter(({ name }) => isCursor(name)),
    );
    expect(cursors.map(({ disabled }) => disabled)).toEqual(cursors.map(() => true));
    const parameters = operations.flatMap((row) =>
      'query' in row ? Object.keys(row.query.entries) : [],
    );
    expect(cursors).toHaveLength(parameters.filter(isCursor).length);
  });

  test('contains no id of the examples’ conversation or of its messages', () => {
    const { id } = examples['conversations/create'].reply;
    expect(Object.values(files).filter((text) => text.includes(id))).toEqual([]);
  });

  test('has exactly the .yml files in docs/bruno', () => {
    const existing = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(existing.filter((name) => name.endsWith('.yml')).sort()).toEqual(
      Object.keys(files).sort(),
    );
  });
});

test('replaceWithVariables replaces created ids and user ids at any depth', () => {
  const { id } = examples['messages/send'].reply;
  expect(replaceWithVariables({ ids: [id, 'x'], by: { thumbsup: ['bob'] }, limit: 10 })).toEqual({
    ids: ['{{message_id}}', 'x'],
    by: { thumbsup: ['{{bob_id}}'] },
    limit: 10,
  });
});
