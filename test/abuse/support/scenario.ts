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

/** Honest calls in two places that are alike, but that in one of them somebody, or an unlucky history, is hostile. */
export interface ScenarioPlan<Place> {
  /** What a product person would say, of the hostile one and of everybody else. */
  title: string;
  /** A place where nothing is wrong. */
  quiet(abuse: AbuseRun): Promise<Place>;
  /** A like place with its history. */
  abused(abuse: AbuseRun): Promise<Place>;
  /** What people do in the quiet place before each round, so that there is as much to read. */
  beforeRound?(sequence: Place, abuse: AbuseRun): Promise<unknown>;
  /** What the hostile one does there while the honest calls are made, again and again. */
  hostileAction?(sequence: Place, abuse: AbuseRun): Promise<void>;
  /** The calls that are judged, the same in both places. */
  honestCalls(sequence: Place): HonestCall[];
  /** How often the quiet figures a call may have; 3 unless given. */
  maxFactor?: number;
  /** What each call may cost more than that, where it cannot be avoided, by docs/design.md. */
  extraCost?: CostLimit | ((abuse: AbuseRun) => CostLimit);
  /** How often the quiet time, in the median; not looked at unless given. */
  maxSlowdown?: number;
  /** What a call may cost more than that one time; what whoever comes first pays, unless given. */
  oneTimeCost?: CostLimit | ((abuse: AbuseRun) => CostLimit);
  /** How many read and write units a call may cost, where more cannot be avoided, by docs/design.md. */
  maxUnits?: number | ((abuse: AbuseRun) => number);
  /** How often each call is made in both places. */
  rounds?: number;
  /** What else must hold of the besieged place; throws. */
  afterwards?(sequence: Place, abuse: AbuseRun): Promise<void>;
}

/** A story, as it is told by the test. */
export interface Scenario {
  title: string;
  /** Gives the figures, and what was not as it must be. */
  run(abuse: AbuseRun): Promise<{ figures: Figures[]; faults: string[] }>;
}

const defaultRounds = 5;
/** What is slower by chance is not so each time; what somebody can tell is. */
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

    /** Side by side, so that a machine that becomes slow meanwhile is so for both. */
    async function makeRound(only?: string[]): Promise<void> {
      await plot.beforeRound?.(quiet, abuse);
      const pairs = plot
        .honestCalls(quiet)
        .map((one, n) => [one, plot.honestCalls(abused)[n]] as const);
      for (const [here, there] of pairs) {
        if (!there) throw new Error(`${here.title}: there is no such call in the besieged place.`);
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

/** Goes on with it until it is told to end. */
function repeatUntilEnd(act: () => Promise<void> | undefined): { end(): Promise<void> } {
  let ended = false;
  const going = (async () => {
    while (!ended) {
      const more = act();
      if (!more) return;
      await more;
      // An attack that is over must not keep others from being heard.
      await sleep(1);
    }
  })();
  // It is heard of at the end.
  going.catch(() => undefined);
  return {
    end: async () => {
      ended = true;
      await going;
    },
  };
}

/** In words, where there is one. */
const catchFault = async (act: () => Promise<void> | undefined): Promise<string[]> => {
  try {
    await act();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};
