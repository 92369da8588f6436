import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { exportPerson, type PersonExport } from '../../../commands/privacy/export/export-person.ts';
import {
  type ExportRecord,
  ExportRecord as Record,
} from '../../../commands/privacy/export/export-records.ts';
import { clock } from '../../../shared/clock.ts';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';
import { block, changeConversation, create } from '../../support/handlers/api-calls.ts';
import { person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import { createPersonFixture, type PersonFixture, table } from './person-fixture.ts';
import '../../support/setup/use-table.ts';

const folder = temporaryFolder();
let files = 0;
const schema: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/person-export.schema.json'), 'utf8'),
);
const isValidLine = new Ajv2020({ strict: false, allErrors: true }).compile(
  v.parse(v.looseObject({}), schema),
);

let fixture: PersonFixture;
beforeEach(async () => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  fixture ??= await createPersonFixture();
});
const newFile = () => {
  files += 1;
  return join(folder, `person-${files}.ndjson`);
};

const optionsFor = (contactId: string, more: Partial<PersonExport> = {}): PersonExport => ({
  contactId,
  table,
  stageName: 'local',
  account: undefined,
  file: newFile(),
  resume: false,
  groups: [],
  narrow: false,
  received: false,
  copyFiles: async (records) => [...records],
  readUnits: 1_000_000,
  ...more,
});

const silent = { print: () => {}, onProgress: () => {} };

function readRecords(file: string): ExportRecord[] {
  const texts = readFileSync(file, 'utf8').trimEnd().split('\n');
  return texts.map((text) => v.parse(Record, JSON.parse(text)));
}

async function runExport(options: PersonExport): Promise<ExportRecord[]> {
  await exportPerson(options, silent);
  return readRecords(options.file);
}

const countKinds = (records: readonly ExportRecord[]) =>
  Object.fromEntries(
    [...Map.groupBy(records, ({ kind }) => kind)].map(([kind, group]) => [kind, group.length]),
  );

const toSortedTexts = (records: readonly ExportRecord[]) =>
  records
    .filter(({ kind }) => kind !== 'export' && kind !== 'end')
    .map((one) => JSON.stringify(one))
    .sort();

describe('An export of a person', () => {
  test('contains all data of the person exactly once', async () => {
    const { bob, ann, direct, liked, team, named } = fixture;
    const records = await runExport(optionsFor(bob.id));
    expect(countKinds(records)).toEqual({
      export: 1,
      profile: 1,
      conversation: 6,
      settings: 3,
      message: 6,
      reaction: 2,
      idempotent_request: 2,
      event: expect.any(Number),
      report: 1,
      webhook_endpoint: 1,
      distinct_conversation: 2,
      end: 1,
    });
    expect(records[0]).toMatchObject({ kind: 'export', contact_id: bob.id, complete: true });
    expect(records.at(-1)).toMatchObject({ kind: 'end', records: records.length - 2 });
    const texts = records.flatMap((one) => (one.kind === 'message' ? [one.message] : []));
    expect(texts.sort()).toEqual([
      'As a guest',
      'Before I go',
      'Do not forget',
      'From me too',
      'Hello yourself',
      'Once',
    ]);
    expect(records).toContainEqual({
      kind: 'conversation',
      id: direct,
      role: 'contact',
      contact_id: ann.id,
      group_id: null,
      created_at: expect.any(Number),
      last_active_at: expect.any(Number),
    });
    const roles = new Map(
      records.flatMap((one) => (one.kind === 'conversation' ? [[one.id, one.role]] : [])),
    );
    expect([roles.get(team), roles.get(named)]).toEqual(['member', 'contact']);
    expect(records).toContainEqual({
      kind: 'reaction',
      conversation_id: team,
      message_id: liked,
      names: ['thumbsup'],
    });
    expect(records).toContainEqual({
      ...{ kind: 'report', message_id: liked, contact_id: null, public_id: null },
      ...{ reason: 'spam', note: 'Not for all', created_at: expect.any(Number) },
    });
    expect(records).toContainEqual({
      kind: 'profile',
      ...(({ id, username, phone_number, avatar_url }) => ({
        id,
        username,
        phone_number,
        avatar_url,
      }))(bob),
      last_active_at: expect.any(Number),
      created_at: expect.any(Number),
      groups: expect.any(Array),
      share_read_receipts: true,
      accept_groups_from: 'everyone',
    });
  });

  test('contains the contacts whom the person has blocked', async () => {
    const dan = person('dan-export');
    await block(dan, 'someone');
    expect(await runExport(optionsFor(dan.id))).toContainEqual({
      kind: 'block',
      contact_id: 'someone',
      created_at: expect.any(Number),
    });
  });

  test('contains the business conversations that are assigned to the person', async () => {
    await seedBusinesses(createBusinessRecord('bakery', { status: 'active' }));
    const eve = person('eve-export', { groups: ['business:bakery'] });
    const { id } = await create(person('customer-export'), { business_id: 'bakery' });
    await changeConversation(eve, id, { assigned_to: eve.id });
    const assignment = { kind: 'assignment', conversation_id: id };
    expect(await runExport(optionsFor(eve.id))).toContainEqual(assignment);
  });

  test('matches docs/person-export.schema.json on every line', async () => {
    const file = newFile();
    await runExport(optionsFor(fixture.bob.id, { file, received: true }));
    for (const text of readFileSync(file, 'utf8').trimEnd().split('\n')) {
      expect([isValidLine(JSON.parse(text)), isValidLine.errors]).toEqual([true, null]);
    }
    expect(isValidLine({ kind: 'message', id: 'x' })).toBe(false);
    expect(
      isValidLine({ kind: 'reaction', conversation_id: 'c', message_id: 'm', names: [], more: 1 }),
    ).toBe(false);
  });

  test('contains messages of other senders only if requested', async () => {
    const { bob } = fixture;
    const plain = await runExport(optionsFor(bob.id));
    const all = await runExport(optionsFor(bob.id, { received: true }));
    expect(JSON.stringify(plain)).not.toContain('Welcome');
    const received = all.flatMap((one) => (one.kind === 'received_message' ? [one.message] : []));
    expect(received.sort()).toEqual(['Bye', 'Hello', 'To all', 'Welcome']);
    expect(toSortedTexts(all.filter(({ kind }) => kind !== 'received_message'))).toEqual(
      toSortedTexts(plain),
    );
  });

  test('contains no messages of other senders in former groups, even in conversations that the person created', async () => {
    const { bob, leftTeam } = await createPersonFixture();
    const { name: TableName, client } = table;
    await client.send(
      new UpdateCommand({
        TableName,
        Key: contactKey(bob.id),
        UpdateExpression: 'SET #groups = :none',
        ExpressionAttributeNames: { '#groups': 'groups' },
        ExpressionAttributeValues: { ':none': [] },
      }),
    );
    const records = await runExport(optionsFor(bob.id, { received: true }));
    expect(records).toContainEqual(
      expect.objectContaining({ kind: 'conversation', id: leftTeam, role: 'creator' }),
    );
    const received = records.flatMap((one) =>
      one.kind === 'received_message' ? [one.message] : [],
    );
    expect(received.sort()).toEqual(['Hello', 'Welcome']);
  });

  test('with --narrow contains the same records if the indexes and groups identify all data', async () => {
    const { bob } = fixture;
    const narrow = await runExport(optionsFor(bob.id, { narrow: true }));
    expect(narrow[0]).toMatchObject({ complete: false });
    expect(toSortedTexts(narrow)).toEqual(toSortedTexts(await runExport(optionsFor(bob.id))));
  });

  test('omits the ids of users who share no conversation with the person', async () => {
    const other = await createPersonFixture();
    const text = JSON.stringify(await runExport(optionsFor(fixture.bob.id, { received: true })));
    for (const { id } of [other.ann, other.bob, other.cleo]) expect(text).not.toContain(id);
  });

  test('is readable only by its owner, even while it is being written', async () => {
    const options = optionsFor(fixture.bob.id, { pageSize: 5 });
    const modes = new Set<number>();
    const onProgress = () => {
      for (const end of ['.part', '.progress'])
        modes.add(statSync(`${options.file}${end}`).mode & 0o777);
    };
    await exportPerson(options, { print: () => {}, onProgress });
    modes.add(statSync(options.file).mode & 0o777);
    expect([...modes]).toEqual([0o600]);
  });

  test('fails if the file exists, if the folder is missing, or if --resume is given without an interrupted export', async () => {
    const options = optionsFor(fixture.bob.id);
    await runExport(options);
    await expect(exportPerson(options, silent)).rejects.toThrow('already exists');
    await expect(
      exportPerson(optionsFor(fixture.bob.id, { resume: true }), silent),
    ).rejects.toThrow('no interrupted export');
    const file = join(folder, 'not-there', 'bob.ndjson');
    await expect(exportPerson(optionsFor(fixture.bob.id, { file }), silent)).rejects.toThrow(
      `Cannot create bob.ndjson: the folder ${join(folder, 'not-there')} does not exist.`,
    );
  });
});

describe('An interrupted export', () => {
  /**
   * Runs an export that fails at the n-th table read. Returns false if the export completes before
   * that read.
   */
  async function interruptExport(options: PersonExport, n: number): Promise<boolean> {
    let reads = 0;
    const restoreCalls = interceptCalls(async ({ operation }, next) => {
      reads += operation === 'Scan' || operation === 'Query' ? 1 : 0;
      if (reads === n) throw new Error('cut off');
      await next();
    });
    const isCut = await exportPerson(options, silent).then(
      () => false,
      () => true,
    );
    restoreCalls();
    return isCut;
  }

  test('does not create the final file, and the resumed export contains the records of an uninterrupted one', async () => {
    const { bob } = fixture;
    const complete = toSortedTexts(await runExport(optionsFor(bob.id, { received: true })));
    let interruptions = 0;
    // An export whose first read (the person's groups) fails has no progress to resume.
    for (let n = 2; ; n += 3) {
      const options = optionsFor(bob.id, { received: true, pageSize: 20 });
      if (!(await interruptExport(options, n))) break;
      interruptions += 1;
      expect(existsSync(options.file)).toBe(false);
      expect(toSortedTexts(await runExport({ ...options, resume: true }))).toEqual(complete);
      expect(existsSync(`${options.file}.part`) || existsSync(`${options.file}.progress`)).toBe(
        false,
      );
    }
    expect(interruptions).toBeGreaterThan(3);
  });

  test('cannot be resumed with different options, and starts over without --resume', async () => {
    const options = optionsFor(fixture.bob.id, { pageSize: 20 });
    await interruptExport(options, 3);
    await expect(
      exportPerson({ ...options, received: true, resume: true }, silent),
    ).rejects.toThrow('was started with other options');
    expect(toSortedTexts(await runExport(options))).toEqual(
      toSortedTexts(await runExport(optionsFor(fixture.bob.id))),
    );
  });
});
