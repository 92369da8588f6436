import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { ErrorReply } from '../../../shared/contract/errors.ts';
import { getFieldNames } from '../../response-invariants/schema-fields.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Reply } from '../run/raw-client.ts';
import type { Sent } from '../send/compile-request.ts';
import { infectedContent } from '../values/file-contents.ts';
import { parseJson } from './check-reply.ts';
import { getUploadId } from './record-upload.ts';

/** Parameters that no schema can validate, because their validity depends on resources. */
const resourceDependent = [
  'pinned_message_id',
  'last_read_message_id',
  'mark_unread_from',
  'reply_to_id',
  'starting_after',
  'ending_before',
  'reactions',
  'limit',
];

/**
 * Checks three rules: the API rejects a known body if and only if the schema does, the error names
 * the invalid parameter, and the reply contains accepted values unchanged.
 */
export function findUnexpectedReply(
  sent: Sent,
  reply: Reply,
  fixture: Fixture,
): string | undefined {
  const { row, caller, fields, form, template } = sent;
  if (
    !row ||
    row !== template.row ||
    !caller ||
    template.headers.some(([name]) => name.startsWith('X'))
  )
    return undefined;
  const error = v.safeParse(ErrorReply, parseJson(reply.body));
  if (row.body && fields !== undefined) {
    const { success, issues: [issue] = [] } = v.safeParse(row.body, fields);
    if (!success && reply.status < 400) return 'The API accepted a body that the contract rejects.';
    const root = issue?.path?.[0]?.key;
    const isCertain =
      template.intent === 'nearly' && sent.target !== `${row.path.replace(/\{.*/, '')}`;
    if (!success && isCertain && error.success && root !== undefined) {
      const { param, code } = error.output;
      // The API checks the limit on the total number of fields before it validates each field.
      const isCounted = code === 'body_malformed' && sent.body.length > 2000;
      if (reply.status !== 400 || (!isCounted && param?.split(/[.[]/)[0] !== root)) {
        return `The parameter ${root} is invalid, but the reply does not name it.`;
      }
    }
  }
  // forms.property.test.ts covers nested values in forms.
  const isClear = form === undefined || entriesOf(form).every(([, value]) => !isNested(value));
  if (template.intent === 'valid' && isClear && error.success && reply.status === 400) {
    const { param } = error.output;
    const isEmptied =
      row.id === 'messages/update' && ['message', 'attachments'].includes(param ?? '');
    const isAboutUploads =
      param === 'attachments' && getAttachments(fields ?? form).some((one) => getUploadId(one));
    // Only images have thumbnails.
    const isAboutType = row.id === 'attachments/retrieve' && param === 'size';
    const isExcused =
      isEmptied || isAboutUploads || isAboutType || resourceDependent.includes(param ?? '');
    if (!isExcused) return 'The API rejected a valid request.';
  }
  if (reply.status !== row.status) return undefined;
  return findChangedInput(sent, reply, fixture) ?? findMissingReaction(sent, reply);
}

function findChangedInput(
  { row, fields, form, template }: Sent,
  reply: Reply,
  fixture: Fixture,
): string | undefined {
  const input = new Map(entriesOf(fields ?? (template.intent === 'valid' ? form : undefined)));
  for (const [name, value] of entriesOf(parseJson(reply.body))) {
    if (!getFieldNames(row?.body).includes(name) || !input.has(name) || name === 'reactions')
      continue;
    // If `business_id` is set, the API sets the contact to the caller and the group to the
    // business's group.
    if (input.get('business_id') && input.get(name) === null) continue;
    // A form does not preserve the types of unknown fields.
    if (fields === undefined && typeof value !== 'string') continue;
    const expected =
      name === 'attachments' ? toShownAttachments(input.get(name), fixture) : input.get(name);
    if (!isDeepStrictEqual(value, expected)) {
      return `The reply has a different ${name}: ${JSON.stringify(value)?.slice(0, 200)}`;
    }
  }
  return undefined;
}

const getAttachments = (fields: unknown): unknown[] => {
  const { attachments } = Object(fields);
  return Array.isArray(attachments) ? attachments : [];
};

const toShownAttachments = (attachments: unknown, { model }: Fixture): unknown[] =>
  getAttachments({ attachments }).map((one) => {
    const upload = model.uploads.get(getUploadId(one) ?? '');
    if (!upload) return one;
    return { ...upload.shown, status: upload.content === infectedContent ? 'infected' : 'clean' };
  });

function findMissingReaction({ caller, fields }: Sent, reply: Reply): string | undefined {
  const { reactions } = Object(fields);
  const shown = Object(parseJson(reply.body)).reactions;
  if (!reactions || !Array.isArray(shown)) return undefined;
  const reactorsOf = new Map(shown.flatMap(entriesOf));
  const requested = [reactions].flat().flatMap(entriesOf);
  const missing = requested.find(
    ([name, reactors]) =>
      includes(reactors, caller?.id) &&
      !includes(reactorsOf.get(name.normalize('NFC')), caller?.id),
  );
  return missing && `The reply lacks the reaction ${missing[0]}.`;
}

const includes = (list: unknown, item: unknown) => Array.isArray(list) && list.includes(item);

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const isNested = (value: unknown) => typeof value === 'object' && value !== null;
