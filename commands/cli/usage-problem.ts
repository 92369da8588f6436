import { Problem } from '../../lib/problem.ts';

/** What is given to a command does not go together: the message says what does, and the usage follows. */
export class UsageProblem extends Problem {}
