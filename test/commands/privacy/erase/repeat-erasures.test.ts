import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eraseItems } from '../../../../commands/privacy/erase/erase-items.ts';
import {
  type RepeatedErasures,
  repeatErasures,
} from '../../../../commands/privacy/erase/repeat-erasures.ts';
import { readPerson } from '../../../../commands/privacy/items/read-person.ts';
import { getSearchRanges } from '../../../../commands/privacy/items/search-ranges.ts';
import { openTable, type StageTable } from '../../../../commands/stage/stage-table.ts';
import { clock } from '../../../../shared/clock.ts';
import { random } from '../../../../shared/ids.ts';
import type { Item } from '../../../../shared/table/calls/access.ts';
import { create, list, send } from '../../../support/handlers/api-calls.ts';
import { person } from '../../../support/people/callers.ts';
import { selectSize } from '../../../support/setup/sample-size.ts';
import { crashAtCall } from '../../../support/table/call-hooks.ts';
import { injectFault, listFaults } from '../../../support/table/http-faults.ts';
import { recordHttpCalls } from '../../../support/table/http-hooks.ts';
import { findTraces } from '../find-traces.ts';
import { allItems, table as restored, toErasure } from '../person-fixture.ts';
import { createTableWith, restoreItems } from '../restore-items.ts';
import '../../../support/setup/use-table.ts';

const erase = (id: string) => eraseItems(toErasure(id));

let tables = 0;

/**
 * Restores the given items into the test's table. Returns another table, which represents the old
 * table and contains the current contacts.
 */
async function restoreTo(restorePoint: readonly Item[]): Promise<StageTable> {
  tables += 1;
  const contacts = (await allItems()).filter(({ sk }) => sk === 'CONTACT');
  const old = await createTableWith(`the-table-in-which-people-went-on-${tables}`, contacts);
  await restoreItems(restorePoint);
  return old;
}

let created = 0;

/** Creates Ann and Bob, who have sent each other one message. */
async function createBob() {
  created += 1;
  const [ann, bob] = [person(`ann-${created}.`), person(`bob-${created}.`)];
  const { id: direct } = await create(ann, { contact_id: bob.id });
  await send(bob, direct, 'Hello');
  await send(ann, direct, 'Hello yourself');
  return { ann, bob, direct };
}

async function runAgain(old: StageTable, more: Partial<RepeatedErasures> = {}, typed?: string) {
  const printed: string[] = [];
  const options = {
    old,
    restored,
    rates: { reads: 1_000_000, writes: 1_000_000 },
    hasEvents: false,
    yes: typed === undefined,
  };
  const output = {
    print: (line: string) => printed.push(line),
    prompt: typed === undefined ? undefined : async () => typed,
    onProgress: () => {},
  };
  const outcome = await repeatErasures({ ...options, ...more }, output).catch(
    ({ message }: Error) => message,
  );
  // Omits the lines about the search's cost and about the wait.
  return { outcome, printed: printed.filter((line) => !/read units|^Waiting/.test(line)) };
}

const allErasedText = (old: StageTable) =>
  `All people erased in ${old.name} are also erased in ${restored.name}.`;

beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  // Disables the random neighbor scans of deletions, which make the number of calls vary.
  jest.spyOn(random, 'oneIn').mockReturnValue(false);
});
describe('Repeating erasures in a restored table', () => {
  test('erases each person who was erased after the restore point, keeps other users’ data, and erases no one in a second run', async () => {
    const [{ bob, ann, direct }, { bob: other }] = [await createBob(), await createBob()];
    const restorePoint = await allItems();
    for (const { id } of [bob, other]) await erase(id);
    const old = await restoreTo(restorePoint);
    expect(await findTraces(bob.id, { isPurged: false })).not.toEqual([]);

    expect(await runAgain(old)).toEqual({
      outcome: true,
      printed: [
        expect.stringMatching(`^Erased after the restore point: ${bob.id}, first on .*Z$`),
        expect.stringMatching(`^Erased after the restore point: ${other.id}, first on .*Z$`),
        ...[bob, other].flatMap(({ id }) => [
          `Erased again for ${id}:`,
          '        1  the profile',
          '        1  messages they sent',
        ]),
        'People erased again: 2.',
      ],
    });
    for (const { id } of [bob, other]) {
      expect(await findTraces(id, { isPurged: false })).toEqual([]);
    }
    const messages = (await list(ann, direct)).data.map(({ message }) => message);
    expect(messages).toEqual(['Hello yourself']);
    expect(await runAgain(old)).toEqual({ outcome: true, printed: [allErasedText(old)] });
  });

  test('includes a person whose erasure was in progress at the restore point or was repeated after it', async () => {
    const { bob, direct } = await createBob();
    crashAtCall(8, 'before');
    await expect(erase(bob.id)).rejects.toThrow();
    const interrupted = await allItems();
    await erase(bob.id);
    const done = await allItems();
    let old = await restoreTo(interrupted);
    expect((await runAgain(old)).printed).toContain('People erased again: 1.');
    expect(await findTraces(bob.id, { isPurged: false })).toEqual([]);

    await restoreItems(done);
    await send(bob, direct, 'I am still here');
    const written = await allItems();
    await erase(bob.id);
    old = await restoreTo(written);
    expect((await runAgain(old)).printed).toContain('        1  messages they sent');
    expect(await findTraces(bob.id, { isPurged: false })).toEqual([]);
  });

  test('includes a person whose previous erasure searched only part of the table', async () => {
    const { bob } = await createBob();
    const ranges = await getSearchRanges(restored, await readPerson(restored, bob.id), {
      narrow: true,
    });
    await eraseItems(toErasure(bob.id, { ranges }));
    const old = await restoreTo(await allItems());
    expect((await runAgain(old)).printed).toContain('People erased again: 1.');
    expect(await runAgain(old)).toEqual({ outcome: true, printed: [allErasedText(old)] });
  });

  test('skips a person erased before the restore point', async () => {
    await erase((await createBob()).bob.id);
    const old = await restoreTo(await allItems());
    expect(await runAgain(old)).toEqual({ outcome: true, printed: [allErasedText(old)] });
  });

  test('erases no one if --dry-run is set or another name is typed', async () => {
    const { bob } = await createBob();
    const restorePoint = await allItems();
    await erase(bob.id);
    const old = await restoreTo(restorePoint);
    const expected = `Erased after the restore point: ${bob.id}, first on`;
    const dryRunResult = await runAgain(old, { dryRun: true });
    expect(dryRunResult).toEqual({
      outcome: true,
      printed: [expect.stringContaining(expected), 'Nothing was changed.'],
    });
    expect((await runAgain(old, {}, 'y')).outcome).toBe('Nothing was changed.');
    expect(await allItems()).toHaveLength(restorePoint.length);
    expect((await runAgain(old, {}, old.name)).outcome).toBe(true);
  });

  test('fails with instructions if the old table was deleted or is the active table', async () => {
    const { outcome } = await runAgain(openTable('gone'));
    expect(outcome).toContain(
      'The table gone, which records the people erased after the restore point, does not exist.',
    );
    expect(outcome).toContain('npm run erase-person -- --erased-in NAME');
    expect((await runAgain(restored)).outcome).toBe(
      `${restored.name} is the active table: pass the name of the old table.`,
    );
  });
});

test('If any call fails once or permanently while erasures are repeated, a second run deletes all data of erased people', async () => {
  await restoreItems([]);
  const { bob } = await createBob();
  const restorePoint = await allItems();
  await erase(bob.id);
  const old = await restoreTo(restorePoint);
  const calls = await recordHttpCalls(() => runAgain(old));
  const updates = calls.filter(({ operation }) => operation === 'UpdateItem');
  // The first seven calls and the last update belong to the command. erase-faults.test.ts covers
  // the calls of the erasure.
  const own = [...calls.slice(0, 7), ...updates.slice(-1)];
  const faults = listFaults(calls).filter(({ number }) =>
    own.some((call) => call === calls[number - 1]),
  );
  const problems: string[] = [];
  for (const fault of faults.filter((_, n) => n % selectSize(20, 3) === 0)) {
    await restoreItems(restorePoint);
    const injected = injectFault(fault);
    const { outcome } = await runAgain(old);
    await injected.remove();
    const isLeft = async () => (await findTraces(bob.id, { isPurged: false })).length > 0;
    if (outcome === true && (await isLeft()))
      problems.push(`${fault.title}: reports completion too early`);
    if ((await runAgain(old)).outcome !== true) problems.push(`${fault.title}: does not resume`);
    if (await isLeft()) problems.push(`${fault.title}: leaves data`);
  }
  expect(calls.length).toBeGreaterThan(15);
  expect(problems).toEqual([]);
});
