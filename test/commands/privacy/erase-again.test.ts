import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type EraseAgain, eraseAgain } from '../../../commands/privacy/erase-again.ts';
import { eraseThings } from '../../../commands/privacy/erase-things.ts';
import { legsOf } from '../../../commands/privacy/legs.ts';
import { personOf } from '../../../commands/privacy/person.ts';
import { wholeTable } from '../../../commands/privacy/walk.ts';
import { openTable, type StageTable } from '../../../commands/stage/table.ts';
import { clock } from '../../../shared/clock.ts';
import { random } from '../../../shared/ids.ts';
import type { Item } from '../../../shared/table/calls/access.ts';
import { create, list, send } from '../../support/handlers/api-calls.ts';
import { person } from '../../support/handlers/callers.ts';
import { sized } from '../../support/setup/sample-size.ts';
import { crashAtCall } from '../../support/table/call-hooks.ts';
import { injectFault, listFaults } from '../../support/table/http-faults.ts';
import { recordHttpCalls } from '../../support/table/http-hooks.ts';
import { findTraces } from './find-traces.ts';
import { allItems, table as restored } from './person-fixture.ts';
import { createTableWith, restoreItems } from './restore-items.ts';
import '../../support/setup/use-table.ts';

const quick = { reads: 1_000_000, writes: 1_000_000 };
const eraseOf = (id: string) =>
  eraseThings({ table: restored, id, legs: wholeTable, rates: quick, hasEvents: false });

let tables = 0;

/** The table is as it was at `moment` again, and the other has who is in it by now. */
async function restoredTo(moment: readonly Item[]): Promise<StageTable> {
  tables += 1;
  const people = (await allItems()).filter(({ sk }) => sk === 'CONTACT');
  const old = await createTableWith(`the-table-in-which-people-went-on-${tables}`, people);
  await restoreItems(moment);
  return old;
}

let people = 0;

/** Somebody who has written once, to Ann, and she to him. */
async function newBob() {
  people += 1;
  const [ann, bob] = [person(`ann-${people}.`), person(`bob-${people}.`)];
  const { id: direct } = await create(ann, { contact_id: bob.id });
  await send(bob, direct, 'Hello');
  await send(ann, direct, 'Hello yourself');
  return { ann, bob, direct };
}

async function again(old: StageTable, more: Partial<EraseAgain> = {}, typed?: string) {
  const printed: string[] = [];
  const options = { old, restored, rates: quick, hasEvents: false, yes: typed === undefined };
  const talk = {
    print: (line: string) => printed.push(line),
    ask: typed === undefined ? undefined : async () => typed,
    onProgress: () => {},
  };
  const outcome = await eraseAgain({ ...options, ...more }, talk).catch(
    ({ message }: Error) => message,
  );
  // Other tests check the costs and the wait.
  return { outcome, printed: printed.filter((line) => !/read units|^Waiting/.test(line)) };
}

const nobody = (old: StageTable) =>
  `All people erased in ${old.name} are also erased in ${restored.name}.`;

beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  // Whether a deletion looks around would make the number of calls uncertain.
  jest.spyOn(random, 'oneIn').mockReturnValue(false);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('Who was erased since a table was as it is restored', () => {
  test('is erased again in it, whoever they are, and nobody else; a second time there is nothing to do', async () => {
    const [{ bob, ann, direct }, { bob: other }] = [await newBob(), await newBob()];
    const moment = await allItems();
    for (const { id } of [bob, other]) await eraseOf(id);
    const old = await restoredTo(moment);
    expect(await findTraces(bob.id, { isPurged: false })).not.toEqual([]);

    expect(await again(old)).toEqual({
      outcome: true,
      printed: [
        expect.stringMatching(`^Erased since: ${bob.id}, first on .*Z$`),
        expect.stringMatching(`^Erased since: ${other.id}, first on .*Z$`),
        ...[bob, other].flatMap(({ id }) => [
          `Erased again for ${id}:`,
          '        1  the profile',
          '        1  messages they sent',
        ]),
        'Erased 2 people again.',
      ],
    });
    for (const { id } of [bob, other]) {
      expect(await findTraces(id, { isPurged: false })).toEqual([]);
    }
    const messages = (await list(ann, direct)).data.map(({ message }) => message);
    expect(messages).toEqual(['Hello yourself']);
    expect(await again(old)).toEqual({ outcome: true, printed: [nobody(old)] });
  });

  test('may have been under way at that moment, or have written by a token until they were erased once more', async () => {
    const { bob, direct } = await newBob();
    const undo = crashAtCall(8, 'before');
    await expect(eraseOf(bob.id)).rejects.toThrow();
    undo();
    const underWay = await allItems();
    await eraseOf(bob.id);
    const done = await allItems();
    let old = await restoredTo(underWay);
    expect((await again(old)).printed).toContain('Erased 1 people again.');
    expect(await findTraces(bob.id, { isPurged: false })).toEqual([]);

    await restoreItems(done);
    await send(bob, direct, 'I am still here');
    const written = await allItems();
    await eraseOf(bob.id);
    old = await restoredTo(written);
    expect((await again(old)).printed).toContain('        1  messages they sent');
    expect(await findTraces(bob.id, { isPurged: false })).toEqual([]);
  });

  test('counts as erased only after a search of the whole table', async () => {
    const { bob } = await newBob();
    const legs = await legsOf(restored, await personOf(restored, bob.id), { narrow: true });
    await eraseThings({ table: restored, id: bob.id, legs, rates: quick, hasEvents: false });
    const old = await restoredTo(await allItems());
    expect((await again(old)).printed).toContain('Erased 1 people again.');
    expect(await again(old)).toEqual({ outcome: true, printed: [nobody(old)] });
  });

  test('is not whoever was erased before: no look at the restored table is for them', async () => {
    await eraseOf((await newBob()).bob.id);
    const old = await restoredTo(await allItems());
    expect(await again(old)).toEqual({ outcome: true, printed: [nobody(old)] });
  });

  test('is told with --dry-run, and asked about; nothing is done where another name is typed', async () => {
    const { bob } = await newBob();
    const moment = await allItems();
    await eraseOf(bob.id);
    const old = await restoredTo(moment);
    const told = `Erased since: ${bob.id}, first on`;
    const dry = await again(old, { dryRun: true });
    expect(dry).toEqual({
      outcome: true,
      printed: [expect.stringContaining(told), 'Nothing was changed.'],
    });
    expect((await again(old, {}, 'y')).outcome).toBe('Nothing was changed.');
    expect(await allItems()).toHaveLength(moment.length);
    expect((await again(old, {}, old.name)).outcome).toBe(true);
  });

  test('is not known where the old table is gone, or is the one that serves: what is possible is said', async () => {
    const { outcome } = await again(openTable('gone'));
    expect(outcome).toContain('The table gone does not exist: it records who was erased since.');
    expect(outcome).toContain('npm run erase-person -- --erased-in NAME');
    expect((await again(restored)).outcome).toBe(
      `${restored.name} is the active table: give the name of the old one.`,
    );
  });
});

test('Whatever happens to any of its calls, once or from then on, doing it again leaves nothing of whoever was erased', async () => {
  await restoreItems([]);
  const { bob } = await newBob();
  const moment = await allItems();
  await eraseOf(bob.id);
  const old = await restoredTo(moment);
  const calls = await recordHttpCalls(() => again(old));
  const updates = calls.filter(({ operation }) => operation === 'UpdateItem');
  // Those in between are the erasure's: erase-faults.test.ts.
  const own = [...calls.slice(0, 7), ...updates.slice(-1)];
  const strikes = listFaults(calls).filter(({ number }) =>
    own.some((call) => call === calls[number - 1]),
  );
  const problems: string[] = [];
  for (const strike of strikes.filter((_, n) => n % sized(20, 3) === 0)) {
    await restoreItems(moment);
    const wire = injectFault(strike);
    const { outcome } = await again(old);
    await wire.calm();
    const isLeft = async () => (await findTraces(bob.id, { isPurged: false })).length > 0;
    if (outcome === true && (await isLeft())) problems.push(`${strike.title}: says it is done`);
    if ((await again(old)).outcome !== true) problems.push(`${strike.title}: does not go on`);
    if (await isLeft()) problems.push(`${strike.title}: leaves something`);
  }
  expect(calls.length).toBeGreaterThan(15);
  expect(problems).toEqual([]);
});
