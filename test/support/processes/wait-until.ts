/** Timeout of a step in milliseconds. No step takes this long, even on a busy machine. */
export const stepTimeout = 120_000;

/** Waits until the condition holds. Throws after `timeout` milliseconds. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  timeout = stepTimeout,
): Promise<void> {
  const limit = AbortSignal.timeout(timeout);
  while (!(await holds())) {
    limit.throwIfAborted();
    await new Promise((done) => setTimeout(done, 20));
  }
}
