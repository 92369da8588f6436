import { Problem } from '../../lib/problem.ts';
import { parseFunctionName } from '../account.ts';
import type { LimitCheck } from '../table/limit-check.ts';
import type { PartitionKeys } from '../table/required-permissions.ts';
import { type OnTableCall, startTableProxy } from '../table/table-proxy.ts';
import { getEnvironmentVariables } from './environment-variables.ts';
import { type KeyedFunction, toCallers } from './function-callers.ts';
import { startFunctionHost } from './function-host.ts';
import type { Outcome } from './thread-protocol.ts';

export interface FleetOptions {
  functions: readonly KeyedFunction[];
  partitionKeys: PartitionKeys;
  checkLimits: LimitCheck;
  /** Endpoint of the table engine. */
  endpoint: string;
  overrides: Readonly<Record<string, string>>;
  /** Environment variables for every function. These variables override the template's. */
  variables: Readonly<Record<string, string>>;
  onTableCall: OnTableCall;
  log: (line: string) => void;
}

/** The stack's functions and the table proxy, which identifies each function by its access key. */
export interface Fleet {
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  /**
   * Replaces the code of functions. `folders` maps logical ids to the folders of the new code. If
   * any code cannot be loaded, throws a Problem and changes nothing.
   */
  replaceCode(folders: ReadonlyMap<string, string>): Promise<void>;
  stop(): Promise<void>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { functions, partitionKeys, checkLimits, endpoint, overrides: replacements, log } = options;
  const callers = toCallers(functions);
  const onCall = options.onTableCall;
  const proxy = await startTableProxy({
    endpoint,
    callers,
    partitionKeys,
    checkLimits,
    onCall,
  });
  const getFunctionId = (arn: string) =>
    functions.find(({ definition }) => definition.arn === arn)?.definition.id;
  const toHostedFunction = ({ definition, accessKey }: KeyedFunction) => ({
    definition,
    variables: {
      ...getEnvironmentVariables(definition, {
        accessKey,
        tableEndpoint: proxy.endpoint,
        overrides: replacements,
      }),
      ...options.variables,
    },
  });
  const host = startFunctionHost({
    functions: functions.map(toHostedFunction),
    log: (functionArn, line) => log(`[${getFunctionId(functionArn)}] ${line}`),
  });
  return {
    invoke: (functionArn, event) => {
      const target = functions.find(
        ({ definition: { name } }) => name === parseFunctionName(functionArn),
      );
      return host.invoke(target?.definition.arn ?? functionArn, JSON.stringify(event));
    },
    replaceCode: async (folders) => {
      const failure = await host.replace(
        functions.flatMap(({ definition, ...others }) => {
          const folder = folders.get(definition.id);
          return folder === undefined
            ? []
            : toHostedFunction({ ...others, definition: { ...definition, folder } });
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
