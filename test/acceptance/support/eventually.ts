const patienceMilliseconds = 120_000;

/**
 * Retries `check` for up to two minutes, because lists are eventually consistent. Then throws the
 * last error.
 */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + patienceMilliseconds;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= end) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
