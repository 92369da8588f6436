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
  /** Of the stage; `local` for the local cloud. */
  place: string;
  /** In the stage's user pool, if there is one. */
  account: Person | undefined;
  file: string;
  /** Go on where the same export was broken off. */
  resume: boolean;
  /** Groups whose conversations are theirs, beside those of their last token. */
  groups: readonly string[];
  /** Look only where indexes and groups lead. */
  narrow: boolean;
  /** What others sent in their conversations, too. */
  received: boolean;
  /** Units a second. */
  readUnits: number;
  pageSize?: number;
}

/** How far an export has come. What was asked for has to be the same when it goes on. */
const State = v.object({
  asked: v.string(),
  groups: v.array(v.string()),
  legs: v.array(Leg),
  records: v.number(),
});

/**
 * Writes what there is of somebody to a file, a JSON object a line, and gives how many records.
 * Broken off, it can go on where it was; the file has its name once it is whole. Throws a Problem.
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
        `What is in ${file}.part was asked for otherwise: give the same options, or leave --resume out.`,
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
        ? `Going on after ${leftOff.records} records.`
        : narrow
          ? `Only where indexes lead, and the groups ${groups.join(', ') || '(none)'}: not all that there may be.`
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
          // Whoever made a conversation of a group that they have left since reads it no more.
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
    throw stopped(error, `What was written is in ${file}.part: with --resume it goes on.`);
  }
}

function accountRecords(account: Person | undefined): ExportRecord[] {
  if (!account) return [];
  const { id: _, ...known } = account;
  return [{ kind: 'account', ...known }];
}

/** What others sent in a conversation, a page at a time. */
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
