/**
 * Returns an AbortSignal that aborts on the first SIGINT, SIGTERM or SIGHUP. Ignores repeated
 * signals: on Ctrl-C, the terminal sends SIGINT to npm and to this process, and npm forwards it.
 */
export function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => controller.abort());
  }
  return controller.signal;
}
