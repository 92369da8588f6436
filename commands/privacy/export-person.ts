import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { clock, toSeconds } from '../../shared/clock.ts';
import {
  type ContactWithGroups,
  isParticipant,
} from '../../shared/table/conversations/items/participants.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { isMessage, toLogEntry } from '../../shared/table/messages/log/message-item.ts';
import type { StageTable } from '../stage/table.ts';
import type { Person } from '../users/people.ts';
import { conversationsOf } from './conversations.ts';
import { costLine, sizeOf } from './estimate.ts';
import { mayConcern } from './filter.ts';
import { foundOn } from './found.ts';
import { legsOf } from './legs.ts';
import { type Pace, paceOf } from './pace.ts';
import { partFile } from './part-file.ts';
import { personOf } from './person.ts';
import type { ExportRecord } from './records.ts';
import { receivedRecord, recordsOf } from './records-of.ts';
import { stopped } from './stopped.ts';
import { Leg, walk } from './walk.ts';

export interface ExportPerson {
  contactId: string;
  table: StageTable;
  /** The stage's name; `local` for the local cloud. */
  place: string;
  /** The account in the stage's user pool, if it has one. */
  account: Person | undefined;
  file: string;
  /** Resume an interrupted export. */
  resume: boolean;
  /** Groups whose conversations are included, in addition to those of the last token. */
  groups: readonly string[];
  /** Read only the indexes and groups instead of the whole table. */
  narrow: boolean;
  /** Include what others sent in their conversations. */
  received: boolean;
  /** Units per second. */
  readUnits: number;
  pageSize?: number;
}

/** The progress of an export. The request must be the same when it resumes. */
const State = v.object({
  asked: v.string(),
  groups: v.array(v.string()),
  legs: v.array(Leg),
  records: v.number(),
});

/**
 * Writes all data of a person to a file, one JSON object per line, and returns the number of
 * records. An interrupted export can be resumed. The file gets its final name when it is complete.
 * Throws a Problem if the file exists or the options changed.
 */
export async function exportPerson(
  options: ExportPerson,
  talk: { print(line: string): void; onProgress(records: number): void },
): Promise<number> {
  const { contactId, table, place, file, resume, narrow, received, readUnits } = options;
  const asked = JSON.stringify([table.name, contactId, options.groups, narrow, received]);
  const out = await partFile(file, resume, State);
  try {
    const { leftOff } = out;
    if (leftOff && leftOff.asked !== asked) {
      throw new Problem(
        `${file}.part was started with other options: repeat those, or omit --resume.`,
      );
    }
    const person: ContactWithGroups = leftOff
      ? { id: contactId, groups: leftOff.groups }
      : await personOf(table, contactId, options.groups);
    const groups = [...person.groups];
    let state = leftOff ?? {
      asked,
      groups,
      legs: [...(await legsOf(table, person, { narrow }))],
      records: 0,
    };
    talk.print(
      leftOff
        ? `Resuming after ${leftOff.records} records.`
        : narrow
          ? `Reading only the indexes and the groups ${groups.join(', ') || '(none)'}: the export may be incomplete.`
          : costLine(await sizeOf(table), readUnits),
    );
    if (!leftOff) {
      const begin: ExportRecord = {
        kind: 'export',
        contact_id: contactId,
        place,
        begun_at: toSeconds(clock.now()),
        complete: !narrow,
        groups,
        received,
      };
      const account = accountRecords(options.account);
      await out.append([begin, ...account]);
      state = { ...state, records: account.length };
      await out.keep(state);
    }
    const pace = paceOf(readUnits);
    const conversations = conversationsOf(table);
    await walk({
      table,
      legs: state.legs,
      filter: mayConcern(person),
      pace,
      pageSize: options.pageSize,
      onPage: async (items, legs) => {
        const found = await foundOn(items, person, conversations);
        const own = found.flatMap(({ thing }) => recordsOf(thing, person));
        await out.append(own);
        let records = state.records + own.length;
        for (const { thing } of found) {
          if (!received || thing.kind !== 'conversation') continue;
          // A person who has left a group can no longer read its conversations, even those they
          // created.
          if (!isParticipant(thing.conversation, person)) continue;
          for await (const page of receivedIn(options, thing.conversation.id, pace)) {
            await out.append(page);
            records += page.length;
            talk.onProgress(records);
          }
        }
        state = { ...state, legs: [...legs], records };
        await out.keep(state);
        talk.onProgress(records);
      },
    });
    const end: ExportRecord = {
      kind: 'end',
      records: state.records,
      ended_at: toSeconds(clock.now()),
    };
    await out.append([end]);
    await out.finish();
    return state.records;
  } catch (error) {
    await out.close().catch(() => {});
    throw stopped(error, `The written part is in ${file}.part: continue with --resume.`);
  }
}

function accountRecords(account: Person | undefined): ExportRecord[] {
  if (!account) return [];
  const { id: _, ...known } = account;
  return [{ kind: 'account', ...known }];
}

/** Returns what others sent in a conversation, by page. */
async function* receivedIn(
  { table, contactId, pageSize }: ExportPerson,
  conversationId: string,
  pace: Pace,
): AsyncGenerator<ExportRecord[]> {
  let next: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :messages)',
        FilterExpression: 'sent_by <> :id AND attribute_exists(sent_by)',
        ExpressionAttributeValues: {
          ':pk': conversationKey(conversationId).pk,
          ':messages': 'MESSAGE#',
          ':id': contactId,
        },
        ConsistentRead: true,
        Limit: pageSize,
        ExclusiveStartKey: next,
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    const messages = (page.Items ?? []).map(toLogEntry).filter(isMessage);
    yield messages.map(receivedRecord);
    await pace(page.ConsumedCapacity?.CapacityUnits ?? 0);
    next = page.LastEvaluatedKey;
  } while (next);
}
