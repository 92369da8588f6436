import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { Problem } from '../../lib/problem.ts';
import { requireAws } from './require-aws.ts';

export interface StageLocation {
  /** Twelve-digit account id. */
  account?: string;
  region?: string;
}

export interface AwsIdentity {
  account: string;
  region: string;
  arn: string;
}

/**
 * Prints and returns the account, region and identity of this terminal's credentials. Throws a
 * Problem if there are no credentials or no region, or if they do not match the stage.
 */
export async function requireLocation(
  stageName: string,
  { account, region }: StageLocation & object,
  print: (line: string) => void = () => {},
): Promise<AwsIdentity> {
  const identity = await readIdentity();
  print(`${stageName}: account ${identity.account}, region ${identity.region}, as ${identity.arn}`);
  const differences = [
    ...describeDifference('account', account, identity.account),
    ...describeDifference('region', region, identity.region),
  ];
  if (differences.length > 0) {
    throw new Problem(
      `Wrong account or region: lib/stages.ts sets ${stageName} to ${differences.join(', and to ')}. Nothing was changed.`,
    );
  }
  return identity;
}

/**
 * Checks the account and region without printing them. If the stage sets neither, checks only that
 * this terminal has a region and credentials.
 */
export async function requireStageLocation(
  stageName: string,
  location: StageLocation & object,
): Promise<void> {
  if (location.account === undefined && location.region === undefined) await requireAws();
  else await requireLocation(stageName, location);
}

const describeDifference = (
  field: string,
  expected: string | undefined,
  actual: string,
): string[] =>
  expected === undefined || expected === actual
    ? []
    : [`${field} ${expected}, but this terminal uses ${actual}`];

async function readIdentity(): Promise<AwsIdentity> {
  const region = await requireAws();
  const { Account, Arn } = await new STSClient().send(new GetCallerIdentityCommand({}));
  if (Account === undefined || Arn === undefined)
    throw new Error('STS did not return the caller identity.');
  return { account: Account, region, arn: Arn };
}
