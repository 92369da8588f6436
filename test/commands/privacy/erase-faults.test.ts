import { beforeEach, expect, jest, test } from '@jest/globals';
import { eraseItems } from '../../../commands/privacy/erase/erase-items.ts';
import type { TableRange } from '../../../commands/privacy/items/read-ranges.ts';
import { clock } from '../../../shared/clock.ts';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { random } from '../../../shared/ids.ts';
import type { Item } from '../../../shared/table/calls/access.ts';
import { changeConversation, create, list, react, send } from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { takeSample } from '../../support/setup/sample-size.ts';
import { type FaultInjection, injectFault, listFaults } from '../../support/table/http-faults.ts';
import { recordHttpCalls } from '../../support/table/http-hooks.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import { findTraces } from './find-traces.ts';
import { allItems, itemToText, toErasure } from './person-fixture.ts';
import { restoreItems } from './restore-items.ts';
import '../../support/setup/use-table.ts';

const [ann, bob] = [person('ann'), person('bob')];
const oneByOne: readonly TableRange[] = [{ kind: 'segment', segment: 0, of: 1 }];

async function createItems(): Promise<Item[]> {
  const { id } = await create(ann, { contact_id: 'bob', distinct: true });
  const hello = await send(ann, id, 'Hello');
  await react(bob, hello.id, { heart: ['bob'] });
  await react(ann, hello.id, { heart: ['ann'] });
  const reply = await send(bob, id, 'Hello yourself');
  await changeConversation(ann, id, { pinned_message_id: reply.id });
  await list(bob, id);
  const { id: self } = await create(bob, { contact_id: 'bob' });
  await send(bob, self, 'Do not forget');
  const body = { conversation_id: id, message: 'Once' };
  await ok(sendMessage, { as: bob, body, headers: { 'Idempotency-Key': 'one' } });
  await publishAll();
  return allItems();
}

const erase = () => eraseItems(toErasure('bob', { ranges: oneByOne }));

beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  // Disables random neighbor scans during deletions, because they make the number of calls vary.
  jest.spyOn(random, 'oneIn').mockReturnValue(false);
});
/**
 * Returns Ann's messages, contact items and settings as text, without the fields that Bob's erasure
 * changes.
 */
const ofAnn = async () =>
  (await allItems())
    .filter(
      ({ sent_by, pk, sk }) => sent_by === 'ann' || pk === 'CONTACT#ann' || sk === 'SETTINGS#ann',
    )
    .map(({ reactions, reaction_count, version, change: _, ...others }) => itemToText(others))
    .sort();

test('If any call fails once or permanently, a repeated erasure deletes all of the person’s data and no data of other users', async () => {
  const before = await createItems();
  const expectedItems = await ofAnn();
  const calls = await recordHttpCalls(erase);
  const problems: string[] = [];

  const findProblem = async (fault: FaultInjection): Promise<string> => {
    await restoreItems(before);
    const injected = injectFault(fault);
    const outcome = await erase().then(
      ({ remaining }) => remaining,
      () => undefined,
    );
    await injected.remove();
    if (outcome && (await findTraces('bob', { isPurged: false })).length > 0)
      return 'reports completion too early';
    await erase();
    const traces = await findTraces('bob', { isPurged: false });
    if (traces.length > 0) return `leaves ${traces.join(' ')}`;
    return (await ofAnn()).join() === expectedItems.join() ? '' : 'erases some of Ann’s data';
  };

  for (const fault of takeSample(listFaults(calls), 40)) {
    const problem = await findProblem(fault);
    if (problem) problems.push(`${fault.title}: ${problem}`);
  }
  expect(calls.length).toBeGreaterThan(15);
  expect(problems).toEqual([]);
}, 300_000);
