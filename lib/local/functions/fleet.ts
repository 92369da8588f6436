import { randomBytes } from 'node:crypto';
import { Problem } from '../../problem.ts';
import { functionNameIn, iamArn } from '../../running/account.ts';
import type { Decide } from '../stack/iam.ts';
import type { PartitionKeys } from '../table/grants.ts';
import { type Caller, type OnTableCall, startTableProxy } from '../table/proxy.ts';
import type { FunctionDefinition } from './definition.ts';
import { startFunctionHost } from './host.ts';
import type { Outcome } from './thread-protocol.ts';
import { environmentVariables } from './variables.ts';

export interface FleetOptions {
  functions: readonly FunctionDefinition[];
  /** What the roles may do, by ARN. */
  roles: ReadonlyMap<string, Decide>;
  partitionKeys: PartitionKeys;
  /** DynamoDB Local's address. */
  endpoint: string;
  /** The variables that say whose tokens are accepted, and what they say here. */
  identity: Readonly<Record<string, string>>;
  onTableCall: OnTableCall;
  log: (line: string) => void;
}

/** The functions of the stack, behind the one table that they reach by their own access keys. */
export interface Fleet {
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  stop(): Promise<void>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { functions, roles, partitionKeys, endpoint, identity, onTableCall, log } = options;
  const keyed = functions.map((definition) => ({
    definition,
    accessKey: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  }));
  const callers = new Map(
    keyed.map(({ definition, accessKey }) => [accessKey, callerFor(definition, roles)]),
  );
  const proxy = await startTableProxy({ endpoint, callers, partitionKeys, onCall: onTableCall });
  const host = startFunctionHost({
    functions: keyed.map(({ definition, accessKey }) => ({
      definition,
      variables: environmentVariables(definition, {
        accessKey,
        tableEndpoint: proxy.endpoint,
        identity,
      }),
    })),
    log: (functionArn, line) =>
      log(`[${functions.find(({ arn }) => arn === functionArn)?.id}] ${line}`),
  });
  return {
    invoke: (functionArn, event) => {
      const named = functions.find(({ name }) => name === functionNameIn(functionArn));
      return host.invoke(named?.arn ?? functionArn, JSON.stringify(event));
    },
    stop: async () => {
      await host.stop();
      await proxy.stop();
    },
  };
}

function callerFor(
  { id, name, roleArn }: FunctionDefinition,
  roles: ReadonlyMap<string, Decide>,
): Caller {
  const decide = roles.get(roleArn);
  if (!decide) throw new Problem(`${id}: its role is not in the template`);
  const session = iamArn(`assumed-role/${roleArn.split('/').at(-1)}/${name}`);
  return { functionId: id, session: session.replace(':iam:', ':sts:'), decide };
}
