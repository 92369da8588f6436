import { Problem } from '../../lib/problem.ts';

/**
 * An invalid combination of arguments. The message states a valid combination. After the message,
 * the command prints how to list all options.
 */
export class UsageProblem extends Problem {}
