import { expect } from '@jest/globals';
import { listBusinesses } from '../../../../shared/contract/operations.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';

interface SearchArea {
  bob: Participant;
  /** The industry of every business, and the first word of every title. */
  word: string;
  near: string;
}

const baselineCount = 20;

/**
 * Stores `count` active businesses of one industry, spread over `spreadDegrees` of latitude and
 * longitude.
 */
async function seedListings(
  abuse: AbuseRun,
  count: number,
  spreadDegrees: number,
  toTitle = (word: string, n: number) => `${word} number ${n}`,
): Promise<SearchArea> {
  const { createBusinessRecord, seedBusinesses } = await import(
    '../../../support/seeds/seed-businesses.ts'
  );
  const bob = await abuse.createParticipant('bob');
  const word = bob.id.replace(/\W/g, '');
  // This location is far from the other scenarios' locations.
  const [latitude, longitude] = [Number(bob.id.replace(/\D/g, '')) % 80, 40];
  await seedBusinesses(
    ...Array.from({ length: count }, (_, n) =>
      createBusinessRecord(`${word}-${String(n).padStart(6, '0')}`, {
        title: toTitle(word, n),
        industry: word,
        status: 'active',
        latitude: latitude + ((n * 7919) % 1000) * (spreadDegrees / 1000),
        longitude: longitude + ((n * 104_729) % 1000) * (spreadDegrees / 1000),
      }),
    ),
  );
  return {
    bob,
    word,
    near: `${latitude + spreadDegrees / 2},${longitude + spreadDegrees / 2}`,
  };
}

const search = ({ bob, word, near }: SearchArea) =>
  Object.entries({ near, industry: word, q: word }).map(([name, value]) =>
    honestCall(
      `search by ${name}`,
      bob,
      listBusinesses,
      { query: { [name]: value, active: 'true' } },
      ({ data, has_more }) => expect([data.length, has_more]).toEqual([10, true]),
    ),
  );

/** Repeats the word, so that each title has two index entries that match a search. */
const repeatWord = (word: string) => `${word} ${word}`;

/** A search near a crowded location reads more cells: see docs/businesses.md. */
const extraCost = { calls: 22, units: 18 };

export const crowdedBusinesses = [
  scenario({
    title:
      'Thousands of businesses have the same location and industry, and titles that begin with the same word',
    quiet: (abuse) => seedListings(abuse, baselineCount, 0),
    abused: (abuse) => seedListings(abuse, abuse.scale(2000), 0),
    honestCalls: search,
    extraCost,
  }),
  scenario({
    title: 'Thousands of businesses are in one city',
    quiet: (abuse) => seedListings(abuse, baselineCount, 0.1),
    abused: (abuse) => seedListings(abuse, abuse.scale(2000), 0.1),
    honestCalls: search,
    extraCost,
  }),
  scenario({
    title: 'Thousands of businesses have the same title, which repeats one word',
    quiet: (abuse) => seedListings(abuse, baselineCount, 0, repeatWord),
    abused: (abuse) => seedListings(abuse, abuse.scale(2000), 0, repeatWord),
    honestCalls: search,
    extraCost: (abuse) => ({
      calls: extraCost.calls,
      units: extraCost.units + abuse.scale(2000) / 40,
    }),
  }),
];
