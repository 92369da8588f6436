import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { budgets } from '../../../commands/cost/budgets.ts';
import { type Caller, maxGroups } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { createConversation } from '../../../shared/contract/operations.ts';
import { measureCost } from '../../commands/cost/measure-budget.ts';
import { create } from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { createTrio } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const plain = budgets['conversations/create'].direct.writes;
/** Returns the write units for storing the caller's contact, without those for the conversation. */
const measureWrites = async (caller: Caller) =>
  (await measureCost(create(caller, { contact_id: 'zoe' }))).writes - plain;

let now: number;
beforeEach(() => {
  now = clock.now();
  jest.spyOn(clock, 'now').mockImplementation(() => now);
});
describe('Storing the caller’s contact and groups', () => {
  const createCaller = (groups: string[]) => ({ ...createTrio().cleo, groups });

  test('costs one write unit for twenty groups whose ids are UUIDs', async () => {
    expect(await measureWrites(createCaller(Array.from({ length: 20 }, () => randomUUID())))).toBe(
      1,
    );
  });

  test('costs one write unit per kilobyte of claims', async () => {
    const name = (n: number) => `${n}`.padEnd(70, 'x');
    const groups = Array.from({ length: maxGroups }, (_, n) => name(n));
    expect(await measureWrites(createCaller(groups))).toBe(8);
  });

  test('in the record of an Idempotency-Key costs two write units per additional kilobyte of the profile', async () => {
    const measureKeyedWrites = async (caller: Caller) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const body = { contact_id: 'zoe' };
      return (await measureCost(ok(createConversation, { as: caller, headers, body }))).writes;
    };
    const [one, other] = [createCaller([]), createCaller([])];
    await measureWrites(one);
    const large = { ...other, avatar_url: `https://example.com/${'x'.repeat(7000)}` };
    await measureWrites(large);
    expect((await measureKeyedWrites(large)) - (await measureKeyedWrites(one))).toBe(2 * 7);
  });

  test('happens at most once a minute, regardless of the order of groups in the token', async () => {
    const one = createCaller(['a', 'b']);
    expect(await measureWrites(one)).toBe(1);
    now += 59_000;
    expect(await measureWrites(one)).toBe(0);
    expect(await measureWrites({ ...one, groups: ['b', 'a'] })).toBe(0);
    now += 1000;
    expect(await measureWrites(one)).toBe(1);
  });

  test('happens immediately after the contact has joined or left a group', async () => {
    const one = createCaller(['a']);
    expect(await measureWrites(one)).toBe(1);
    expect(await measureWrites({ ...one, groups: ['a', 'b'] })).toBe(1);
    expect(await measureWrites({ ...one, groups: ['b'] })).toBe(1);
    expect(await measureWrites({ ...one, groups: [] })).toBe(1);
  });
});
