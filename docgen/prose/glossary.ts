export interface Replacement {
  pattern: RegExp;
  suggestion: string;
}

/** Phrases that must not appear in comments, strings, titles and pages. */
export const phrases: readonly Replacement[] = [
  // Allows the pattern's words in quotes, because `nobody` is a value of `assigned_to`.
  {
    pattern: /\b(some|any|no|every)body\b(?!['`])/i,
    suggestion: 'user, caller, client, sender, member',
  },
  {
    pattern: /\b(whoever|whomever|those who|who comes (next|first))\b/i,
    suggestion: 'name the actor',
  },
  { pattern: /\bwhatever\b/i, suggestion: 'name the thing' },
  {
    pattern: /\b(that which|one of which|of which|by the way that)\b/i,
    suggestion: 'rewrite the sentence',
  },
  { pattern: /\bso many\b/i, suggestion: 'the number' },
  {
    pattern: /\b(is|are|was|were|be|been) told\b/i,
    suggestion: 'publish, deliver, notify, report',
  },
  { pattern: /\bhears? of\b/i, suggestion: 'receives' },
  {
    pattern: /\b(let go|given up|gives up|give up)\b/i,
    suggestion: 'released, abandoned after retries',
  },
  { pattern: /\blooks? (after|around)\b/i, suggestion: 'feed maintenance, scan neighbors' },
  {
    pattern: /\b(siege|oracle of replies|on paper)\b/i,
    suggestion: 'abuse tests, response invariants, simulated',
  },
  { pattern: /\b(too|very|is|are) dear\b/i, suggestion: 'expensive' },
  { pattern: /\b(of chance|by chance)\b/i, suggestion: 'random, with jitter' },
  { pattern: /\b(its|the) time is over\b/i, suggestion: 'expires' },
  { pattern: /\b(anew|beforehand|henceforth|thereof|wherein)\b/i, suggestion: 'again, before' },
  { pattern: /\bnot (before|until) then\b/i, suggestion: 'rewrite the sentence' },
  { pattern: /\btries again\b/i, suggestion: 'retries' },
];

/** Words that must not appear in declared names. */
export const nameParts: readonly Replacement[] = [
  { pattern: /^most[A-Z]/, suggestion: 'max…' },
  { pattern: /^least[A-Z]/, suggestion: 'min…' },
  { pattern: /(^h|H)oles?([A-Z]|$)/, suggestion: 'gap' },
  { pattern: /(^t|T)old([A-Z]|$)/, suggestion: 'published, notified, recipients' },
  { pattern: /^(tell|seeTo|askFor|say)[A-Z]/, suggestion: 'a verb of the field' },
  { pattern: /(^h|H)appened([A-Z]|$)/, suggestion: 'change, event' },
  { pattern: /(^a|A)new([A-Z]|$)/, suggestion: 'again' },
  { pattern: /(^e|E)rrands?([A-Z]|$)/, suggestion: 'request, task' },
  { pattern: /^(who|whom|what)([A-Z]|$)/, suggestion: 'a noun' },
  { pattern: /^(most|least)$/, suggestion: 'max, min' },
  {
    pattern: /^(ask|asks|asked|say|says|said|tells?|hears?|heard|knows?)$/i,
    suggestion: 'sendRequest, request, print, notify',
  },
  { pattern: /^(its|ours|theirs|things?|made|gone|kept|news|underWay)$/i, suggestion: 'a noun' },
];
