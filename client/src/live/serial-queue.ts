/** Runs a task after all earlier tasks have succeeded or failed. */
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
