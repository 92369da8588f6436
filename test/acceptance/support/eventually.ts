const patienceMilliseconds = 60_000;

/** Retries for up to a minute, because lists are eventually consistent; then throws. */
export async function eventually(look: () => Promise<void>): Promise<void> {
  const end = Date.now() + patienceMilliseconds;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() >= end) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
