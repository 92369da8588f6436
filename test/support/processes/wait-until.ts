/** Waits until it holds; gives up, and fails, after half a minute, or after so many milliseconds. */
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
