import {
  GetAliasCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import type { DeployedFunction } from './deployed-functions.ts';

export interface PublishedVersion {
  number: number;
  published: Date;
}

export interface ServingFunction extends DeployedFunction {
  /**
   * Versions that receive invocations, the alias's main version first. During a gradual
   * deployment, two versions receive invocations.
   */
  serving: [number, ...number[]];
  /** All versions retained by Lambda, newest first. */
  versions: PublishedVersion[];
}

export async function readServingVersions(
  lambda: LambdaClient,
  { functionName, alias }: DeployedFunction,
): Promise<[number, ...number[]]> {
  const { FunctionVersion, RoutingConfig } = await lambda.send(
    new GetAliasCommand({ FunctionName: functionName, Name: alias }),
  );
  const others = Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {});
  return [Number(FunctionVersion), ...others.map(Number)];
}

/** Returns the function with all its versions; undefined if its alias was deleted. */
export async function readServingFunction(
  lambda: LambdaClient,
  deployed: DeployedFunction,
): Promise<ServingFunction | undefined> {
  const serving = await readServingVersions(lambda, deployed).catch((error) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (!serving) return undefined;
  const versions: PublishedVersion[] = [];
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
