/** Times of a request and its reply. If the outcome is unknown, `responded` is Infinity. */
export interface Timed {
  invoked: number;
  responded: number;
}

/** The sequential specification. States are immutable. */
export interface Model<State, Operation> {
  initial: State;
  /** Returns equal keys for equal states. */
  keyOf(state: State): string;
  /**
   * Returns the state after the operation, or `undefined` if `state` rules out the operation's
   * reply. An operation with an unknown outcome may have any reply. A read may return data from any
   * state since `begun`, the state at its start.
   */
  step(state: State, operation: Operation, begun: State): State | undefined;
  /** Reports whether the operation is known to have no effect. */
  isRead(operation: Operation): boolean;
}

/** The operation whose reply has no explanation, and the possible states before it. */
export interface UnexplainedReply<State, Operation> {
  at: Operation;
  states: State[];
}

/** A candidate: a possible order of the operations so far. */
interface PartialOrder<State> {
  state: State;
  /** Writes that have taken effect before their replies. */
  ahead: ReadonlySet<number>;
  /** Pending reads, each with the state at its start. No state explains these reads yet. */
  pendingReads: ReadonlyMap<number, State>;
}

/**
 * Returns the first unexplained reply, or `undefined` if the operations are linearizable.
 * Linearizable operations each take effect at one instant between request and reply. Uses Wing and
 * Gong's search with memoization, in Lowe's just-in-time order: follows all candidates at once, and
 * applies a write only when a reply requires it.
 */
export function linearize<State, Operation extends Timed>(
  model: Model<State, Operation>,
  operations: readonly Operation[],
): UnexplainedReply<State, Operation> | undefined {
  const open = new Map<number, Operation>();
  let candidates: PartialOrder<State>[] = [
    { state: model.initial, ahead: new Set(), pendingReads: new Map() },
  ];

  const advance = ({ state, ahead, pendingReads }: PartialOrder<State>): PartialOrder<State>[] =>
    [...open].flatMap(([n, operation]) => {
      if (ahead.has(n) || model.isRead(operation)) return [];
      const next = model.step(state, operation, state);
      if (next === undefined) return [];
      return [settle(model, open, { state: next, ahead: new Set(ahead).add(n), pendingReads })];
    });

  /** Returns the candidates in which the operation has taken effect by the time of its reply. */
  const findCandidates = (n: number, operation: Operation): PartialOrder<State>[] => {
    const isRead = model.isRead(operation);
    const seen = new Set<string>();
    const arrived: PartialOrder<State>[] = [];
    const left = [...candidates];
    for (let candidate = left.pop(); candidate; candidate = left.pop()) {
      const key = getOrderKey(model, candidate);
      if (seen.has(key)) continue;
      seen.add(key);
      if (isRead ? !candidate.pendingReads.has(n) : candidate.ahead.has(n)) arrived.push(candidate);
      else left.push(...advance(candidate));
    }
    return arrived.map((candidate) => ({
      ...candidate,
      ahead: new Set([...candidate.ahead].filter((one) => one !== n)),
    }));
  };

  for (const { n, operation, isReply } of toEvents(operations)) {
    if (!isReply) {
      open.set(n, operation);
      if (model.isRead(operation)) {
        candidates = candidates.map((candidate) =>
          settle(model, open, {
            ...candidate,
            pendingReads: new Map(candidate.pendingReads).set(n, candidate.state),
          }),
        );
      }
      continue;
    }
    const next = findCandidates(n, operation);
    if (next.length === 0) return { at: operation, states: candidates.map(({ state }) => state) };
    open.delete(n);
    candidates = [
      ...new Map(next.map((candidate) => [getOrderKey(model, candidate), candidate])).values(),
    ];
  }
  return undefined;
}

/**
 * Settles the reads whose replies are possible in the state. Settling a read never rules out a
 * valid order.
 */
function settle<State, Operation>(
  model: Model<State, Operation>,
  open: ReadonlyMap<number, Operation>,
  order: PartialOrder<State>,
): PartialOrder<State> {
  const pendingReads = [...order.pendingReads].filter(([n, begun]) => {
    const read = open.get(n);
    return read && model.step(order.state, read, begun) === undefined;
  });
  return { ...order, pendingReads: new Map(pendingReads) };
}

function getOrderKey<State, Operation>(
  model: Model<State, Operation>,
  { state, ahead, pendingReads }: PartialOrder<State>,
): string {
  const readKeys = [...pendingReads].map(([n, begun]) => [n, model.keyOf(begun)]);
  return JSON.stringify([model.keyOf(state), [...ahead].sort(), readKeys]);
}

/**
 * Returns requests and replies in chronological order. A request comes before a simultaneous reply,
 * so that the two operations overlap.
 */
const toEvents = <Operation extends Timed>(operations: readonly Operation[]) =>
  operations
    .flatMap((operation, n) => [
      { at: operation.invoked, isReply: false, n, operation },
      { at: operation.responded, isReply: true, n, operation },
    ])
    .filter(({ at }) => at !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.at - b.at || Number(a.isReply) - Number(b.isReply));
