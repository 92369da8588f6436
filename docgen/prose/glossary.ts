/** A word or phrase that the project does not use, and what to write in its place. */
export interface Replacement {
  pattern: RegExp;
  instead: string;
}

/** Phrases that must not appear in comments, strings, titles and pages. */
export const phrases: readonly Replacement[] = [
  // Except in quotes: `nobody` is a value of `assigned_to`.
  {
    pattern: /\b(some|any|no|every)body\b(?!['`])/i,
    instead: 'user, caller, client, sender, member',
  },
  {
    pattern: /\b(whoever|whomever|those who|who comes (next|first))\b/i,
    instead: 'name the actor',
  },
  { pattern: /\bwhatever\b/i, instead: 'name the thing' },
  {
    pattern: /\b(that which|one of which|of which|by the way that)\b/i,
    instead: 'rewrite the sentence',
  },
  { pattern: /\bso many\b/i, instead: 'the number' },
  { pattern: /\b(is|are|was|were|be|been) told\b/i, instead: 'publish, deliver, notify, report' },
  { pattern: /\bhears? of\b/i, instead: 'receives' },
  {
    pattern: /\b(let go|given up|gives up|give up)\b/i,
    instead: 'released, abandoned after retries',
  },
  { pattern: /\blooks? (after|around)\b/i, instead: 'feed maintenance, scan neighbours' },
  {
    pattern: /\b(siege|oracle of replies|on paper)\b/i,
    instead: 'abuse tests, response invariants, simulated',
  },
  { pattern: /\b(too|very|is|are) dear\b/i, instead: 'expensive' },
  { pattern: /\b(of chance|by chance)\b/i, instead: 'random, with jitter' },
  { pattern: /\b(its|the) time is over\b/i, instead: 'expires' },
  { pattern: /\b(anew|beforehand|henceforth|thereof|wherein)\b/i, instead: 'again, before' },
  { pattern: /\bnot (before|until) then\b/i, instead: 'rewrite the sentence' },
  { pattern: /\btries again\b/i, instead: 'retries' },
];

/** Words that must not appear in declared names. */
export const nameParts: readonly Replacement[] = [
  { pattern: /^most[A-Z]/, instead: 'max…' },
  { pattern: /^least[A-Z]/, instead: 'min…' },
  { pattern: /(^h|H)oles?([A-Z]|$)/, instead: 'gap' },
  { pattern: /(^t|T)old([A-Z]|$)/, instead: 'published, notified, recipients' },
  { pattern: /^(tell|seeTo|askFor|say)[A-Z]/, instead: 'a verb of the field' },
  { pattern: /(^h|H)appened([A-Z]|$)/, instead: 'change, event' },
  { pattern: /(^a|A)new([A-Z]|$)/, instead: 'again' },
  { pattern: /(^e|E)rrands?([A-Z]|$)/, instead: 'request, task' },
  { pattern: /^(who|what)[A-Z]/, instead: 'a noun' },
];
