import * as v from 'valibot';
import { toSeconds } from '../../clock.ts';
import { type CreateReport, type Report, ReportReason } from '../../contract/resources/report.ts';
import { reportCreatedAt } from '../../ids.ts';
import { reportSeconds } from '../../retention.ts';
import type { Item } from '../calls/access.ts';
import { type Key, reportKey, toReportKeys } from '../keys/keys.ts';

/** Subject of a report: the name of its request parameter, and its id. */
export interface ReportSubject {
  kind: (typeof subjectKinds)[number];
  id: string;
}
const subjectKinds = ['message_id', 'contact_id', 'public_id'] as const;

/** A report, stored in its reporter's partition. Its id contains the creation time. */
const ReportItem = v.object({
  id: v.string(),
  reported_by: v.string(),
  subject_kind: v.picklist(subjectKinds),
  subject_id: v.string(),
  reason: ReportReason,
  note: v.nullable(v.string()),
  /** Copy of the subject, as JSON text. */
  copy: v.optional(v.string()),
  /** Milliseconds. */
  closed_at: v.optional(v.number()),
  expires_at: v.number(),
});
export type ReportItem = v.InferOutput<typeof ReportItem>;

export const parseReport = (item: Item): ReportItem => v.parse(ReportItem, item);

/**
 * Returns the subject of the report to create. The request's schema requires exactly one subject.
 */
export function getReportSubject(input: CreateReport): ReportSubject {
  const [subject] = subjectKinds.flatMap((kind) => {
    const id = input[kind];
    return id ? [{ kind, id }] : [];
  });
  if (!subject) throw new Error('The report has no subject.');
  return subject;
}

export function newReport(
  id: string,
  reporter: string,
  input: CreateReport,
  copy?: string,
): ReportItem {
  const subject = getReportSubject(input);
  return {
    id,
    reported_by: reporter,
    subject_kind: subject.kind,
    subject_id: subject.id,
    reason: input.reason,
    note: input.note ?? null,
    copy,
    expires_at: toSeconds(reportCreatedAt(id)) + reportSeconds,
  };
}

/** Returns the item of an open report. */
export const toStoredReport = (report: ReportItem): Item & Key => ({
  ...report,
  ...reportKey(report.reported_by, report.subject_kind, report.subject_id),
  ...toReportKeys(report.id, true),
});

export const toReportReply = (report: ReportItem): Report => ({
  message_id: null,
  contact_id: null,
  public_id: null,
  [report.subject_kind]: report.subject_id,
  reason: report.reason,
  note: report.note,
  created_at: toSeconds(reportCreatedAt(report.id)),
});
