import type { JSONPath } from 'jsonc-parser';
import * as v from 'valibot';
import { BusinessRecord } from '../../shared/contract/business/business.ts';
import { fillMissingFields } from '../../shared/contract/schema/fill-missing-fields.ts';
import type { Fault } from './fault.ts';
import type { SourceRecord } from './parse-records.ts';
import { findUnknownFields } from './unknown-fields.ts';

/** Maximum size of a business as JSON, below DynamoDB's item limit of 400 KB. */
const maxKilobytes = 350;

/** A fault in a record. An empty path means the whole record. */
interface Finding {
  path: JSONPath;
  reason: string;
}

export function checkRecords(records: SourceRecord[]): {
  businesses: BusinessRecord[];
  faults: Fault[];
} {
  const businesses: BusinessRecord[] = [];
  const faults: Fault[] = [];
  const lines = new Map<unknown, number>();
  for (const { value, getLine } of records) {
    const { business, findings } = checkRecord(value);
    const publicId = v.is(Identified, value) ? value.public_id : undefined;
    const line = lines.get(publicId);
    if (line !== undefined) {
      findings.push({
        path: ['public_id'],
        reason: `must be unique: line ${line} has the same value`,
      });
    } else if (publicId !== undefined) {
      lines.set(publicId, getLine(['public_id']));
    }
    if (business && findings.length === 0) businesses.push(business);
    faults.push(
      ...findings.map(({ path, reason }) => ({
        line: getLine(path),
        field: path.length > 0 ? path.join('.') : null,
        reason,
      })),
    );
  }
  return { businesses, faults };
}

const Identified = v.object({ public_id: v.string() });

function checkRecord(value: unknown): { business?: BusinessRecord; findings: Finding[] } {
  const completed = fillMissingFields(BusinessRecord, value);
  const result = v.safeParse(BusinessRecord, completed, { abortPipeEarly: true });
  const findings = (result.issues ?? []).filter((issue) => !isUnknownField(issue)).map(toFinding);
  // The schema validator stops at the first unknown field of an object.
  for (const path of findUnknownFields(BusinessRecord, value)) {
    findings.push({ path, reason: 'is not a field of a business: remove it' });
  }
  if (!result.success) return { findings };
  if (Buffer.byteLength(JSON.stringify(result.output)) > maxKilobytes * 1024) {
    findings.push({ path: [], reason: `must be at most ${maxKilobytes} KB as JSON` });
  }
  return { business: result.output, findings };
}

const isUnknownField = ({ type, expected }: v.BaseIssue<unknown>) =>
  type === 'strict_object' && expected === 'never';

const toFinding = ({ path, message }: v.BaseIssue<unknown>): Finding => ({
  path: path?.map(({ key }) => (typeof key === 'number' ? key : String(key))) ?? [],
  reason: message,
});
