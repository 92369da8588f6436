import { clock } from '../../../clock.ts';
import type { ChangePlan } from './plan-change.ts';

interface UpdateContext {
  /** Id of the message, which must still exist. */
  id: string;
  callerId: string;
  changeId: string;
}

export function toUpdateExpression(plan: ChangePlan, { id, callerId, changeId }: UpdateContext) {
  const { content, add, remove, reactionCount, conditions, values } = plan;
  const contentValues = Object.entries(content?.set ?? {}).filter(
    ([, value]) => value !== undefined,
  );
  const reacts = add.length + remove.length > 0;
  const isCounted = reacts && reactionCount !== undefined;
  const sets = [
    'change = :change',
    ...contentValues.map(([name]) => `${name} = :${name}`),
    ...(content ? ['updated_at = :now'] : []),
    ...(isCounted ? ['reaction_count = :count'] : []),
  ];
  const paths = new Map([...add, ...remove].map((name, n) => [name, `reactions.#${n}`]));
  const toOperands = (list: string[]) => list.map((name) => `${paths.get(name)} :mine`);
  const containsCaller = (name: string) => `contains(${paths.get(name)}, :caller)`;
  // A plan with a count requires an unchanged version. Each reaction changes the version, so the
  // plan needs no conditions per reaction.
  const reactionConditions = isCounted
    ? []
    : [...add.map((name) => `NOT ${containsCaller(name)}`), ...remove.map(containsCaller)];
  const required = ['id = :id', ...conditions, ...reactionConditions];
  return {
    UpdateExpression: [
      ...toClause('SET', sets),
      ...toClause('REMOVE', content?.remove ?? []),
      ...toClause('ADD', [
        'version :one',
        ...(reacts && !isCounted ? ['reaction_count :difference'] : []),
        ...toOperands(add),
      ]),
      ...toClause('DELETE', toOperands(remove)),
    ].join(' '),
    ConditionExpression: required.join(' AND '),
    ...(reacts && {
      ExpressionAttributeNames: Object.fromEntries(
        [...paths.keys()].map((name, n) => [`#${n}`, name]),
      ),
    }),
    ExpressionAttributeValues: {
      ...values,
      ':id': id,
      ':one': 1,
      ':change': changeId,
      ...Object.fromEntries(contentValues.map(([name, value]) => [`:${name}`, value])),
      ...(content && { ':now': clock.now() }),
      ...(reacts && { ':mine': new Set([callerId]) }),
      ...(reacts &&
        (isCounted ? { ':count': reactionCount } : { ':difference': add.length - remove.length })),
      ...(required.some((one) => one.includes(':caller')) && { ':caller': callerId }),
    },
  };
}

const toClause = (keyword: string, parts: string[]) =>
  parts.length > 0 ? [`${keyword} ${parts.join(', ')}`] : [];
