import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { arn } from '../../../local-cloud/account.ts';
import { findRunningCloud } from '../../../local-cloud/running-cloud.ts';
import { getRoles } from '../../../local-cloud/stack/iam-roles.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { NotCheckable } from './check.ts';
import type { DeployedResources } from './deployed-resources.ts';

const FunctionProperties = v.object({ Description: v.optional(v.string(), ''), Role: v.string() });

const notCheckable = (reason: string) => async (): Promise<never> => {
  throw new NotCheckable(reason);
};

export const readLocalResources = (
  directory: string,
  tableName: () => string,
): DeployedResources => ({
  resources: notCheckable('not available in the local cloud'),
  logGroup: notCheckable('the local cloud stores no logs: see the terminal that runs npm start'),
  mayQuery: async (description, index, keys) => {
    const running = await findRunningCloud(directory);
    if (!running) throw new Problem('the local cloud has stopped');
    const { template } = await readAssembly(running.assembly);
    const stack = readStack(running.stackName, template);
    const lambda = stack
      .resources('AWS::Lambda::Function', FunctionProperties)
      .find(({ properties }) => properties.Description.startsWith(description));
    const authorize = getRoles(stack).get(lambda?.properties.Role ?? '');
    if (!authorize) throw new Problem(`no function description begins with ${description}`);
    const resource = arn('dynamodb', `table/${tableName()}/index/${index}`);
    return authorize('dynamodb:Query', resource, keys) === 'allow';
  },
});
