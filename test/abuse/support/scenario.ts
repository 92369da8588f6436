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
export interface ScenarioPlan<Place> {
  /** Describes the abuse. The test's title adds the expected result. */
  title: string;
  /** Creates the baseline without abuse. */
  quiet(abuse: AbuseRun): Promise<Place>;
  /** Creates the same setup with the adverse history, if the abuse has one. */
  abused(abuse: AbuseRun): Promise<Place>;
  /** Runs in the baseline before each round, so that both setups have the same number of items. */
  beforeRound?(sequence: Place, abuse: AbuseRun): Promise<unknown>;
  /** The abuse, repeated while the regular calls are made. */
  hostileAction?(sequence: Place, abuse: AbuseRun): Promise<void>;
  /** The measured calls, the same in both setups. */
  honestCalls(sequence: Place): HonestCall[];
  /** Maximum ratio to the baseline figures. Default: 3. */
  maxFactor?: number;
  /** Additional unavoidable cost per call, as explained in docs/design.md. */
  extraCost?: CostLimit | ((abuse: AbuseRun) => CostLimit);
  /** Maximum ratio of median times; not checked by default. */
  maxSlowdown?: number;
  /** Additional cost allowed for one call. Default: the first reader's maintenance. */
  oneTimeCost?: CostLimit | ((abuse: AbuseRun) => CostLimit);
  /**
   * Maximum read and write units of a call. Replaces the ratio if high costs are unavoidable: see
   * docs/design.md.
   */
  maxUnits?: number | ((abuse: AbuseRun) => number);
  /** Number of rounds in each setup. Default: 5. */
  rounds?: number;
  /** Runs further checks after the rounds. Throws if one fails. */
  afterwards?(sequence: Place, abuse: AbuseRun): Promise<void>;
}

/** A scenario as the test runs it. */
export interface Scenario {
  title: string;
  /** Returns the figures and the failed expectations. */
  run(abuse: AbuseRun): Promise<{ figures: Figures[]; faults: string[] }>;
}

const defaultRounds = 5;
/**
 * Maximum repetitions of a slow measurement. Repetitions remove random slowness, but not a real
 * difference.
 */
const maxRemeasurements = 4;

export const scenario = <Place>(plot: ScenarioPlan<Place>): Scenario => ({
  title: plot.title,
  run: async (abuse) => {
    const quiet = await plot.quiet(abuse);
    const abused = await plot.abused(abuse);
    const seen = new Map<string, Pairs>();
    const { rounds = defaultRounds, maxSlowdown: slower } = plot;
    const assault = repeatUntilEnd(() => plot.hostileAction?.(abused, abuse));
    for (let round = 0; round < rounds; round++) await makeRound();
    for (let again = 0; again < maxRemeasurements; again++) {
      const slow = figures().filter((one) => isSlower(one, slower));
      if (slow.length === 0) break;
      const titles = slow.map(({ title }) => title);
      for (let round = 0; round < rounds; round++) await makeRound(titles);
    }
    const broken = await catchFault(assault.end);
    const allowance = allowanceOf(plot, abuse);
    return {
      figures: figures(),
      faults: [
        ...figures().flatMap((one) => findOverBudget(one, allowance)),
        ...broken,
        ...(await catchFault(() => plot.afterwards?.(abused, abuse))),
      ],
    };

    function figures(): Figures[] {
      return [...seen].map(([title, made]) => toFigures(title, made, rounds));
    }

    /** Alternates between both setups, so that a slow machine affects both equally. */
    async function makeRound(only?: string[]): Promise<void> {
      await plot.beforeRound?.(quiet, abuse);
      const pairs = plot
        .honestCalls(quiet)
        .map((one, n) => [one, plot.honestCalls(abused)[n]] as const);
      for (const [here, there] of pairs) {
        if (!there) throw new Error(`The abused setup lacks the call: ${here.title}`);
        if (only && !only.includes(here.title)) continue;
        const made = seen.get(here.title) ?? { quiet: [], abused: [] };
        seen.set(here.title, made);
        made.quiet.push(await makeCall(here));
        made.abused.push(await makeCall(there));
      }
    }
  },
});

function allowanceOf<Place>(plot: ScenarioPlan<Place>, abuse: AbuseRun): Allowance {
  const {
    maxFactor: times,
    extraCost: besides,
    oneTimeCost: once,
    maxUnits: mostUnits,
    maxSlowdown: slower,
  } = plot;
  return {
    maxFactor: times,
    maxSlowdown: slower,
    extraCost: valueFor(abuse, besides),
    oneTimeCost: valueFor(abuse, once),
    maxUnits: valueFor(abuse, mostUnits),
  };
}

const valueFor = <Value extends object | number | undefined>(
  abuse: AbuseRun,
  value: Value | ((abuse: AbuseRun) => Value),
): Value => (typeof value === 'function' ? value(abuse) : value);

/** Repeats the action until `end` is called. */
function repeatUntilEnd(act: () => Promise<void> | undefined): { end(): Promise<void> } {
  let ended = false;
  const going = (async () => {
    while (!ended) {
      const more = act();
      if (!more) return;
      await more;
      // Yields to I/O even if the action returns immediately.
      await sleep(1);
    }
  })();
  // `end` rethrows the error.
  going.catch(() => undefined);
  return {
    end: async () => {
      ended = true;
      await going;
    },
  };
}

/** Runs the function; if it throws, returns the message of the error. */
const catchFault = async (act: () => Promise<void> | undefined): Promise<string[]> => {
  try {
    await act();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};
