import { clock } from '../clock.ts';
import type { Plan } from './message-change.ts';
import { attachmentsText } from './message-items.ts';

interface Origin {
  /** The message's, which must still be there. */
  id: string;
  callerId: string;
  /** Stays on the message until its next change. */
  mark: string;
}

/** The plan as an update of a message. */
export function changeExpression(plan: Plan, { id, callerId, mark }: Origin) {
  const { message, attachments, add, remove, conditions, values } = plan;
  const attachmentsJson = attachments && attachmentsText(attachments);
  const isEdit = message !== undefined || attachments !== undefined;
  const sets = [
    'change = :change',
    ...(message === undefined ? [] : ['message = :message']),
    ...(attachmentsJson === undefined ? [] : ['attachments = :attachments']),
    ...(isEdit ? ['updated_at = :now'] : []),
  ];
  const removesAttachments = attachments !== undefined && attachmentsJson === undefined;
  const names = new Map([...add, ...remove].map((name, n) => [name, `#reaction${n}`]));
  const mine = (list: string[]) => list.map((name) => `reactions.${names.get(name)} :mine`);
  return {
    UpdateExpression: [
      ...clause('SET', sets),
      ...clause('REMOVE', removesAttachments ? ['attachments'] : []),
      ...clause('ADD', ['version :one', ...mine(add)]),
      ...clause('DELETE', mine(remove)),
    ].join(' '),
    ConditionExpression: ['id = :id', ...conditions].join(' AND '),
    ...(names.size > 0 && {
      ExpressionAttributeNames: Object.fromEntries(
        [...names].map(([name, alias]) => [alias, name]),
      ),
    }),
    ExpressionAttributeValues: {
      ...values,
      ':id': id,
      ':one': 1,
      ':change': mark,
      ...(message !== undefined && { ':message': message }),
      ...(attachmentsJson !== undefined && { ':attachments': attachmentsJson }),
      ...(isEdit && { ':now': clock.now() }),
      ...(names.size > 0 && { ':mine': new Set([callerId]) }),
      ...(conditions.includes('sent_by = :caller') && { ':caller': callerId }),
    },
  };
}

const clause = (keyword: string, parts: string[]) =>
  parts.length > 0 ? [`${keyword} ${parts.join(', ')}`] : [];
