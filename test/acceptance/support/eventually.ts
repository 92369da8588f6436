const patienceMilliseconds = 10_000;

/** Looks until what it expects has come true: lists may be a moment behind what was done. */
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
