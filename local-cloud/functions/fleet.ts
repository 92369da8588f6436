import { Problem } from '../../lib/problem.ts';
import { functionNameIn } from '../account.ts';
import type { PartitionKeys } from '../table/grants.ts';
import { type OnTableCall, startTableProxy } from '../table/proxy.ts';
import type { Refusal } from '../table/refusals.ts';
import { callersOf, type KeyedFunction } from './callers.ts';
import { startFunctionHost } from './host.ts';
import type { Outcome } from './thread-protocol.ts';
import { environmentVariables } from './variables.ts';

export interface FleetOptions {
  functions: readonly KeyedFunction[];
  partitionKeys: PartitionKeys;
  refusalOf: Refusal;
  /** Address of DynamoDB Local. */
  endpoint: string;
  /** Environment variables that override the template's, in functions that have them. */
  replacements: Readonly<Record<string, string>>;
  onTableCall: OnTableCall;
  log: (line: string) => void;
}

/** The functions of the stack, with the table proxy that they reach with their own access keys. */
export interface Fleet {
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  /** Replaces the code. If any cannot be loaded, throws a Problem and changes nothing. */
  replaceCode(folders: ReadonlyMap<string, string>): Promise<void>;
  stop(): Promise<void>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { functions, partitionKeys, refusalOf, endpoint, replacements, log } = options;
  const callers = callersOf(functions);
  const onCall = options.onTableCall;
  const proxy = await startTableProxy({ endpoint, callers, partitionKeys, refusalOf, onCall });
  const idOf = (arn: string) =>
    functions.find(({ definition }) => definition.arn === arn)?.definition.id;
  const hosted = ({ definition, accessKey }: KeyedFunction) => ({
    definition,
    variables: environmentVariables(definition, {
      accessKey,
      tableEndpoint: proxy.endpoint,
      replacements,
    }),
  });
  const host = startFunctionHost({
    functions: functions.map(hosted),
    log: (functionArn, line) => log(`[${idOf(functionArn)}] ${line}`),
  });
  return {
    invoke: (functionArn, event) => {
      const named = functions.find(
        ({ definition: { name } }) => name === functionNameIn(functionArn),
      );
      return host.invoke(named?.definition.arn ?? functionArn, JSON.stringify(event));
    },
    replaceCode: async (folders) => {
      const failure = await host.replace(
        functions.flatMap(({ definition, ...others }) => {
          const folder = folders.get(definition.id);
          return folder === undefined
            ? []
            : hosted({ ...others, definition: { ...definition, folder } });
        }),
      );
      if (failure) {
        const { errorType, errorMessage, trace = [] } = failure;
        throw new Problem([`${errorType}: ${errorMessage}`, ...trace.slice(1)].join('\n'));
      }
    },
    stop: async () => {
      await host.stop();
      await proxy.stop();
    },
  };
}
