import { describe, expect, test } from '@jest/globals';
import {
  applyDeployContext,
  toImmediateOptions,
} from '../../../commands/deploy/immediate-deploy.ts';
import { getStage } from '../../../lib/stages.ts';

const prod = getStage('prod');

/** As the CDK hands `-c key=value` to the app. */
const told = (options: string[]) => (key: string) =>
  options
    .find((option) => option.startsWith(`${key}=`))
    ?.split('=')
    .at(-1);

describe('The app is told to let new code serve', () => {
  test('at once, and then that is all that differs', () => {
    expect(applyDeployContext(prod, told(toImmediateOptions(true)))).toEqual({
      ...prod,
      deploysGradually: false,
    });
  });

  test('gradually where nothing else is said', () => {
    expect(prod.deploysGradually).toBe(true);
    expect(applyDeployContext(prod, told(toImmediateOptions(false)))).toBe(prod);
  });
});
