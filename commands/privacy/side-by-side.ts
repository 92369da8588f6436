/**
 * Processes the items with limited concurrency. If one fails, throws after all running calls have
 * ended.
 */
export async function sideBySide<One>(
  list: readonly One[],
  atOnce: number,
  act: (one: One) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < list.length; at += atOnce) {
    const ended = await Promise.allSettled(list.slice(at, at + atOnce).map(act));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
}
