import { Problem } from '../../lib/problem.ts';
import { closeReport } from '../../shared/table/reports/close-report.ts';
import {
  findReport,
  listReports,
  type ReportRange,
} from '../../shared/table/reports/query-reports.ts';
import type { ReportItem } from '../../shared/table/reports/report-item.ts';
import { formatReport, formatReports } from './format-reports.ts';
import { removeReportedMessage } from './remove-message.ts';

export async function listLines(range: ReportRange): Promise<string[]> {
  const reports = await listReports({ ...range, count: range.count + 1 });
  const page = reports.slice(0, range.count);
  if (page.length === 0) return ['No reports.'];
  const isLast = reports.length === page.length;
  return [
    ...formatReports(page),
    ...(isLast ? [] : [`More reports: add --after ${page.at(-1)?.id}`]),
  ];
}

export const showLines = async (id: string): Promise<string[]> =>
  formatReport(await requireReport(id));

export async function closeAll(ids: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const id of ids) {
    const closed = await closeReport(await requireReport(id));
    lines.push(closed ? `Closed the report ${id}.` : `The report ${id} is already closed.`);
  }
  return lines;
}

/**
 * Deletes the reported message after `confirm` has resolved. Throws a Problem if the report does
 * not exist or is not about a message.
 */
export async function removeMessage(
  id: string,
  confirm: (messageId: string) => Promise<void>,
): Promise<string[]> {
  const report = await requireReport(id);
  if (report.subject_kind !== 'message_id')
    throw new Problem(`The report ${id} is not about a message.`);
  await confirm(report.subject_id);
  const removed = await removeReportedMessage(report);
  return [
    removed
      ? `Deleted the message ${report.subject_id}.`
      : `The message ${report.subject_id} is already deleted.`,
  ];
}

async function requireReport(id: string): Promise<ReportItem> {
  const report = await findReport(id);
  if (!report) throw new Problem(`There is no report ${id}.`);
  return report;
}
