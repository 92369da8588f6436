import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { parseFunctionName } from '../account.ts';
import type { Stack } from './read-stack.ts';
import { toWildcardRegExp } from './wildcard.ts';

const PermissionProperties = v.strictObject({
  Action: v.string(),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceAccount: v.optional(v.string()),
  SourceArn: v.optional(v.string(), '*'),
});

/**
 * Creates a check that throws a Problem if a service, such as `apigateway.amazonaws.com`, may not
 * invoke a function. `source` is the ARN of the caller.
 */
export function createPermissionCheck(stack: Stack, service: string) {
  const permissions = stack
    .resources('AWS::Lambda::Permission', PermissionProperties)
    .map(({ properties }) => properties)
    .filter(({ Action, Principal }) => Action === 'lambda:InvokeFunction' && Principal === service);
  return (functionArn: string, source: string): void => {
    const name = parseFunctionName(functionArn);
    const permitted = permissions.some(
      ({ FunctionName, SourceArn }) =>
        (FunctionName === functionArn || FunctionName === name) &&
        toWildcardRegExp(SourceArn).test(source),
    );
    if (!permitted) throw new Problem(`No permission of ${name} allows ${source} to invoke it.`);
  };
}
