/** Milliseconds between two looks at the clock. */
const checkIntervalMs = 15_000;
/** A timer that is so late (milliseconds) was not only throttled, as those of hidden pages are: the device has slept. */
const sleepThresholdMs = 150_000;

/** Calls when the network has changed or the device has slept, and when the page is shown again. Gives what ends that. */
export function listenForWake({
  onResume: wake,
  onPageVisible: shown,
}: {
  onResume: () => void;
  onPageVisible: () => void;
}): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > sleepThresholdMs) wake();
    last = now;
  }, checkIntervalMs);
  // Neither is there in Node and React Native.
  const look = () => Reflect.get(globalThis, 'document')?.visibilityState === 'visible' && shown();
  const undo = [
    listen(Reflect.get(globalThis, 'self'), 'online', wake),
    listen(Reflect.get(globalThis, 'document'), 'visibilitychange', look),
  ];
  return () => {
    clearInterval(timer);
    for (const end of undo) end();
  };
}

function listen(
  target: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> | undefined,
  type: string,
  listener: () => void,
) {
  target?.addEventListener?.(type, listener);
  return () => target?.removeEventListener?.(type, listener);
}
