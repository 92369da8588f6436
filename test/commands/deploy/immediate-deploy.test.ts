import { describe, expect, test } from '@jest/globals';
import {
  applyDeployContext,
  toImmediateOptions,
} from '../../../commands/deploy/immediate-deploy.ts';
import { getStage } from '../../../lib/stages.ts';

const prod = getStage('prod');

/** Returns the context as the CDK passes it for `-c key=value`. */
const contextOf = (options: string[]) => (key: string) =>
  options
    .find((option) => option.startsWith(`${key}=`))
    ?.split('=')
    .at(-1);

describe('The CDK app deploys', () => {
  test('immediately with the option, which changes nothing else', () => {
    expect(applyDeployContext(prod, contextOf(toImmediateOptions(true)))).toEqual({
      ...prod,
      deploysGradually: false,
    });
  });

  test('gradually by default', () => {
    expect(prod.deploysGradually).toBe(true);
    expect(applyDeployContext(prod, contextOf(toImmediateOptions(false)))).toBe(prod);
  });
});
