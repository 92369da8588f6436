import { describe, expect, test } from '@jest/globals';
import { getDeadlineSignal, withDeadline } from '../../shared/deadline.ts';

/** Waits until all pending microtasks have run. */
const flushMicrotasks = () => new Promise((resolve) => setImmediate(resolve));

describe('A call with a deadline', () => {
  test('returns its result or throws its error, and then aborts its signal', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const result = await withDeadline(60_000, async () => {
      signals.push(getDeadlineSignal());
      expect(getDeadlineSignal()?.aborted).toBe(false);
      return 'done';
    });
    expect(result).toBe('done');
    const failing = withDeadline(1000, async () => {
      signals.push(getDeadlineSignal());
      throw new Error('It failed.');
    });
    await expect(failing).rejects.toThrow('It failed.');
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect(getDeadlineSignal()).toBeUndefined();
  });

  test.each([20, 0, -5])(
    'of %i ms aborts its signal when the deadline passes',
    async (milliseconds) => {
      const ended = withDeadline(
        milliseconds,
        () =>
          new Promise((_, reject) => {
            getDeadlineSignal()?.addEventListener('abort', ({ target }) => reject(target));
          }),
      );
      await expect(ended).rejects.toMatchObject({
        reason: new Error('The deadline has passed.'),
      });
    },
  );

  test('aborts its signal at the deadline of the enclosing call, even if its own deadline is later', async () => {
    const ended = withDeadline(20, () =>
      withDeadline(
        10_000,
        () =>
          new Promise((_, reject) => {
            getDeadlineSignal()?.addEventListener('abort', ({ target }) => reject(target));
          }),
      ),
    );
    await expect(ended).rejects.toMatchObject({ reason: new Error('The deadline has passed.') });
  });

  test('does not abort the signal of an enclosing or a concurrent call', async () => {
    let outerSignal: AbortSignal | undefined;
    const longer = withDeadline(1000, async () => {
      outerSignal = getDeadlineSignal();
      await withDeadline(60_000, flushMicrotasks);
      expect(getDeadlineSignal()).toBe(outerSignal);
      return outerSignal?.aborted;
    });
    await withDeadline(0, flushMicrotasks);
    expect(await longer).toBe(false);
  });
});
