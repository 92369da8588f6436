import { expect } from '@jest/globals';

/** Smallest number that counts as a timestamp, in Unix seconds. */
const firstTime = 1_000_000_000;

/**
 * Converts a documented value to a Jest expectation. In a string, `…` matches any text. A
 * documented timestamp matches any number. In an object, `"…": "…"` matches any further fields.
 * Everything else must be equal.
 */
export function normalizeExample(shown: unknown): unknown {
  if (typeof shown === 'string') return shown.includes('…') ? toPattern(shown) : shown;
  if (typeof shown === 'number') return shown >= firstTime ? expect.any(Number) : shown;
  if (Array.isArray(shown)) return shown.map(normalizeExample);
  if (typeof shown !== 'object' || shown === null) return shown;
  const fields = Object.entries(shown).filter(([name]) => name !== '…');
  const expected = Object.fromEntries(
    fields.map(([name, value]) => [name, normalizeExample(value)]),
  );
  return '…' in shown ? expect.objectContaining(expected) : expected;
}

const toPattern = (shown: string) => {
  const parts = shown.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${parts.join('[\\s\\S]*')}$`));
};
