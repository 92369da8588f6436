import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from '../stages.ts';

/** Returns what happens to a stage's data when its stack is deleted. */
export const removalPolicy = ({ keepsData }: Pick<Stage, 'keepsData'>): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
