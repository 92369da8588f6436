/** Runs a task after all earlier ones have ended, whether they succeeded or not. */
export type SerialQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Returns an empty queue. */
export function createSerialQueue(): SerialQueue {
  const state = { last: Promise.resolve() };
  return (task) => {
    const result = state.last.then(task);
    state.last = result.then(
      () => {},
      () => {},
    );
    return result;
  };
}
