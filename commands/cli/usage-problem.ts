import { Problem } from '../../lib/problem.ts';

/**
 * Invalid combination of arguments. The message states a valid one; the usage is printed after it.
 */
export class UsageProblem extends Problem {}
