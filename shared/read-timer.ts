export interface ReadTimer {
  restart(): void;
  cancel(): void;
}

/**
 * Calls `expire` unless the timer is restarted or canceled within the given number of milliseconds.
 * After a pause of the process, timers fire before the event loop reads received data. Therefore,
 * `expire` runs only after the next read.
 */
export function startReadTimer(milliseconds: number, expire: () => void): ReadTimer {
  let expiring: ReturnType<typeof setImmediate> | undefined;
  const timer = setTimeout(() => {
    expiring = setImmediate(expire);
  }, milliseconds);
  return {
    restart: () => {
      clearImmediate(expiring);
      timer.refresh();
    },
    cancel: () => {
      clearImmediate(expiring);
      clearTimeout(timer);
    },
  };
}
