import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import type { ScanStatus } from '../shared/contract/resources/attachment.ts';
import { withDeadline } from '../shared/deadline.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { beginInvocation } from '../shared/log/invocation.ts';
import { logInvocation } from '../shared/log/log-invocation.ts';
import { usage } from '../shared/log/usage.ts';
import { parseFileKey } from '../shared/table/attachments/attachment-item.ts';
import { recordScan } from '../shared/table/messages/write/record-scan.ts';

/**
 * The fields of GuardDuty's event that this function uses.
 *
 * @see
 * https://docs.aws.amazon.com/guardduty/latest/ug/monitor-with-eventbridge-s3-malware-protection.html
 */
const ScanResult = v.object({
  detail: v.object({
    s3ObjectDetails: v.object({ objectKey: v.string() }),
    scanResultDetails: v.object({ scanResultStatus: v.string() }),
  }),
});

/**
 * Scan status by GuardDuty's result. Other results, such as `UNSUPPORTED` for archives with a
 * password, leave a file unscanned.
 */
const statuses: Readonly<Record<string, ScanStatus>> = {
  NO_THREATS_FOUND: 'clean',
  THREATS_FOUND: 'infected',
};
/** Results caused by a fault, not by the file. */
const failedResults = ['ACCESS_DENIED', 'FAILED'];

/** Milliseconds reserved for the log line. */
const reservedMilliseconds = 1500;

/** Records the result of a malware scan. If this function throws, Lambda retries the event. */
export async function handler(event: unknown, context: Context): Promise<void> {
  beginInvocation();
  const logOutcome = (facts: Record<string, unknown>, fault = false) =>
    logInvocation(context, { operation: 'scan', ...facts, ...usage, fault });
  try {
    const milliseconds = context.getRemainingTimeInMillis() - reservedMilliseconds;
    logOutcome(await withDeadline(milliseconds, () => record(v.parse(ScanResult, event))));
  } catch (error) {
    logOutcome({ cause: describeCause(error) }, true);
    throw error;
  }
}

async function record({ detail }: v.InferOutput<typeof ScanResult>) {
  const { s3ObjectDetails, scanResultDetails } = detail;
  const result = scanResultDetails.scanResultStatus;
  const position = parseFileKey(s3ObjectDetails.objectKey);
  const outcome = position
    ? await recordScan(position, statuses[result] ?? 'unscanned')
    : 'ignored';
  return {
    result,
    [outcome]: 1,
    failed_scans: failedResults.includes(result) ? 1 : undefined,
  };
}
