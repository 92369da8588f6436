/**
 * Waits until the condition holds. Throws after 30 seconds, or after the given number of
 * milliseconds.
 */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  patience = 30_000,
): Promise<void> {
  const limit = AbortSignal.timeout(patience);
  while (!(await holds())) {
    limit.throwIfAborted();
    await new Promise((done) => setTimeout(done, 20));
  }
}
