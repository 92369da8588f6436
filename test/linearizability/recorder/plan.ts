import fc from '../../support/setup/fast-check.ts';

/** A client's action. The action selects its message when it runs. */
export type Act =
  | { kind: 'send' }
  /** `key`: 0 or 1. Each person has only two keys, so that keys repeat. */
  | { kind: 'send with key'; key: number }
  | {
      kind: 'list';
      limit: number;
      cursor: 'starting_after' | 'ending_before' | undefined;
      pick: number;
      peek: boolean;
    }
  | { kind: 'read up to'; pick: number }
  | { kind: 'count' }
  | { kind: 'retrieve'; pick: number }
  | { kind: 'delete'; pick: number }
  | { kind: 'delete conversation' }
  | { kind: 'block' }
  | { kind: 'unblock' };

export interface Step {
  act: Act;
  /** Milliseconds that the client waits before the step. */
  pause: number;
  /** Milliseconds after which the client aborts the request. Undefined for no limit. */
  timeout: number | undefined;
}

/** The steps of each client. */
export type Plan = Step[][];

const pick = fc.nat(1000);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 24, arbitrary: fc.record({ kind: fc.constant('send') }) },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('send with key'), key: fc.nat(1) }),
  },
  {
    weight: 36,
    arbitrary: fc.record({
      kind: fc.constant('list'),
      limit: fc.constantFrom(1, 2, 3, 100),
      cursor: fc.constantFrom(undefined, undefined, 'starting_after', 'ending_before'),
      pick,
      peek: fc.constantFrom(true, false, false),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('read up to'), pick }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('count') }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('retrieve'), pick }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('delete'), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete conversation') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('block') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('unblock') }) },
);

const step: fc.Arbitrary<Step> = fc.record({
  act,
  pause: fc.oneof(fc.constant(0), fc.nat(20)),
  timeout: fc.oneof(
    { weight: 24, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 5, max: 60 }) },
  ),
});

export const plan: fc.Arbitrary<Plan> = fc.array(
  fc.array(step, { minLength: 5, maxLength: 9, size: 'max' }),
  { minLength: 3, maxLength: 5, size: 'max' },
);
