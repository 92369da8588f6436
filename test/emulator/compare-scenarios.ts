import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';
import type { KnownDifference } from './known-differences.ts';

/** Jest's report (`--json`). */
export const JestReport = v.object({
  testResults: v.array(
    v.object({
      assertionResults: v.array(
        v.object({
          fullName: v.string(),
          status: v.string(),
          failureMessages: v.array(v.string()),
        }),
      ),
    }),
  ),
});

/**
 * Returns the number of passed scenarios, the number of failures per known difference, and all
 * other failed scenarios.
 */
export function compareScenarios(
  report: v.InferOutput<typeof JestReport>,
  knownDifferences: readonly KnownDifference[],
) {
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ fullName, message: toOneLine(failureMessages) }));
  const isKnownBy = ({ fullName, message }: (typeof failed)[number], known: KnownDifference) =>
    known.message.test(message) && (known.scenario?.test(fullName) ?? true);
  return {
    passed: results.filter(({ status }) => status === 'passed').length,
    known: knownDifferences.map((known) => ({
      name: known.name,
      scenarios: failed.filter((one) => isKnownBy(one, known)).length,
    })),
    unknown: failed.filter((one) => !knownDifferences.some((known) => isKnownBy(one, known))),
  };
}

/** Returns the first message as one line, without colors or stack trace. */
const toOneLine = ([message = '']: readonly string[]) =>
  (stripVTControlCharacters(message).split(/\n\s+at /)[0] ?? '').replace(/\s+/g, ' ').trim();
