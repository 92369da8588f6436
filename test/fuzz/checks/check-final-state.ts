import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { getLinkUrl } from '../../response-invariants/page-rules.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Person } from '../run/person.ts';
import { findReplyDifference, sendGet } from './check-effects.ts';
import { getHeader, parseJson } from './check-reply.ts';
import { findUploadDifferences } from './check-uploads.ts';

const Page = v.object({
  has_more: v.boolean(),
  data: v.array(v.looseObject({ id: v.string() })),
});

/** Checks with a conditional GET that the n-th confidential resource is unchanged. */
export async function findConfidentialChange(
  { confidential, ...fixture }: Fixture,
  n: number,
): Promise<string | undefined> {
  const all = [...confidential.snapshots];
  const [path, { etag }] = all[n % all.length] ?? ['', { etag: '' }];
  const { status } = await sendGet({ confidential, ...fixture }, confidential.owner, path, {
    'If-None-Match': etag,
  });
  return status === 304 ? undefined : `The confidential ${path} has changed.`;
}

export async function findAllConfidentialChanges(fixture: Fixture): Promise<string[]> {
  const changes: string[] = [];
  for (const [path, { body }] of fixture.confidential.snapshots) {
    const now = parseJson((await sendGet(fixture, fixture.confidential.owner, path)).body);
    if (!isDeepStrictEqual(now, body)) changes.push(`${path} is now ${JSON.stringify(now)}`);
  }
  for (const id of fixture.confidential.uploads) {
    const { status } = await sendGet(fixture, fixture.confidential.owner, `/v1/attachments/${id}`);
    if (status !== 302) changes.push(`the file ${id} returns ${status}`);
  }
  for (const id of fixture.confidential.conversations) {
    const listed = await idsOf(
      fixture,
      fixture.confidential.owner,
      `/v1/messages?conversation_id=${id}`,
    );
    const confidential = fixture.confidential.messages
      .filter((one) => one.startsWith(id))
      .reverse();
    if (!isDeepStrictEqual(listed, confidential)) changes.push(`${id} has the messages ${listed}`);
  }
  return changes;
}

export async function findModelDifferences(fixture: Fixture): Promise<string[]> {
  const { model, people } = fixture;
  const wrong: string[] = [];
  for (const person of people) {
    const expected = [...model.conversations.values()].filter(({ id }) =>
      model.visible(id, person.id),
    );
    const listed = await idsOf(fixture, person, '/v1/conversations?');
    const ids = expected.map(({ id }) => id);
    if (!isDeepStrictEqual(listed.toSorted(), ids.toSorted())) {
      wrong.push(
        `${person.id} does not have exactly the accepted conversations: ${differenceOf(listed, ids)}`,
      );
    }
  }
  for (const person of people) {
    for (const id of [...people.map((one) => one.id), ...unknownIds]) {
      const { status } = await sendGet(fixture, person, `/v1/contacts/${id}`);
      const expected = { certainly: [200], no: [404], perhaps: [200, 404] }[
        model.getContactAccess(person.id, id, { deleted: false })
      ];
      if (!expected.includes(status))
        wrong.push(`${person.id} gets ${status} for the contact ${id}`);
    }
  }
  for (const { id, deleted } of model.conversations.values()) {
    const person = people.find((one) => model.visible(id, one.id)) ?? people[0];
    if (!person) continue;
    if (deleted) {
      const { status } = await sendGet(fixture, person, `/v1/conversations/${id}`);
      if (status !== 404) wrong.push(`${id} was deleted, but returns ${status}`);
      continue;
    }
    if (!model.visible(id, person.id)) continue;
    const listed = await idsOf(fixture, person, `/v1/messages?conversation_id=${id}`, (message) => {
      const reply = { status: 200, headers: [], body: JSON.stringify(message) };
      const difference = findReplyDifference(reply, person, fixture);
      if (difference) wrong.push(difference);
    });
    const expected = [...model.messages.values()].filter(
      (one) => one.conversation_id === id && !one.deleted,
    );
    const ids = expected.map((one) => one.id);
    if (!isDeepStrictEqual(listed.toSorted(), ids.toSorted())) {
      wrong.push(`${id} does not have exactly the accepted messages: ${differenceOf(listed, ids)}`);
    }
  }
  return [...wrong, ...(await findUploadDifferences(fixture))];
}

/** Ids of people without tokens. */
const unknownIds = ['zoe', 'constructor', 'unknown'];

const differenceOf = (listed: string[], expected: string[]) =>
  JSON.stringify({
    tooMany: listed.filter((id) => !expected.includes(id)),
    missing: expected.filter((id) => !listed.includes(id)),
  });

async function idsOf(
  fixture: Fixture,
  person: Person,
  list: string,
  visit: (resource: object) => void = () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | undefined = `${list}&limit=100`; path !== undefined; ) {
    const reply = await sendGet(fixture, person, path);
    const page = v.parse(Page, parseJson(reply.body));
    for (const resource of page.data) {
      ids.push(resource.id);
      visit(resource);
    }
    const next = getLinkUrl(getHeader(reply, 'Link'), 'next');
    path = next && next.pathname + next.search;
  }
  return ids;
}
