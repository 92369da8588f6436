import { clock } from '../clock.ts';
import type { Plan } from './message-change.ts';
import { attachmentsText } from './message-items.ts';

/** The plan as an update of the message of that id, which must still be there. */
export function changeExpression(plan: Plan, id: string, callerId: string) {
  const { message, attachments, add, remove, conditions, values } = plan;
  const attachmentsJson = attachments && attachmentsText(attachments);
  const isEdit = message !== undefined || attachments !== undefined;
  const sets = [
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
