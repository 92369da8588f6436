/**
 * Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP. Ignores repeats, because npm
 * forwards signals that the terminal has already sent to both processes.
 */
export function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => controller.abort());
  }
  return controller.signal;
}
