import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from '../stages.ts';

/**
 * Returns the removal policy for a stage's data. The policy applies when the stage's stack is
 * deleted.
 */
export const removalPolicy = ({ keepsData }: Pick<Stage, 'keepsData'>): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
