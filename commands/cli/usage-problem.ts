import { Problem } from '../../lib/problem.ts';

/** An invalid combination of arguments. The message states a valid combination. */
export class UsageProblem extends Problem {}
