import { describe, expect, test } from '@jest/globals';
import { destroy } from '../../../lib/deploy/destroy.ts';
import { recorder } from './recorder.ts';

const question =
  'asks: This removes dev and all that is in it. Type the name of the stage to go on: ';
const removal = 'cdk destroy messaging-dev -c stage=dev --force';

describe('Destroying', () => {
  test('has the name of the stage typed, and removes its stack', async () => {
    const { tools, done, printed } = recorder({ typed: 'dev' });
    await destroy({ stage: 'dev', yes: false }, tools);
    expect(done).toEqual([question, removal]);
    expect(printed).toEqual(['dev is gone.']);
  });

  test('does nothing when another name is typed', async () => {
    const { tools, done } = recorder({ typed: 'staging' });
    await expect(destroy({ stage: 'dev', yes: false }, tools)).rejects.toThrow('Nothing was done.');
    expect(done).toEqual([question]);
  });

  test('with --yes asks nothing', async () => {
    const { tools, done } = recorder();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect(done).toEqual([removal]);
  });

  test('is refused for a stage that keeps its data, also with --yes', async () => {
    const { tools, done } = recorder({ typed: 'prod' });
    await expect(destroy({ stage: 'prod', yes: true }, tools)).rejects.toThrow(
      'prod keeps its data (keepsData in lib/stages.ts), so this command does not remove it',
    );
    expect(done).toEqual([]);
  });
});
