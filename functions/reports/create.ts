import * as v from 'valibot';
import { clock, toSeconds } from '../../shared/clock.ts';
import { createReport } from '../../shared/contract/operations.ts';
import { Report } from '../../shared/contract/resources/report.ts';
import { serve } from '../../shared/http/serve.ts';
import { newReportId } from '../../shared/ids.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { withIdempotency } from '../../shared/table/idempotency.ts';
import { copySubject } from '../../shared/table/reports/copy-subject.ts';
import { getReport } from '../../shared/table/reports/get-report.ts';
import {
  getReportSubject,
  newReport,
  parseReport,
  toReportReply,
  toStoredReport,
} from '../../shared/table/reports/report-item.ts';

export const handler = serve(createReport, ({ caller, body, idempotencyKey }) =>
  withIdempotency(idempotencyKey, caller, {
    replay: ({ made, found }) =>
      found === undefined
        ? { reply: toReportReply(newReport(made, caller.id, body)) }
        : { reply: v.parse(Report, found), alreadyExists: true },
    create: async (commit) => {
      const subject = getReportSubject(body);
      // Reads an existing report first, because its subject may have been deleted after the report.
      let existing = await getReport(caller.id, subject);
      const copy = existing ? undefined : await copySubject(subject, caller);
      const contact = await touchContact(caller);
      if (!existing) {
        const now = clock.now();
        const id = newReportId(now);
        const report = newReport(id, caller.id, body, copy);
        const put = { put: toStoredReport(report), replaceIfExpiredAt: toSeconds(now) };
        const { outcomes } = await commit({ id, writes: [put] }, contact);
        existing = outcomes[0]?.found ? parseReport(outcomes[0].found) : report;
        // This request stored the report, possibly in an attempt whose reply was lost.
        if (existing.id === id) return { reply: toReportReply(report) };
      }
      const reply = toReportReply(existing);
      await commit({ id: existing.id, writes: [], found: reply }, contact);
      return { reply, alreadyExists: true };
    },
  }),
);
