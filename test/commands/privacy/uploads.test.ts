import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { eraseItems } from '../../../commands/privacy/erase/erase-items.ts';
import { createFileCopier } from '../../../commands/privacy/export/copy-files.ts';
import { exportPerson } from '../../../commands/privacy/export/export-person.ts';
import { ExportRecord } from '../../../commands/privacy/export/export-records.ts';
import { clock } from '../../../shared/clock.ts';
import { createAttachment } from '../../../shared/contract/operations.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';
import {
  describeFile,
  getFiles,
  toFileStage,
  upload,
} from '../../support/files/use-file-server.ts';
import { create, send } from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { ann, person } from '../../support/people/callers.ts';
import { getPurgeWorkerFilter, readNewRecords } from '../../support/workers/live-worker.ts';
import { purgeRecords } from '../../support/workers/purge-worker.ts';
import { recordScanOf } from '../../support/workers/scan-worker.ts';
import { findTraces } from './find-traces.ts';
import { table, toErasure } from './person-fixture.ts';
import '../../support/setup/use-table.ts';

const folder = temporaryFolder();

async function createUploads(name: string) {
  const bob = person(name);
  const { id } = await create(ann, { contact_id: bob.id });
  const sent = await upload(bob, id, 'Sent');
  const unsent = await upload(bob, id, 'Unsent');
  const infected = await upload(bob, id, 'Infected');
  const { id: empty } = await ok(createAttachment, { as: bob, body: describeFile(id, 'Never') });
  await recordScanOf(infected, 'THREATS_FOUND');
  const message = await send(bob, id, 'Look', { attachments: [{ id: sent }, { id: infected }] });
  const other = await upload(ann, id, 'Of Ann');
  return { bob, id, sent, unsent, infected, empty, message, other };
}

test('An export contains the files that the person uploaded, except infected files', async () => {
  const { bob, id, sent, unsent, infected, empty, message } = await createUploads('bob-export');
  const file = join(folder, 'person.ndjson');
  const files = `${file}.files`;
  await exportPerson(
    {
      ...{ contactId: bob.id, table, stageName: 'local', account: undefined, file, resume: false },
      ...{ groups: [], narrow: false, received: true, readUnits: 1_000_000 },
      copyFiles: createFileCopier(toFileStage(), files),
    },
    { print: () => {}, onProgress: () => {} },
  );
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const records = lines.map((line) => v.parse(ExportRecord, JSON.parse(line)));
  const uploads = records.filter((one) => one.kind === 'upload');
  const facts = { kind: 'upload', conversation_id: id, name: 'note.txt', type: 'text/plain' };
  expect(uploads).toHaveLength(4);
  for (const expected of [
    { id: sent, message_id: message.id, size: 4, status: 'unscanned', file: sent },
    { id: unsent, message_id: null, size: 6, status: 'unscanned', file: unsent },
    { id: infected, message_id: message.id, size: 8, status: 'infected', file: null },
    { id: empty, message_id: null, size: 5, status: 'unscanned', file: null },
  ]) {
    expect(uploads).toContainEqual({ ...facts, ...expected });
  }
  expect(readdirSync(files).sort()).toEqual([sent, unsent].sort());
  expect(readFileSync(join(files, sent), 'utf8')).toBe('Sent');
});

test('An erasure removes the person’s uploads, sent or not, and the purge worker removes their files', async () => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  const { bob, id, other } = await createUploads('bob-erase');
  const { erased, remaining } = await eraseItems(toErasure(bob.id));
  expect([erased.uploads, remaining.uploads]).toEqual([2, undefined]);
  const filter = await getPurgeWorkerFilter();
  jest.spyOn(clock, 'now').mockReturnValue(Date.now() + 120_000);
  for (let rounds = 0; rounds < 2; rounds++) {
    const records = (await readNewRecords()).filter(filter);
    expect(await purgeRecords(records)).toEqual([]);
  }
  const files = await getFiles();
  expect(files.filter((key) => key.includes(id))).toEqual([`files/${id}/${other.slice(26)}`]);
  expect(await findTraces(bob.id)).toEqual([]);
});
