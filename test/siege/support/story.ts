import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, figuresOf, overBudget, type Price } from './figures.ts';
import type { HonestCall } from './honest.ts';
import { type Made, makeCall } from './make-call.ts';
import type { Siege } from './siege.ts';

/** Honest calls in two places that are alike, but that in one of them somebody, or an unlucky history, is hostile. */
export interface Plot<Place> {
  /** What a product person would say, of the hostile one and of everybody else. */
  title: string;
  /** A place where nothing is wrong. */
  quiet(siege: Siege): Promise<Place>;
  /** A like place with its history. */
  besieged(siege: Siege): Promise<Place>;
  /** What people do in the quiet place before each round, so that there is as much to read. */
  usually?(place: Place, siege: Siege): Promise<unknown>;
  /** What the hostile one does there while the honest calls are made, again and again. */
  meanwhile?(place: Place, siege: Siege): Promise<void>;
  /** The calls that are judged, the same in both places. */
  honest(place: Place): HonestCall[];
  /** How often the quiet figures a call may have; 3 unless given. */
  times?: number;
  /** What each call may cost more than that, where it cannot be avoided, by docs/design.md. */
  besides?: Price;
  /** How often the quiet time, in the median; not looked at unless given. */
  slower?: number;
  /** How many read and write units a call may cost, where more cannot be avoided, by docs/design.md. */
  mostUnits?: number | ((siege: Siege) => number);
  /** How often each call is made in both places. */
  rounds?: number;
  /** What else must hold of the besieged place; throws. */
  moreover?(place: Place, siege: Siege): Promise<void>;
}

/** A story, as it is told by the test. */
export interface Story {
  title: string;
  /** Gives the figures, and what was not as it must be. */
  tell(siege: Siege): Promise<{ figures: Figures[]; faults: string[] }>;
}

const usualRounds = 5;

export const story = <Place>(plot: Plot<Place>): Story => ({
  title: plot.title,
  tell: async (siege) => {
    const quiet = await plot.quiet(siege);
    const besieged = await plot.besieged(siege);
    const seen = new Map<string, { quiet: Made[]; besieged: Made[] }>();
    const { rounds = usualRounds } = plot;
    const assault = attack(() => plot.meanwhile?.(besieged, siege));
    // Side by side, so that a machine that becomes slow meanwhile is so for both.
    for (let round = 0; round < rounds; round++) {
      await plot.usually?.(quiet, siege);
      const pairs = plot.honest(quiet).map((one, n) => [one, plot.honest(besieged)[n]] as const);
      for (const [here, there] of pairs) {
        if (!there) throw new Error(`${here.title}: there is no such call in the besieged place.`);
        const made = seen.get(here.title) ?? { quiet: [], besieged: [] };
        seen.set(here.title, made);
        made.quiet.push(await makeCall(here));
        made.besieged.push(await makeCall(there));
      }
    }
    const broken = await faultOf(assault.end);
    const figures = [...seen].map(([title, made]) => figuresOf(title, made));
    const mostUnits = typeof plot.mostUnits === 'function' ? plot.mostUnits(siege) : plot.mostUnits;
    const faults = figures.flatMap((one) => overBudget(one, { ...plot, mostUnits }));
    return {
      figures,
      faults: [...faults, ...broken, ...(await faultOf(() => plot.moreover?.(besieged, siege)))],
    };
  },
});

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
