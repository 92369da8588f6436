import { clock, toSeconds } from '../../clock.ts';
import { parseMessageId } from '../../ids.ts';
import { getItem } from '../calls/access.ts';
import { reportKey } from '../keys/keys.ts';
import { parseReport, type ReportItem, type ReportSubject } from './report-item.ts';

/** Returns a reporter's report; `undefined` if there is none or it has expired. */
export async function getReport(
  reporter: string,
  { kind, id }: ReportSubject,
): Promise<ReportItem | undefined> {
  // An invalid message id could exceed the maximum length of a key.
  if (kind === 'message_id' && !parseMessageId(id)) return undefined;
  const item = await getItem(reportKey(reporter, kind, id));
  const report = item && parseReport(item);
  return report && report.expires_at > toSeconds(clock.now()) ? report : undefined;
}
