import * as v from 'valibot';
import { toErrorMessage } from '../../../lib/problem.ts';
import { retrieveAttachment } from '../../../shared/contract/operations.ts';
import { AttachmentLink, NewAttachment } from '../../../shared/contract/resources/attachment.ts';
import type { KnownUpload } from '../run/accepted-state.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Person } from '../run/person.ts';
import type { Reply } from '../run/raw-client.ts';
import { storeFile } from '../run/store-file.ts';
import type { Sent } from '../send/compile-request.ts';
import { infectedContent } from '../values/file-contents.ts';
import { sendGet } from './check-effects.ts';
import { parseJson } from './check-reply.ts';

/**
 * If the content of a created attachment is known, uploads and records the content. If the upload
 * fails, returns the error's message.
 */
export async function storeUploads(
  { row, caller }: Sent,
  reply: Reply,
  { model }: Fixture,
): Promise<string | undefined> {
  const created = v.safeParse(NewAttachment, parseJson(reply.body));
  const upload = created.success && model.uploads.get(created.output.id);
  if (!row || !caller || reply.status !== 201 || !upload) return undefined;
  try {
    upload.content = (await storeFile(created.output)) ?? upload.content;
    return undefined;
  } catch (error) {
    return toErrorMessage(error);
  }
}

/** Checks that a downloaded file is stored, is not infected, and is visible to the caller. */
export function findForeignUpload(
  { row, caller, target }: Sent,
  reply: Reply,
  { model }: Fixture,
): string | undefined {
  if (row?.id !== retrieveAttachment.id || !caller || ![200, 302].includes(reply.status)) return;
  const id = decodeURIComponent(target.split('?')[0]?.split('/')[3] ?? '');
  const upload = model.uploads.get(id);
  // The file may have been deleted in the same batch.
  if (!upload || !model.canSeeUpload(upload, caller.id, { deleted: true })) {
    return `The reply returns the file ${id}, to which ${caller.id} has no access.`;
  }
  if (upload.content === undefined)
    return `The reply returns the file ${id}, which was never uploaded.`;
  return upload.content === infectedContent
    ? `The reply returns the infected file ${id}.`
    : undefined;
}

function getExpectedStatus(upload: KnownUpload, person: Person, { model }: Fixture): number {
  if (!model.canSeeUpload(upload, person.id, { deleted: false })) return 404;
  if (upload.content === undefined) return 409;
  return upload.content === infectedContent ? 410 : 200;
}

export async function findUploadDifferences(fixture: Fixture): Promise<string[]> {
  const wrong: string[] = [];
  for (const upload of fixture.model.uploads.values()) {
    for (const person of fixture.people) {
      const path = `/v1/attachments/${upload.id}?redirect=false`;
      const { status, body } = await sendGet(fixture, person, path);
      const expected = getExpectedStatus(upload, person, fixture);
      if (status !== expected) {
        wrong.push(`${person.id} gets ${status} for the file ${upload.id}, not ${expected}`);
      }
      const link = v.safeParse(AttachmentLink, parseJson(body));
      if (!link.success) continue;
      const content = await (await fetch(link.output.url)).text();
      if (content !== upload.content) wrong.push(`the file ${upload.id} now contains ${content}`);
    }
  }
  return wrong;
}
