export interface ReadTimer {
  restart(): void;
  cancel(): void;
}

/**
 * Limits the milliseconds of waiting for data. After a pause of the process, a timer expires before
 * the event loop reads received data. Therefore, calls `expire` only after the event loop has read.
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
