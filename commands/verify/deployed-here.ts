import * as v from 'valibot';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { arn } from '../../local-cloud/account.ts';
import { runningCloud } from '../../local-cloud/running-cloud.ts';
import { rolesOf } from '../../local-cloud/stack/iam.ts';
import { readStack } from '../../local-cloud/stack/stack.ts';
import { Differs, NotCheckable } from './check.ts';
import type { Deployed } from './deployed.ts';

const FunctionProperties = v.object({ Description: v.optional(v.string(), ''), Role: v.string() });

const notHere = (what: string) => async (): Promise<never> => {
  throw new NotCheckable(what);
};

/** By what the local cloud that runs on the folder has made of its template. */
export const deployedHere = (directory: string, tableName: () => string): Deployed => ({
  resources: notHere('the local cloud has none'),
  logGroup: notHere('the local cloud keeps no log: the terminal of npm start shows it'),
  mayQuery: async (description, index, keys) => {
    const running = await runningCloud(directory);
    if (!running) throw new Differs('the local cloud has ended');
    const { stackName, template } = await readAssembly(running.assembly);
    const stack = readStack(stackName, template);
    const found = stack
      .resources('AWS::Lambda::Function', FunctionProperties)
      .find(({ properties }) => properties.Description.startsWith(description));
    const authorize = rolesOf(stack).get(found?.properties.Role ?? '');
    if (!authorize) throw new Differs(`no function is described as ${description}…`);
    const resource = arn('dynamodb', `table/${tableName()}/index/${index}`);
    return authorize('dynamodb:Query', resource, keys) === 'allow';
  },
});
