import { functionNameIn } from '../../running/account.ts';
import type { PartitionKeys } from '../table/grants.ts';
import { type OnTableCall, startTableProxy } from '../table/proxy.ts';
import { callersOf, type KeyedFunction } from './callers.ts';
import { startFunctionHost } from './host.ts';
import type { Outcome } from './thread-protocol.ts';
import { environmentVariables } from './variables.ts';

export interface FleetOptions {
  functions: readonly KeyedFunction[];
  partitionKeys: PartitionKeys;
  /** DynamoDB Local's address. */
  endpoint: string;
  /** What variables of these names say here, whatever the template says, in a function that has them. */
  replacements: Readonly<Record<string, string>>;
  onTableCall: OnTableCall;
  log: (line: string) => void;
}

/** The functions of the stack, behind the one table that they reach by their own access keys. */
export interface Fleet {
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  stop(): Promise<void>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { functions, partitionKeys, endpoint, replacements, onTableCall, log } = options;
  const callers = callersOf(functions);
  const proxy = await startTableProxy({ endpoint, callers, partitionKeys, onCall: onTableCall });
  const idOf = (arn: string) =>
    functions.find(({ definition }) => definition.arn === arn)?.definition.id;
  const host = startFunctionHost({
    functions: functions.map(({ definition, accessKey }) => ({
      definition,
      variables: environmentVariables(definition, {
        accessKey,
        tableEndpoint: proxy.endpoint,
        replacements,
      }),
    })),
    log: (functionArn, line) => log(`[${idOf(functionArn)}] ${line}`),
  });
  return {
    invoke: (functionArn, event) => {
      const named = functions.find(
        ({ definition: { name } }) => name === functionNameIn(functionArn),
      );
      return host.invoke(named?.definition.arn ?? functionArn, JSON.stringify(event));
    },
    stop: async () => {
      await host.stop();
      await proxy.stop();
    },
  };
}
