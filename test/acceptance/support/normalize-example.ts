import { expect } from '@jest/globals';

/** Whole numbers from here on are times. */
const firstTime = 1_000_000_000;

/**
 * What jest is to expect where a page shows this value: in a text, `…` stands for any text; a time stands for any time;
 * in an object, `"…": "…"` stands for any further fields. All else is as shown.
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
