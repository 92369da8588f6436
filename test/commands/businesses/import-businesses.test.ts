import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { importBusinesses } from '../../../commands/businesses/import-businesses.ts';
import { clock } from '../../../shared/clock.ts';
import { listBusinesses } from '../../../shared/contract/operations.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { ann } from '../../support/people/callers.ts';
import { businessTable as table } from '../../support/seeds/seed-businesses.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import {
  type ArbitraryBusiness,
  arbitraryBusiness,
  toSnakeCaseView,
} from './arbitrary-businesses.ts';
import { writeTemporaryFile } from './temporary-file.ts';
import '../../support/setup/use-table.ts';

const Page = v.object({
  has_more: v.boolean(),
  data: v.array(v.looseObject({ public_id: v.string() })),
});

async function readStored() {
  const found: v.InferOutput<typeof Page>['data'] = [];
  for (let more = true; more; ) {
    const last = found.at(-1)?.public_id;
    const query = { limit: '100', ...(last && { starting_after: last }) };
    const { data, has_more } = v.parse(
      Page,
      (await request(listBusinesses, { as: ann, query })).body,
    );
    found.push(...data);
    more = has_more;
  }
  return found;
}

const storedTitles = async () =>
  Object.fromEntries((await readStored()).map(({ public_id, title }) => [public_id, title]));

const importing = (records: unknown[], options: { skipInvalid?: boolean } = {}) =>
  importBusinesses({ file: writeTemporaryFile(JSON.stringify(records)), table, ...options });

const withTitle = (title: string, ...ids: string[]) =>
  ids.map((public_id) => ({ public_id, title }));

/**
 * Replaces the results of a DynamoDB command. If `replacement` returns undefined, sends the command
 * to DynamoDB.
 */
function replaceResults(command: string, replacement: (times: number) => object | undefined) {
  let times = 0;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = context.commandName === command ? replacement(++times) : undefined;
      return result ? { output: { $metadata: {}, ...result }, response: {} } : next(args);
    },
    { step: 'initialize', name: 'spoiling', override: true },
  );
}
beforeEach(emptyTable);
afterEach(() => {
  table.client.middlewareStack.remove('spoiling');
});

describe('An import', () => {
  test('writes nothing if a record is invalid', async () => {
    const records = [...withTitle('first', 'a', 'b'), { public_id: 'c', title: 3 }];
    expect(await importing(records)).toEqual({
      faults: [{ line: 1, field: 'title', reason: 'must be a string' }],
      saved: undefined,
    });
    expect(await readStored()).toEqual([]);
  });

  test('with skipInvalid, stores the valid records', async () => {
    const records = [...withTitle('first', 'a', 'b', 'a'), { public_id: 'c', title: 3 }];
    const { faults, saved } = await importing(records, { skipInvalid: true });
    expect([faults.length, saved]).toEqual([2, { new: 2, changed: 0, unchanged: 0 }]);
    expect(await storedTitles()).toEqual({ a: 'first', b: 'first' });
  });

  test('writes only new and changed records, and keeps businesses that the file does not contain', async () => {
    await importing(withTitle('first', 'a', 'b'));
    const { saved } = await importing([
      ...withTitle('first', 'b'),
      ...withTitle('second', 'a', 'd'),
    ]);
    expect(saved).toEqual({ new: 1, changed: 1, unchanged: 1 });
    expect(await storedTitles()).toEqual({ a: 'second', b: 'first', d: 'second' });
  });

  test('writes nothing when repeated with the same records', async () => {
    const records = withTitle('third', ...Array.from({ length: 60 }, (_, n) => `e${n}`));
    expect((await importing(records)).saved).toEqual({ new: 60, changed: 0, unchanged: 0 });
    const writes = jest.fn(() => undefined);
    replaceResults('BatchWriteItemCommand', writes);
    expect((await importing(records)).saved).toEqual({ new: 0, changed: 0, unchanged: 60 });
    expect(writes).not.toHaveBeenCalled();
  });

  test('stores -0 and numbers that are too small for DynamoDB as 0', async () => {
    const file = writeTemporaryFile('[{"public_id": "e-zero", "latitude": 1e-200, "founded": -0}]');
    const [first, repeated] = [
      await importBusinesses({ file, table }),
      await importBusinesses({ file, table }),
    ];
    expect([first.saved?.new, repeated.saved?.unchanged]).toEqual([1, 1]);
    const business = (await readStored()).find(({ public_id }) => public_id === 'e-zero');
    expect(business).toMatchObject({ latitude: 0, founded: 0 });
  });

  test('reports its progress after each batch, up to the number of records', async () => {
    const records = withTitle('third', ...Array.from({ length: 60 }, (_, n) => `e${n}`));
    const steps: number[][] = [];
    const file = writeTemporaryFile(JSON.stringify(records));
    await importBusinesses({ file, table, onProgress: (...step) => steps.push(step) });
    expect(steps).toHaveLength(3);
    expect(steps.toSorted(([one = 0], [other = 0]) => one - other)).toEqual(steps);
    expect(steps.at(-1)).toEqual([60, 60]);
  });

  test('adds a business to the list of active businesses only if its status is active', async () => {
    const countListed = async (status: string) => {
      await importing([{ public_id: 'f', status }]);
      const query = { active: 'true', starting_after: 'e~', limit: '1' };
      return v.parse(Page, (await request(listBusinesses, { as: ann, query })).body).data.length;
    };
    expect([
      await countListed('active'),
      await countListed('closed'),
      await countListed('active'),
    ]).toEqual([1, 0, 1]);
  });

  test('retries unprocessed writes with increasing delays', async () => {
    const pauses = jest.spyOn(clock, 'sleep').mockResolvedValue();
    const unprocessed = (title: string) => ({
      UnprocessedItems: {
        [table.name]: [
          { PutRequest: { Item: { pk: 'BUSINESS', sk: 'BUSINESS#g2', public_id: 'g2', title } } },
        ],
      },
    });
    replaceResults('BatchWriteItemCommand', (times) =>
      times <= 2 ? unprocessed('second try') : undefined,
    );
    await importing([{ public_id: 'g2' }]);
    expect(await storedTitles()).toMatchObject({ g2: 'second try' });
    expect(pauses.mock.calls).toEqual([[100], [200]]);
  });

  test('stops if throttling persists, and resumes when repeated', async () => {
    jest.spyOn(clock, 'sleep').mockResolvedValue();
    const records = withTitle('x', ...Array.from({ length: 30 }, (_, n) => `h${n}`));
    const Keys = [{ pk: 'BUSINESS', sk: 'BUSINESS#h25' }];
    const UnprocessedKeys = { [table.name]: { Keys } };
    replaceResults('BatchGetItemCommand', (times) =>
      times === 1 ? undefined : { UnprocessedKeys },
    );
    await expect(importing(records)).rejects.toThrow(
      'Stopped: The table is throttled.\nItems already written remain. Run the command again to continue.',
    );
    table.client.middlewareStack.remove('spoiling');
    expect((await importing(records)).saved).toEqual({ new: 5, changed: 0, unchanged: 25 });
  });

  test('reports the DynamoDB error if the table does not exist', async () => {
    const missingTable = { ...table, name: 'NoSuchTable' };
    const file = writeTemporaryFile('[{"public_id": "a"}]');
    await expect(importBusinesses({ file, table: missingTable })).rejects.toThrow(
      /^Stopped: Cannot do operations on a non-existent table/,
    );
  });
});

describe('Imported businesses', () => {
  const model = new Map<string, ArbitraryBusiness>();

  test('are listed unchanged, ordered by public id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(arbitraryBusiness, { selector: ({ public_id }) => public_id, maxLength: 5 }),
        fc.constantFrom('list', 'NDJSON'),
        async (businesses, format) => {
          const text =
            format === 'list'
              ? JSON.stringify(businesses)
              : businesses.map((one) => JSON.stringify(one)).join('\n') || '[]';
          const { faults } = await importBusinesses({ file: writeTemporaryFile(text), table });
          for (const business of businesses) model.set(business.public_id, business);
          const repeated = await importBusinesses({ file: writeTemporaryFile(text), table });

          expect(faults).toEqual([]);
          expect(repeated.saved).toEqual({ new: 0, changed: 0, unchanged: businesses.length });
          const inOrder = [...model.keys()].sort().flatMap((id) => model.get(id) ?? []);
          expect(await readStored()).toEqual(inOrder.map(toSnakeCaseView));
        },
      ),
      { numRuns: selectSize(8, 50) },
    );
  });
});
