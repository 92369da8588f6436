/** Milliseconds between two checks of the device's clock. */
const checkIntervalMs = 15_000;
/**
 * If the device's clock advances by more than this many milliseconds between two checks, the device
 * has slept or its clock was set. Browsers delay the timers of hidden pages by at most a minute.
 */
const clockJumpMs = 150_000;

export interface WakeListeners {
  onOnline(): void;
  onOffline(): void;
  onPageVisible(): void;
  /** Called after the device wakes from sleep or its clock is set. */
  onClockJump(): void;
}

/** Listens for network, page and clock changes. Returns a function that stops listening. */
export function listenForWake(listeners: WakeListeners): () => void {
  const clock = { lastMs: Date.now() };
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - clock.lastMs > clockJumpMs) listeners.onClockJump();
    clock.lastMs = now;
  }, checkIntervalMs);
  // Node and React Native have no `document`, and no network events on `self`.
  const onVisibilityChange = () => {
    if (getGlobal('document')?.visibilityState === 'visible') listeners.onPageVisible();
  };
  const removers = [
    addListener(getGlobal('self'), 'online', listeners.onOnline),
    addListener(getGlobal('self'), 'offline', listeners.onOffline),
    addListener(getGlobal('document'), 'visibilitychange', onVisibilityChange),
  ];
  return () => {
    clearInterval(timer);
    for (const remove of removers) remove();
  };
}

const getGlobal = (name: string) => Reflect.get(globalThis, name);

function addListener(
  target: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> | undefined,
  type: string,
  listener: () => void,
) {
  target?.addEventListener?.(type, listener);
  return () => target?.removeEventListener?.(type, listener);
}
