import { Problem } from '../../lib/problem.ts';

/**
 * Invalid combination of arguments. The message states a valid one; after it, the command prints
 * how to list all options.
 */
export class UsageProblem extends Problem {}
