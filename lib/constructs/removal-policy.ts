import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from '../stages.ts';

/** What becomes of a stage's data when its stack is removed. */
export const removalPolicy = ({ keepsData }: Pick<Stage, 'keepsData'>): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
