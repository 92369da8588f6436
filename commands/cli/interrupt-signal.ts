/**
 * Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP. Ignores repeated signals:
 * the terminal sends Ctrl-C to npm and to this process, and npm forwards it again.
 */
export function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => controller.abort());
  }
  return controller.signal;
}
