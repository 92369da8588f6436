import * as v from 'valibot';
import { Contact } from '../../../shared/contract/contact.ts';
import { CreateConversation } from '../../../shared/contract/conversation.ts';
import { type Participants, takesPart } from '../../oracle/participants.ts';
import { type Exchange, isDone, isUnknown, type Request } from '../exchange.ts';
import { isPossibleContact } from '../judge/contact.ts';
import { judgeStatus } from '../judge/outcome.ts';
import type { Model } from '../model/model.ts';
import { possibleValues } from '../model/register.ts';
import { bodyOf, type Watch } from './watch.ts';

export const watchRetrieveContact: Watch = (model, { sent }) => {
  const id = sent.path?.contact_id ?? '';
  return (exchange) => {
    judgeStatus(model, exchange, 200, 404);
    if (isUnknown(exchange)) return;
    const { who, reply } = exchange;
    const fail = (expected: string) => model.report({ expected, exchange });
    if (reply.status === 404) {
      if (id === who.id) fail('200, as it is oneself');
      if (mustShare(model, exchange, id)) fail('200, as they share a conversation');
    }
    if (!isDone(exchange)) return;
    if (id !== who.id && !mayShare(model, exchange, id)) fail('404, as they share no conversation');
    const shown = bodyOf(Contact, exchange);
    if (!isPossibleContact(model, exchange, id, shown)) fail(`the contact ${id}`);
  };
};

/** By a conversation that was there all the time, whatever groups the other is known to be in. */
const mustShare = ({ conversations }: Model, exchange: Exchange, id: string): boolean =>
  [...conversations.values()].some(
    (one) =>
      one.known < exchange.begun &&
      !possibleValues(one.gone, exchange).has(true) &&
      takesPart(one, exchange.who) &&
      takesPart(one, { id, groups: [] }),
  );

/** By one that may have been there at some time, as a member of any group that the other has ever been in. */
function mayShare(model: Model, exchange: Exchange, id: string): boolean {
  const { conversations, creations, memberships } = model;
  const ever = [...(memberships.get(id) ?? [])];
  const there = [...conversations.values()].filter(({ gone }) =>
    possibleValues(gone, exchange).has(false),
  );
  return [...there, ...[...creations.values()].map(asMade)].some(
    (one: Participants) => takesPart(one, exchange.who) && takesPart(one, { id, groups: ever }),
  );
}

/** A conversation that may have been made, though nobody has been told so yet. */
function asMade({ who, sent }: Request): Participants {
  const { contact_id, group_id } = v.parse(CreateConversation, sent.body);
  return { created_by: who.id, contact_id: contact_id ?? null, group_id: group_id ?? null };
}
