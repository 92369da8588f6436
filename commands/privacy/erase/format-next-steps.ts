import { recoveryDays, tokenHours } from '../../../lib/lifetimes.ts';

export interface ErasureResult {
  contactId: string;
  stageName: string;
  /** Number of conversations with other participants that still contain the contact id. */
  conversations: number;
  issuer: string | undefined;
  narrow: boolean;
  /** Time of the erasure in Unix milliseconds. */
  now: number;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
const formatDate = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

/** Returns what remains after an erasure and what the operator must do, one line each. */
export function formatErasureSteps(erased: ErasureResult): string[] {
  const { contactId, conversations, issuer, narrow, stageName, now } = erased;
  const tokenStep =
    issuer === undefined
      ? `Existing tokens can read for up to ${tokenHours === 1 ? 'an hour' : `${tokenHours} hours`}; new messages, conversations and reactions are refused from now on.`
      : `The account is managed by ${issuer}: delete it there. The account's tokens can read until they expire; new messages, conversations and reactions are refused from now on.`;
  return [
    `${conversations} conversations with other participants still name ${contactId}, and show only that id.`,
    ...(narrow
      ? [
          'Conversations of other groups may contain more data: run again without --narrow to search the whole table.',
        ]
      : []),
    tokenStep,
    ...(stageName === 'local'
      ? []
      : [
          `The table's backups contain the data until ${formatDate(now + recoveryDays * dayMilliseconds)}: after a restore to an earlier state, erase again.`,
          'docs/privacy.md lists what to do about exports, attachments and event recipients.',
        ]),
  ];
}
