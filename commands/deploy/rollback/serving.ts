import {
  GetAliasCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import type { DeployedFunction } from './deployed-functions.ts';

export interface Version {
  number: number;
  published: Date;
}

/** A function with what serves now, and what could. */
export interface ServingFunction extends DeployedFunction {
  /** Those that requests get to: two while new code is being let in, the one that most get to first. */
  serving: [number, ...number[]];
  /** All that Lambda has kept, the newest first. */
  versions: Version[];
}

/** What the alias leads to. */
export async function servingVersions(
  lambda: LambdaClient,
  { functionName, alias }: DeployedFunction,
): Promise<[number, ...number[]]> {
  const { FunctionVersion, RoutingConfig } = await lambda.send(
    new GetAliasCommand({ FunctionName: functionName, Name: alias }),
  );
  const others = Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {});
  return [Number(FunctionVersion), ...others.map(Number)];
}

/** The function with all that is to be known of its versions; undefined when somebody has taken its alias away. */
export async function servingFunction(
  lambda: LambdaClient,
  deployed: DeployedFunction,
): Promise<ServingFunction | undefined> {
  const serving = await servingVersions(lambda, deployed).catch((error) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (!serving) return undefined;
  const versions: Version[] = [];
  const pages = paginateListVersionsByFunction(
    { client: lambda },
    { FunctionName: deployed.functionName },
  );
  for await (const { Versions = [] } of pages) {
    for (const { Version: name, LastModified } of Versions) {
      if (name === undefined || name === '$LATEST' || !LastModified) continue;
      versions.push({ number: Number(name), published: new Date(LastModified) });
    }
  }
  return { ...deployed, serving, versions: versions.toSorted((a, b) => b.number - a.number) };
}
