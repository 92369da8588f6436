import { describe, expect, test } from '@jest/globals';
import {
  applyDeployContext,
  toImmediateOptions,
} from '../../../commands/deploy/immediate-deploy.ts';
import { getStage } from '../../../lib/stages.ts';

const prod = getStage('prod');

/** Returns a function that reads context values from `-c key=value` options, as the CDK does. */
const contextOf = (options: string[]) => (key: string) =>
  options
    .find((option) => option.startsWith(`${key}=`))
    ?.split('=')
    .at(-1);

describe('The CDK app deploys', () => {
  test('immediately with --at-once, which changes no other setting', () => {
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
