/**
 * Is aborted by the first Ctrl-C, or whatever else asks this process to end; more of them change nothing, as npm sends on
 * what the terminal has sent to both.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => controller.abort());
  }
  return controller.signal;
}
