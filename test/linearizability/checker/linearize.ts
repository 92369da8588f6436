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
  isLook(operation: Operation): boolean;
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
  /** Reads that no state explains yet, each with the state at its start. */
  looking: ReadonlyMap<number, State>;
}

/**
 * Returns the first unexplained reply, or `undefined` if the operations are linearizable: each
 * takes effect at one instant between its request and its reply. Uses Wing and Gong's search with
 * memoization, in Lowe's just-in-time order: follows all candidates at once, and applies a write
 * only when a reply requires it. Settles a read as soon as a state explains it.
 */
export function linearize<State, Operation extends Timed>(
  model: Model<State, Operation>,
  operations: readonly Operation[],
): UnexplainedReply<State, Operation> | undefined {
  const open = new Map<number, Operation>();
  let ways: PartialOrder<State>[] = [
    { state: model.initial, ahead: new Set(), looking: new Map() },
  ];

  /** Returns the candidates after one more write. */
  const onwards = ({ state, ahead, looking }: PartialOrder<State>): PartialOrder<State>[] =>
    [...open].flatMap(([n, operation]) => {
      if (ahead.has(n) || model.isLook(operation)) return [];
      const next = model.step(state, operation, state);
      if (next === undefined) return [];
      return [settle(model, open, { state: next, ahead: new Set(ahead).add(n), looking })];
    });

  /** Returns the candidates in which the operation has taken effect by its reply. */
  const answered = (n: number, operation: Operation): PartialOrder<State>[] => {
    const isLook = model.isLook(operation);
    const seen = new Set<string>();
    const arrived: PartialOrder<State>[] = [];
    const left = [...ways];
    for (let way = left.pop(); way; way = left.pop()) {
      const key = getOrderKey(model, way);
      if (seen.has(key)) continue;
      seen.add(key);
      if (isLook ? !way.looking.has(n) : way.ahead.has(n)) arrived.push(way);
      else left.push(...onwards(way));
    }
    return arrived.map((way) => ({
      ...way,
      ahead: new Set([...way.ahead].filter((one) => one !== n)),
    }));
  };

  for (const { n, operation, isAnswer } of toEvents(operations)) {
    if (!isAnswer) {
      open.set(n, operation);
      if (model.isLook(operation)) {
        ways = ways.map((way) =>
          settle(model, open, { ...way, looking: new Map(way.looking).set(n, way.state) }),
        );
      }
      continue;
    }
    const next = answered(n, operation);
    if (next.length === 0) return { at: operation, states: ways.map(({ state }) => state) };
    open.delete(n);
    ways = [...new Map(next.map((way) => [getOrderKey(model, way), way])).values()];
  }
  return undefined;
}

/** Settles the reads that the state explains. Settling a read never rules out a valid order. */
function settle<State, Operation>(
  model: Model<State, Operation>,
  open: ReadonlyMap<number, Operation>,
  order: PartialOrder<State>,
): PartialOrder<State> {
  const looking = [...order.looking].filter(([n, begun]) => {
    const read = open.get(n);
    return read && model.step(order.state, read, begun) === undefined;
  });
  return { ...order, looking: new Map(looking) };
}

function getOrderKey<State, Operation>(
  model: Model<State, Operation>,
  { state, ahead, looking }: PartialOrder<State>,
): string {
  const looks = [...looking].map(([n, begun]) => [n, model.keyOf(begun)]);
  return JSON.stringify([model.keyOf(state), [...ahead].sort(), looks]);
}

/**
 * Returns requests and replies in chronological order. A request comes before a simultaneous reply,
 * so that the two operations overlap. Operations with an unknown outcome have no reply event.
 */
const toEvents = <Operation extends Timed>(operations: readonly Operation[]) =>
  operations
    .flatMap((operation, n) => [
      { at: operation.invoked, isAnswer: false, n, operation },
      { at: operation.responded, isAnswer: true, n, operation },
    ])
    .filter(({ at }) => at !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.at - b.at || Number(a.isAnswer) - Number(b.isAnswer));
