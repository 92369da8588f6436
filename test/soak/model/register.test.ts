import { expect, test } from '@jest/globals';
import {
  beginWrite,
  createRegister,
  endWrite,
  getPossibleValues,
  observeValue,
  undoWrite,
} from './register.ts';

const at = (startOrder: number, ended = startOrder + 0.5) => ({ startOrder, ended });

test('a read during a write may return the old or the new value, and a later read must return the new value', () => {
  const register = createRegister('a');
  const write = beginWrite(register, 'b', 10, 10);
  expect(getPossibleValues(register, at(5))).toEqual(new Set(['a']));
  expect(getPossibleValues(register, at(11))).toEqual(new Set(['a', 'b']));
  endWrite(write, 12);
  expect(getPossibleValues(register, at(11, 13))).toEqual(new Set(['a', 'b']));
  expect(getPossibleValues(register, at(13))).toEqual(new Set(['b']));
});

test('after two concurrent writes, a read may return either value', () => {
  const register = createRegister('a');
  const [b, c] = ['b', 'c'].map((value, n) => beginWrite(register, value, 10 + n, 10));
  for (const write of [b, c]) if (write) endWrite(write, 15);
  expect(getPossibleValues(register, at(16))).toEqual(new Set(['b', 'c']));
});

test('after a read returns the new value, later reads must not return the old value', () => {
  const register = createRegister('a');
  beginWrite(register, 'b', 10, 10);
  expect(observeValue(register, at(11), 'b')).toBe(true);
  expect(observeValue(register, at(12), 'a')).toBe(false);
  expect(observeValue(register, at(11.2), 'a')).toBe(true);
});

test('a read must not return a rejected value, before or after the rejection', () => {
  const register = createRegister('a');
  const refused = beginWrite(register, 'b', 10, 10);
  expect(undoWrite(register, refused)).toBe(true);
  expect(observeValue(register, at(11), 'b')).toBe(false);
  const observed = beginWrite(register, 'c', 20, 20);
  observeValue(register, at(21), 'c');
  expect(undoWrite(register, observed)).toBe(false);
});

test('a replaced value is discarded, unless a pending request may still read it', () => {
  const register = createRegister(0);
  for (let value = 1; value <= 100; value++) {
    endWrite(beginWrite(register, value, value * 10, value * 10), value * 10 + 5);
  }
  expect(register.writes.length).toBeLessThan(4);
  const retained = createRegister(0);
  for (let value = 1; value <= 100; value++) {
    endWrite(beginWrite(retained, value, value * 10, 7), value * 10 + 5);
  }
  expect(retained.writes).toHaveLength(101);
});
