import { expect, test } from '@jest/globals';
import {
  beginWrite,
  endWrite,
  observe,
  possibleValues,
  registerOf,
  undoWrite,
} from './model/register.ts';

const at = (begun: number, ended = begun + 0.5) => ({ begun, ended });

test('what is being set may be seen or not; once it has been answered, nothing older is seen', () => {
  const register = registerOf('a');
  const write = beginWrite(register, 'b', 10, 10);
  expect(possibleValues(register, at(5))).toEqual(new Set(['a']));
  expect(possibleValues(register, at(11))).toEqual(new Set(['a', 'b']));
  endWrite(write, 12);
  expect(possibleValues(register, at(11, 13))).toEqual(new Set(['a', 'b']));
  expect(possibleValues(register, at(13))).toEqual(new Set(['b']));
});

test('of two that were set at the same time, either may be the last', () => {
  const register = registerOf('a');
  const [b, c] = ['b', 'c'].map((value, n) => beginWrite(register, value, 10 + n, 10));
  for (const write of [b, c]) if (write) endWrite(write, 15);
  expect(possibleValues(register, at(16))).toEqual(new Set(['b', 'c']));
});

test('what somebody has seen, nobody may miss afterwards', () => {
  const register = registerOf('a');
  beginWrite(register, 'b', 10, 10);
  expect(observe(register, at(11), 'b')).toBe(true);
  expect(observe(register, at(12), 'a')).toBe(false);
  expect(observe(register, at(11.2), 'a')).toBe(true);
});

test('what was refused cannot be seen, and must not have been', () => {
  const register = registerOf('a');
  const refused = beginWrite(register, 'b', 10, 10);
  expect(undoWrite(register, refused)).toBe(true);
  expect(observe(register, at(11), 'b')).toBe(false);
  const seen = beginWrite(register, 'c', 20, 20);
  observe(register, at(21), 'c');
  expect(undoWrite(register, seen)).toBe(false);
});

test('what nobody can see any more is forgotten, but not while a request is under way that may', () => {
  const register = registerOf(0);
  for (let value = 1; value <= 100; value++) {
    endWrite(beginWrite(register, value, value * 10, value * 10), value * 10 + 5);
  }
  expect(register.writes.length).toBeLessThan(4);
  const kept = registerOf(0);
  for (let value = 1; value <= 100; value++) {
    endWrite(beginWrite(kept, value, value * 10, 7), value * 10 + 5);
  }
  expect(kept.writes).toHaveLength(101);
});
