import { setTimeout as sleep } from 'node:timers/promises';
import type { AbuseRun } from './abuse-run.ts';
import {
  type Allowance,
  type CostLimit,
  type Figures,
  findOverBudget,
  isSlower,
  type Pairs,
  toFigures,
} from './cost-figures.ts';
import type { HonestCall } from './honest-call.ts';
import { makeCall } from './make-call.ts';

/**
 * Regular calls in two setups: a baseline, and the same setup with a hostile client or an adverse
 * history.
 */
export interface ScenarioPlan<Setup> {
  /** Describes the abuse. The test's title adds the expected result. */
  title: string;
  /** Creates the baseline setup, without abuse. */
  quiet(abuse: AbuseRun): Promise<Setup>;
  /** Creates the same setup as `quiet`, plus the adverse history if the scenario has one. */
  abused(abuse: AbuseRun): Promise<Setup>;
  /** Runs in the baseline before each round, so that both setups have the same number of items. */
  beforeRound?(setup: Setup, abuse: AbuseRun): Promise<unknown>;
  /** Performs the abuse. Runs repeatedly during the regular calls. */
  hostileAction?(setup: Setup, abuse: AbuseRun): Promise<void>;
  /** The measured calls, which are the same in both setups. */
  honestCalls(setup: Setup): HonestCall[];
  /** Maximum ratio of a call's cost to its cost in the baseline. Default: 3. */
  maxFactor?: number;
  /** Additional unavoidable cost per call, as explained in docs/design.md. */
  extraCost?: CostLimit | ((abuse: AbuseRun) => CostLimit);
  /**
   * Maximum ratio of a call's median duration to its median duration in the baseline. If undefined,
   * durations are not checked.
   */
  maxSlowdown?: number;
  /** Additional cost allowed for one call. Default: the cost of the first reader's maintenance. */
  oneTimeCost?: CostLimit | ((abuse: AbuseRun) => CostLimit);
  /**
   * Maximum number of read and write units per call. Replaces the unit limit from `maxFactor` if
   * high costs are unavoidable: see docs/design.md.
   */
  maxUnits?: number | ((abuse: AbuseRun) => number);
  /** Number of rounds in each setup. Default: 5. */
  rounds?: number;
  /** Runs further checks after the rounds. If a check fails, throws. */
  checkAfterwards?(setup: Setup, abuse: AbuseRun): Promise<void>;
}

export interface Scenario {
  title: string;
  run(abuse: AbuseRun): Promise<{ figures: Figures[]; faults: string[] }>;
}

const defaultRounds = 5;
/**
 * Maximum number of repetitions of a slow measurement. Repetitions remove random slowness, but not
 * a real difference.
 */
const maxRemeasurements = 4;

export const scenario = <Setup>(plan: ScenarioPlan<Setup>): Scenario => ({
  title: plan.title,
  run: async (abuse) => {
    const quiet = await plan.quiet(abuse);
    const abused = await plan.abused(abuse);
    const seen = new Map<string, Pairs>();
    const { rounds = defaultRounds, maxSlowdown } = plan;
    const assault = repeatUntilEnd(() => plan.hostileAction?.(abused, abuse));
    for (let round = 0; round < rounds; round++) await makeRound();
    for (let attempt = 0; attempt < maxRemeasurements; attempt++) {
      const slow = figures().filter((one) => isSlower(one, maxSlowdown));
      if (slow.length === 0) break;
      const titles = slow.map(({ title }) => title);
      for (let round = 0; round < rounds; round++) await makeRound(titles);
    }
    const broken = await catchFault(assault.end);
    const allowance = allowanceOf(plan, abuse);
    return {
      figures: figures(),
      faults: [
        ...figures().flatMap((one) => findOverBudget(one, allowance)),
        ...broken,
        ...(await catchFault(() => plan.checkAfterwards?.(abused, abuse))),
      ],
    };

    function figures(): Figures[] {
      return [...seen].map(([title, results]) => toFigures(title, results, rounds));
    }

    /** Alternates between the two setups, so that a slow machine affects both equally. */
    async function makeRound(selectedTitles?: string[]): Promise<void> {
      await plan.beforeRound?.(quiet, abuse);
      const pairs = plan
        .honestCalls(quiet)
        .map((one, n) => [one, plan.honestCalls(abused)[n]] as const);
      for (const [here, there] of pairs) {
        if (!there) throw new Error(`The abused setup lacks the call: ${here.title}`);
        if (selectedTitles && !selectedTitles.includes(here.title)) continue;
        const results = seen.get(here.title) ?? { quiet: [], abused: [] };
        seen.set(here.title, results);
        results.quiet.push(await makeCall(here));
        results.abused.push(await makeCall(there));
      }
    }
  },
});

function allowanceOf<Setup>(plan: ScenarioPlan<Setup>, abuse: AbuseRun): Allowance {
  const { maxFactor, extraCost, oneTimeCost, maxUnits, maxSlowdown } = plan;
  return {
    maxFactor,
    maxSlowdown,
    extraCost: valueFor(abuse, extraCost),
    oneTimeCost: valueFor(abuse, oneTimeCost),
    maxUnits: valueFor(abuse, maxUnits),
  };
}

const valueFor = <Value extends object | number | undefined>(
  abuse: AbuseRun,
  value: Value | ((abuse: AbuseRun) => Value),
): Value => (typeof value === 'function' ? value(abuse) : value);

function repeatUntilEnd(action: () => Promise<void> | undefined): { end(): Promise<void> } {
  let ended = false;
  const repetition = (async () => {
    while (!ended) {
      const result = action();
      if (!result) return;
      await result;
      // Yields to I/O even if the action returns immediately.
      await sleep(1);
    }
  })();
  // `end` rethrows the error.
  repetition.catch(() => undefined);
  return {
    end: async () => {
      ended = true;
      await repetition;
    },
  };
}

/** Returns the message of an error thrown by the function. */
const catchFault = async (action: () => Promise<void> | undefined): Promise<string[]> => {
  try {
    await action();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};
