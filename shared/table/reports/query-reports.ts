import * as v from 'valibot';
import { getItems, queryPage } from '../calls/access.ts';
import { getReportPartitions, type Key, reportPartition } from '../keys/keys.ts';
import { indexes, tableKey } from '../keys/names.ts';
import { parseReport, type ReportItem } from './report-item.ts';

export interface ReportRange {
  isOpen: boolean;
  oldestFirst: boolean;
  count: number;
  /** Id of the report to start after. */
  after?: string | undefined;
}

const { partition, sort } = indexes.gsi3;
const IndexEntry = v.object({
  [tableKey.partition]: v.string(),
  [tableKey.sort]: v.string(),
  [sort]: v.string(),
});

interface FoundReport {
  id: string;
  key: Key;
}

/** Returns ids and keys of up to `count` reports, sorted by id. Makes one query per partition. */
export async function findReports(range: ReportRange): Promise<FoundReport[]> {
  const found = await Promise.all(
    getReportPartitions(range.isOpen).map((one) => queryPartition(one, range)),
  );
  const sorted = found.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
  return (range.oldestFirst ? sorted : sorted.reverse()).slice(0, range.count);
}

async function queryPartition(
  value: string,
  { oldestFirst, count, after }: ReportRange,
): Promise<FoundReport[]> {
  const beyond = after === undefined ? '' : ` AND ${sort} ${oldestFirst ? '>' : '<'} :after`;
  const { items } = await queryPage({
    IndexName: 'gsi3',
    KeyConditionExpression: `${partition} = :partition${beyond}`,
    ExpressionAttributeValues: {
      ':partition': value,
      ...(after !== undefined && { ':after': after }),
    },
    ScanIndexForward: oldestFirst,
    Limit: count,
  });
  return items.map((item) => {
    const { pk, sk, [sort]: id } = v.parse(IndexEntry, item);
    return { id, key: { pk, sk } };
  });
}

/** Returns up to `count` reports, sorted by id. */
export async function listReports(range: ReportRange): Promise<ReportItem[]> {
  const found = await findReports(range);
  const items = await getItems(found.map(({ key }) => key));
  const reports = new Map(items.map(parseReport).map((report) => [report.id, report]));
  return found.flatMap(({ id }) => reports.get(id) ?? []);
}

/** Returns the open or closed report with this id, if any. */
export async function findReport(id: string): Promise<ReportItem | undefined> {
  for (const isOpen of [true, false]) {
    const { items } = await queryPage({
      IndexName: 'gsi3',
      KeyConditionExpression: `${partition} = :partition AND ${sort} = :id`,
      ExpressionAttributeValues: { ':partition': reportPartition(id, isOpen), ':id': id },
    });
    const keys = items.map((item) => {
      const { pk, sk } = v.parse(IndexEntry, item);
      return { pk, sk };
    });
    const [report] = (await getItems(keys)).map(parseReport);
    if (report?.id === id) return report;
  }
  return undefined;
}
