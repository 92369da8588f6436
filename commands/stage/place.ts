import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { Problem } from '../../lib/problem.ts';
import { requireAws } from './aws.ts';

/** Where a stage is said to be, of what lib/stages.ts says of it. */
export interface Place {
  /** Of twelve digits. */
  account?: string;
  region?: string;
}

/** Where this terminal's credentials and region lead, and as whom. */
export interface Caller {
  account: string;
  region: string;
  /** ARN of the person or role. */
  who: string;
}

/**
 * Prints where this terminal's credentials lead. Throws a Problem when that is another account or region than the stage
 * names, or when there are no credentials.
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
      `Not here: lib/stages.ts has ${stageName} in ${wrong.join(', and in ')}. Nothing was done.`,
    );
  }
  return here;
}

/** The same where nothing is to be said: of a stage that names neither, AWS is not asked who this is. */
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
    : [`${what} ${wanted}, and this terminal leads to ${found}`];

async function whereAmI(): Promise<Caller> {
  const region = await requireAws();
  const { Account, Arn } = await new STSClient().send(new GetCallerIdentityCommand({}));
  if (Account === undefined || Arn === undefined) throw new Error('STS did not say who this is.');
  return { account: Account, region, who: Arn };
}
