import { codeOf, messageOf, Problem } from '../problem.ts';
import { awsComplaint } from '../running/aws-complaint.ts';

/**
 * Runs a command of bin/. What it throws ends it with the code 1: an option that there is not is told with the usage, a
 * Problem by its message alone, what AWS refuses in a line, and anything else, which is a fault of ours, with its trace.
 */
export function runCommand(main: () => Promise<void>, usage: string): void {
  main().catch((error) => {
    const isBadOption = String(codeOf(error)).startsWith('ERR_PARSE_ARGS');
    if (isBadOption) console.error(`${messageOf(error)}\n\n${usage}`);
    else console.error(complaintOf(error));
    process.exit(1);
  });
}

/** What is shown of an error: a line when somebody can put it right, else all that there is. */
export const complaintOf = (error: unknown): unknown =>
  error instanceof Problem ? error.message : (awsComplaint(error) ?? error);
