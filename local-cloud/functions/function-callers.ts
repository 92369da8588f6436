import { randomBytes } from 'node:crypto';
import { Problem } from '../../lib/problem.ts';
import { iamArn } from '../account.ts';
import type { Caller, Callers } from '../stack/caller.ts';
import type { Decide } from '../stack/iam-roles.ts';
import type { FunctionDefinition } from './function-definition.ts';

/** A function with the access key that identifies it to local services. */
export interface KeyedFunction {
  definition: FunctionDefinition;
  accessKey: string;
  caller: Caller;
}

/**
 * Assigns each function a new access key. Throws a Problem if a function's role is not in `roles`,
 * which maps role ARNs to permissions.
 */
export const assignAccessKeys = (
  functions: readonly FunctionDefinition[],
  roles: ReadonlyMap<string, Decide>,
): KeyedFunction[] =>
  functions.map((definition) => ({
    definition,
    accessKey: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
    caller: toCaller(definition, roles),
  }));

export const toCallers = (functions: readonly KeyedFunction[]): Callers =>
  new Map(functions.map(({ accessKey, caller }) => [accessKey, caller]));

function toCaller(
  { id, name, roleArn }: FunctionDefinition,
  roles: ReadonlyMap<string, Decide>,
): Caller {
  const decide = roles.get(roleArn);
  if (!decide) throw new Problem(`${id}: its role is not in the template`);
  const session = iamArn(`assumed-role/${roleArn.split('/').at(-1)}/${name}`);
  return { functionId: id, session: session.replace(':iam:', ':sts:'), decide };
}
