import { randomBytes } from 'node:crypto';
import { iamArn } from './account.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { startFunctionHost } from './function-host.ts';
import { environmentVariables } from './function-variables.ts';
import type { Authorize } from './iam.ts';
import { Problem } from './problem.ts';
import { type Caller, type OnTableCall, startTableProxy } from './table-proxy.ts';
import type { Outcome } from './worker-protocol.ts';

export interface FleetOptions {
  functions: readonly FunctionDefinition[];
  /** What the roles may do, by ARN. */
  roles: ReadonlyMap<string, Authorize>;
  /** DynamoDB Local's address. */
  endpoint: string;
  onTableCall: OnTableCall;
  log: (line: string) => void;
}

/** The functions of the stack, behind the one table that they reach by their own access keys. */
export interface Fleet {
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  stop(): Promise<void>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { functions, roles, endpoint, onTableCall, log } = options;
  const keyed = functions.map((definition) => ({
    definition,
    accessKey: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  }));
  const callers = new Map(
    keyed.map(({ definition, accessKey }) => [accessKey, callerFor(definition, roles)]),
  );
  const proxy = await startTableProxy({ endpoint, callers, onCall: onTableCall });
  const host = startFunctionHost({
    functions: keyed.map(({ definition, accessKey }) => ({
      definition,
      variables: environmentVariables(definition, { accessKey, tableEndpoint: proxy.endpoint }),
    })),
    log: (functionArn, line) =>
      log(`[${functions.find(({ arn }) => arn === functionArn)?.id}] ${line}`),
  });
  return {
    invoke: (functionArn, event) => host.invoke(functionArn, JSON.stringify(event)),
    stop: async () => {
      await host.stop();
      await proxy.stop();
    },
  };
}

function callerFor(
  { id, name, roleArn }: FunctionDefinition,
  roles: ReadonlyMap<string, Authorize>,
): Caller {
  const authorize = roles.get(roleArn);
  if (!authorize) throw new Problem(`${id}: its role is not in the template`);
  const session = iamArn(`assumed-role/${roleArn.split('/').at(-1)}/${name}`);
  return { functionId: id, session: session.replace(':iam:', ':sts:'), authorize };
}
