import { Problem } from '../../lib/problem.ts';

/** Missing, invalid or contradictory arguments. The message states how to correct them. */
export class UsageProblem extends Problem {}
