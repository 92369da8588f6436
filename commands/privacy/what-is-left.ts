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

/** What whoever has erased somebody has to know, and to do elsewhere. */
export function afterErasure(erased: Erased): string[] {
  const { contactId, conversations, issuer, narrow, place, now } = erased;
  const again = `npm run erase-person -- --contact ${contactId}${place === 'local' ? '' : ` --stage ${place}`}`;
  const tokens =
    issuer === undefined
      ? `Tokens given out before are good for up to ${tokenHours === 1 ? 'an hour' : `${tokenHours} hours`}: to be sure of what is written until then, run this again afterwards: ${again}`
      : `The account is with ${issuer}: close it there. Once its last token has run out, run this again: ${again}`;
  return [
    `${conversations} conversations that others are in too name ${contactId}, and show no more than that id.`,
    ...(narrow
      ? ['Groups that were not named may have more: without --narrow all is looked into.']
      : []),
    tokens,
    ...(place === 'local'
      ? []
      : [
          `The table's own backups have it until ${dateOf(now + recoveryDays * day)}, and whoever restores an earlier state erases again.`,
          'Exports, attachments and what got events elsewhere: docs/privacy.md says what to do there.',
        ]),
  ];
}
