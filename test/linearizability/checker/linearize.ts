/** When an operation was asked for and answered; `responded` is Infinity when nobody knows how it ended. */
export interface Timed {
  invoked: number;
  responded: number;
}

/** A thing as it would be if operations came one after the other. States are never changed, only replaced. */
export interface Model<State, Operation> {
  initial: State;
  /** The same for states that are the same. */
  keyOf(state: State): string;
  /**
   * The state after the operation, if in this state it may go as it went; else undefined. One whose end is unknown may go
   * in any way. `begun` is the state when a look began: it may take what it shows from any moment since.
   */
  step(state: State, operation: Operation, begun: State): State | undefined;
  /** It is known that the operation changed nothing. */
  isLook(operation: Operation): boolean;
}

/** The operation by whose answer there is no explanation any more, and the states that there could have been before. */
export interface UnexplainedReply<State, Operation> {
  at: Operation;
  states: State[];
}

/** One way in which it may have come so far. */
interface PartialOrder<State> {
  state: State;
  /** Changes that have taken effect, but are not answered yet. */
  ahead: ReadonlySet<number>;
  /** Looks that do not yet see what they answer, each with the state in which it began. */
  looking: ReadonlyMap<number, State>;
}

/**
 * Whether operations that overlapped can be explained as if each had happened in one instant between its invocation and its
 * answer. This is Wing and Gong's search with memory, in Lowe's just-in-time order: all ways in which it may have come are
 * followed at once; a change takes effect when some answer calls for it, and a look is settled as soon as the state is
 * what it shows, which hinders nothing.
 */
export function linearize<State, Operation extends Timed>(
  model: Model<State, Operation>,
  operations: readonly Operation[],
): UnexplainedReply<State, Operation> | undefined {
  const open = new Map<number, Operation>();
  let ways: PartialOrder<State>[] = [
    { state: model.initial, ahead: new Set(), looking: new Map() },
  ];

  /** Settles the looks that the state explains. */
  const settled = (way: PartialOrder<State>): PartialOrder<State> => {
    const looking = [...way.looking].filter(([n, begun]) => {
      const look = open.get(n);
      return look && model.step(way.state, look, begun) === undefined;
    });
    return { ...way, looking: new Map(looking) };
  };

  const begin = (way: PartialOrder<State>, n: number, operation: Operation): PartialOrder<State> =>
    model.isLook(operation)
      ? settled({ ...way, looking: new Map(way.looking).set(n, way.state) })
      : way;

  /** The ways that go on from this one by one change. */
  const onwards = ({ state, ahead, looking }: PartialOrder<State>): PartialOrder<State>[] =>
    [...open].flatMap(([n, operation]) => {
      if (ahead.has(n) || model.isLook(operation)) return [];
      const next = model.step(state, operation, state);
      if (next === undefined) return [];
      return [settled({ state: next, ahead: new Set(ahead).add(n), looking })];
    });

  const keyOf = ({ state, ahead, looking }: PartialOrder<State>): string => {
    const looks = [...looking].map(([n, begun]) => [n, model.keyOf(begun)]);
    return JSON.stringify([model.keyOf(state), [...ahead].sort(), looks]);
  };

  /** The ways by which the operation has happened when it is answered. */
  const answered = (n: number, operation: Operation): PartialOrder<State>[] => {
    const isLook = model.isLook(operation);
    const seen = new Set<string>();
    const arrived: PartialOrder<State>[] = [];
    const left = [...ways];
    for (let way = left.pop(); way; way = left.pop()) {
      const key = keyOf(way);
      if (seen.has(key)) continue;
      seen.add(key);
      if (isLook ? !way.looking.has(n) : way.ahead.has(n)) arrived.push(way);
      else left.push(...onwards(way));
    }
    return arrived.map((way) => {
      const ahead = new Set(way.ahead);
      ahead.delete(n);
      return { ...way, ahead };
    });
  };

  for (const { n, operation, isAnswer } of toEvents(operations)) {
    if (!isAnswer) {
      open.set(n, operation);
      ways = ways.map((way) => begin(way, n, operation));
      continue;
    }
    const next = answered(n, operation);
    if (next.length === 0) return { at: operation, states: ways.map(({ state }) => state) };
    open.delete(n);
    ways = [...new Map(next.map((way) => [keyOf(way), way])).values()];
  }
  return undefined;
}

/** In the order of time; what happens at the same time overlaps. Unknown ends are never met. */
const toEvents = <Operation extends Timed>(operations: readonly Operation[]) =>
  operations
    .flatMap((operation, n) => [
      { at: operation.invoked, isAnswer: false, n, operation },
      { at: operation.responded, isAnswer: true, n, operation },
    ])
    .filter(({ at }) => at !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.at - b.at || Number(a.isAnswer) - Number(b.isAnswer));
