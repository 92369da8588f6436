import { beforeEach, describe, expect, test } from '@jest/globals';
import { requireLocation } from '../../../commands/stage/stage-location.ts';
import { account, callerArn, formatTarget, mockAws } from '../deploy/mocked-aws.ts';

const aws = mockAws();
beforeEach(aws.reset);

const terminal = { account, region: 'eu-central-1' };

describe('A stage', () => {
  test.each([
    ['without an account or a region', {}],
    ['with the account and region of the terminal', terminal],
  ])('%s is accepted, and the account, region and caller are printed', async (_, location) => {
    const printed: string[] = [];
    const caller = await requireLocation('prod', location, (line) => printed.push(line));
    expect([caller, printed]).toEqual([{ ...terminal, arn: callerArn }, [formatTarget('prod')]]);
  });

  test.each([
    [
      { ...terminal, account: '999988887777' },
      'account 999988887777, but this terminal uses 111122223333',
    ],
    [{ ...terminal, region: 'us-east-1' }, 'region us-east-1, but this terminal uses eu-central-1'],
    [
      { account: '999988887777', region: 'us-east-1' },
      'account 999988887777, but this terminal uses 111122223333, and to region us-east-1, but this terminal uses eu-central-1',
    ],
  ])('with %j is rejected, and the error names the differences', async (location, difference) => {
    await expect(requireLocation('prod', location, () => {})).rejects.toThrow(
      `Wrong account or region: lib/stages.ts sets prod to ${difference}. Nothing was changed.`,
    );
  });
});
