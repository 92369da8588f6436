import { recoveryDays, tokenHours } from '../../lib/lifetimes.ts';

export interface Erased {
  contactId: string;
  place: string;
  /** Conversations of others that name them. */
  conversations: number;
  issuer: string | undefined;
  narrow: boolean;
  /** Milliseconds. */
  now: number;
}

const day = 24 * 60 * 60 * 1000;
const dateOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

/** Returns what the operator must know and do elsewhere after an erasure. */
export function afterErasure(erased: Erased): string[] {
  const { contactId, conversations, issuer, narrow, place, now } = erased;
  const tokens =
    issuer === undefined
      ? `Existing tokens can read for up to ${tokenHours === 1 ? 'an hour' : `${tokenHours} hours`}; new messages, conversations and reactions are refused from now on.`
      : `The account is with ${issuer}: delete it there. Its tokens can read until they expire; new messages, conversations and reactions are refused from now on.`;
  return [
    `${conversations} conversations with other participants still name ${contactId}, and show only that id.`,
    ...(narrow
      ? ['Groups not given may contain more: run without --narrow to search the whole table.']
      : []),
    tokens,
    ...(place === 'local'
      ? []
      : [
          `The table's backups contain the data until ${dateOf(now + recoveryDays * day)}; after restoring an earlier state, erase again.`,
          'Exports, attachments and event recipients: docs/privacy.md lists what to do.',
        ]),
  ];
}
