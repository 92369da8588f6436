/** Waits until it holds; gives up, and fails, after half a minute. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(30_000);
  while (!(await holds())) {
    limit.throwIfAborted();
    await new Promise((done) => setTimeout(done, 20));
  }
}
