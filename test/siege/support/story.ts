import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Allowance,
  type Figures,
  figuresOf,
  isSlower,
  overBudget,
  type Pairs,
  type Price,
} from './figures.ts';
import type { HonestCall } from './honest.ts';
import { makeCall } from './make-call.ts';
import type { AbuseRun } from './siege.ts';

/** Honest calls in two places that are alike, but that in one of them somebody, or an unlucky history, is hostile. */
export interface Plot<Place> {
  /** What a product person would say, of the hostile one and of everybody else. */
  title: string;
  /** A place where nothing is wrong. */
  quiet(abuse: AbuseRun): Promise<Place>;
  /** A like place with its history. */
  abused(abuse: AbuseRun): Promise<Place>;
  /** What people do in the quiet place before each round, so that there is as much to read. */
  usually?(sequence: Place, abuse: AbuseRun): Promise<unknown>;
  /** What the hostile one does there while the honest calls are made, again and again. */
  meanwhile?(sequence: Place, abuse: AbuseRun): Promise<void>;
  /** The calls that are judged, the same in both places. */
  honest(sequence: Place): HonestCall[];
  /** How often the quiet figures a call may have; 3 unless given. */
  times?: number;
  /** What each call may cost more than that, where it cannot be avoided, by docs/design.md. */
  besides?: Price | ((abuse: AbuseRun) => Price);
  /** How often the quiet time, in the median; not looked at unless given. */
  slower?: number;
  /** What a call may cost more than that one time; what whoever comes first pays, unless given. */
  once?: Price | ((abuse: AbuseRun) => Price);
  /** How many read and write units a call may cost, where more cannot be avoided, by docs/design.md. */
  maxUnits?: number | ((abuse: AbuseRun) => number);
  /** How often each call is made in both places. */
  rounds?: number;
  /** What else must hold of the besieged place; throws. */
  moreover?(sequence: Place, abuse: AbuseRun): Promise<void>;
}

/** A story, as it is told by the test. */
export interface Scenario {
  title: string;
  /** Gives the figures, and what was not as it must be. */
  tell(abuse: AbuseRun): Promise<{ figures: Figures[]; faults: string[] }>;
}

const usualRounds = 5;
/** What is slower by chance is not so each time; what somebody can tell is. */
const maxTimesAgain = 4;

export const scenario = <Place>(plot: Plot<Place>): Scenario => ({
  title: plot.title,
  tell: async (abuse) => {
    const quiet = await plot.quiet(abuse);
    const abused = await plot.abused(abuse);
    const seen = new Map<string, Pairs>();
    const { rounds = usualRounds, slower } = plot;
    const assault = attack(() => plot.meanwhile?.(abused, abuse));
    for (let round = 0; round < rounds; round++) await makeRound();
    for (let again = 0; again < maxTimesAgain; again++) {
      const slow = figures().filter((one) => isSlower(one, slower));
      if (slow.length === 0) break;
      const titles = slow.map(({ title }) => title);
      for (let round = 0; round < rounds; round++) await makeRound(titles);
    }
    const broken = await faultOf(assault.end);
    const allowance = allowanceOf(plot, abuse);
    return {
      figures: figures(),
      faults: [
        ...figures().flatMap((one) => overBudget(one, allowance)),
        ...broken,
        ...(await faultOf(() => plot.moreover?.(abused, abuse))),
      ],
    };

    function figures(): Figures[] {
      return [...seen].map(([title, made]) => figuresOf(title, made, rounds));
    }

    /** Side by side, so that a machine that becomes slow meanwhile is so for both. */
    async function makeRound(only?: string[]): Promise<void> {
      await plot.usually?.(quiet, abuse);
      const pairs = plot.honest(quiet).map((one, n) => [one, plot.honest(abused)[n]] as const);
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

function allowanceOf<Place>(plot: Plot<Place>, abuse: AbuseRun): Allowance {
  const { times, besides, once, maxUnits: mostUnits, slower } = plot;
  return {
    times,
    slower,
    besides: valueFor(abuse, besides),
    once: valueFor(abuse, once),
    maxUnits: valueFor(abuse, mostUnits),
  };
}

const valueFor = <Value extends object | number | undefined>(
  abuse: AbuseRun,
  value: Value | ((abuse: AbuseRun) => Value),
): Value => (typeof value === 'function' ? value(abuse) : value);

/** Goes on with it until it is told to end. */
function attack(act: () => Promise<void> | undefined): { end(): Promise<void> } {
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
const faultOf = async (act: () => Promise<void> | undefined): Promise<string[]> => {
  try {
    await act();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};
