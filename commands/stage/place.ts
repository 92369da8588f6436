import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { Problem } from '../../lib/problem.ts';
import { requireAws } from './aws.ts';

/** The account and region of a stage, from lib/stages.ts. */
export interface Place {
  /** Twelve digits. */
  account?: string;
  region?: string;
}

/** The account, region and identity of this terminal's credentials. */
export interface Caller {
  account: string;
  region: string;
  /** ARN of the user or role. */
  who: string;
}

/**
 * Prints the account and region of this terminal's credentials. Throws a Problem if there are no
 * credentials, or if they do not match the stage.
 */
export async function requireLocation(
  stageName: string,
  { account, region }: Place & object,
  print: (line: string) => void = () => {},
): Promise<Caller> {
  const here = await whereAmI();
  print(`${stageName}: account ${here.account}, region ${here.region}, as ${here.who}`);
  const wrong = [
    ...differs('account', account, here.account),
    ...differs('region', region, here.region),
  ];
  if (wrong.length > 0) {
    throw new Problem(
      `Wrong account or region: lib/stages.ts sets ${stageName} to ${wrong.join(', and to ')}. Nothing was changed.`,
    );
  }
  return here;
}

/**
 * Checks the same, but prints nothing. Does not call AWS if the stage names neither an account nor
 * a region.
 */
export async function requireStageLocation(
  stageName: string,
  place: Place & object,
): Promise<void> {
  if (place.account === undefined && place.region === undefined) await requireAws();
  else await requireLocation(stageName, place);
}

const differs = (what: string, wanted: string | undefined, found: string): string[] =>
  wanted === undefined || wanted === found
    ? []
    : [`${what} ${wanted}, but this terminal uses ${found}`];

async function whereAmI(): Promise<Caller> {
  const region = await requireAws();
  const { Account, Arn } = await new STSClient().send(new GetCallerIdentityCommand({}));
  if (Account === undefined || Arn === undefined)
    throw new Error('STS did not return the caller identity.');
  return { account: Account, region, who: Arn };
}
