import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ErrorReply } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { createAttachment, operations } from '../../shared/contract/operations.ts';
import { create, send } from '../support/handlers/api-calls.ts';
import { addMember, makeGroup, removeMember } from '../support/handlers/group-calls.ts';
import { ok, request } from '../support/handlers/invoke-handler.ts';
import { person } from '../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../support/seeds/seed-businesses.ts';
import '../support/setup/use-table.ts';

const business = createBusinessRecord('kiosk');

const inTeam = { groups: ['team'] };

/** Users by relation to ann's group conversation with dora and to bob's message in it. */
const people = {
  creator: person('ann', inTeam),
  sender: person('bob', inTeam),
  member: person('carl', inTeam),
  contact: person('dora'),
  left: person('bob'),
  stranger: person('eve', { groups: ['other', 'ann', 'bob', 'dora'] }),
};
type Role = keyof typeof people;
const roles: readonly Role[] = ['creator', 'sender', 'member', 'contact', 'left', 'stranger'];

interface Target {
  conversation_id: string;
  message_id: string;
  contact_id: string;
  public_id: string;
  attachment_id: string;
  group_id: string;
}
const nonexistent: Target = {
  conversation_id: '0'.repeat(26),
  message_id: '0'.repeat(44),
  contact_id: 'unknown',
  public_id: 'unknown',
  attachment_id: '0'.repeat(52),
  group_id: `grp_${'0'.repeat(26)}`,
};

type Statuses = Record<Role, number>;
interface Attempt {
  body?: (target: Target) => object;
  query?: (target: Target) => Record<string, string>;
  /** Path parameters that replace the target's path parameters. */
  path?: Partial<Target>;
  expected: Statuses;
}

const allRoles = (status: number): Statuses => ({
  creator: status,
  sender: status,
  member: status,
  contact: status,
  left: status,
  stranger: status,
});
const nonParticipants = { left: 404, stranger: 404 };
const participants = (status: number): Statuses => ({ ...allRoles(status), ...nonParticipants });
const only = (role: Role, status: number): Statuses => ({ ...participants(403), [role]: status });
/**
 * Returns the expected statuses in the user group: `creator` is the owner, `member` an admin, and
 * `contact` a member. `sender` has been removed.
 */
const groupMembers = (status: number): Statuses => ({ ...participants(status), sender: 404 });
const groupOwner = (status: number): Statuses => ({ ...groupMembers(403), creator: status });
const groupAdmins = (status: number): Statuses => ({ ...groupOwner(status), member: status });

/** Attempts by operation id. `getDefaultAttempt` covers the other operations. */
const attempts: Partial<Record<string, Record<string, Attempt>>> = {
  'messages/list': {
    'for the conversation': {
      query: ({ conversation_id }) => ({ conversation_id }),
      expected: participants(200),
    },
    'for the conversation, with peek': {
      query: ({ conversation_id }) => ({ conversation_id, peek: 'true' }),
      expected: participants(200),
    },
    'for all the caller’s conversations': { expected: allRoles(200) },
  },
  'messages/send': {
    '': {
      body: ({ conversation_id }) => ({ conversation_id, message: 'Hi' }),
      expected: participants(201),
    },
  },
  'messages/retrieve': {
    '': { expected: participants(200) },
    'with peek': { query: () => ({ peek: 'true' }), expected: participants(200) },
  },
  'messages/update': {
    'with a new text': { body: () => ({ message: 'changed' }), expected: only('sender', 200) },
    'with new attachments': { body: () => ({ attachments: [{}] }), expected: only('sender', 200) },
    'without fields': { body: () => ({}), expected: participants(200) },
    'with another contact’s reaction': {
      body: () => ({ reactions: { ok: ['zoe'] } }),
      expected: participants(403),
    },
  },
  'messages/delete': { '': { expected: only('sender', 200) } },
  'conversations/create': {
    'in the group': {
      body: () => ({ group_id: 'team' }),
      expected: { ...allRoles(403), creator: 201, sender: 201, member: 201 },
    },
    'with any contact': { body: () => ({ contact_id: 'zoe' }), expected: allRoles(201) },
  },
  'conversations/retrieve': {
    '': { expected: participants(200) },
    'with expanded fields': {
      query: () => ({ expand: 'last_message' }),
      expected: participants(200),
    },
  },
  'conversations/update': {
    'with flags': { body: () => ({ is_muted: true }), expected: participants(200) },
    'with a pinned message': {
      body: ({ message_id }) => ({ pinned_message_id: message_id }),
      expected: participants(200),
    },
    'with a last read message': {
      body: ({ message_id }) => ({ last_read_message_id: message_id }),
      expected: participants(200),
    },
    'with a first unread message': {
      body: ({ message_id }) => ({ mark_unread_from: message_id }),
      expected: participants(200),
    },
  },
  'blocks/create': { '': { path: { contact_id: 'zed' }, expected: allRoles(200) } },
  'blocks/delete': { '': { path: { contact_id: 'never-blocked' }, expected: allRoles(404) } },
  'reports/create': {
    'for the message': {
      body: ({ message_id }) => ({ message_id, reason: 'spam' }),
      expected: participants(201),
    },
  },
  'attachments/create': {
    '': {
      body: ({ conversation_id }) => ({
        ...{ conversation_id, name: 'a.png', type: 'image/png', size: 1 },
        sha256: '0'.repeat(43).concat('='),
      }),
      expected: participants(201),
    },
  },
  // Before an attachment is sent, only its uploader has access: see
  // test/functions/attachments/retrieve.test.ts.
  'attachments/retrieve': { 'for another user’s unsent upload': { expected: allRoles(404) } },
  'conversations/delete': { '': { expected: only('creator', 200) } },
  'business/retrieve': { '': { expected: allRoles(200) } },
  'groups/create': {
    'with any contact': {
      body: () => ({ title: 'Lunch club', members: ['zoe'] }),
      expected: allRoles(201),
    },
  },
  'groups/retrieve': { '': { expected: groupMembers(200) } },
  'groups/update': { '': { body: () => ({ title: 'Changed' }), expected: groupAdmins(200) } },
  'groups/delete': { '': { expected: groupOwner(200) } },
  'members/list': { '': { expected: groupMembers(200) } },
  'members/put': {
    'with a new member': {
      body: () => ({}),
      path: { contact_id: 'zoe' },
      expected: groupAdmins(201),
    },
    'with the role admin': { body: () => ({ role: 'admin' }), expected: groupAdmins(200) },
    'with the role owner': { body: () => ({ role: 'owner' }), expected: groupOwner(200) },
  },
  'members/remove': {
    'by an admin or the member': { expected: { ...groupAdmins(200), contact: 200 } },
  },
};

const getDefaultAttempt = ({ path, status }: Operation): Record<string, Attempt> => ({
  '': { expected: path.includes('{') ? participants(status) : allRoles(status) },
});

const rows: readonly Operation[] = operations;
const cells = rows.flatMap((row) =>
  Object.entries(attempts[row.id] ?? getDefaultAttempt(row)).map(([name, attempt]) => ({
    row,
    name,
    attempt,
    title: `${row.id} ${name}`,
  })),
);

const callOf = (row: Operation, { body, query, path }: Attempt, role: Role, target: Target) => ({
  as: people[role],
  path: Object.fromEntries(
    Object.entries({ ...target, ...path }).filter(([name]) => row.path.includes(`{${name}}`)),
  ),
  ...(body && { body: body(target) }),
  ...(query && { query: query(target) }),
});

async function createTarget(path: string): Promise<Target> {
  const { id } = await create(people.creator, { group_id: 'team', contact_id: 'dora' });
  const message = await send(people.sender, id, 'Hello');
  return {
    conversation_id: id,
    message_id: message.id,
    contact_id: 'dora',
    public_id: business.public_id,
    attachment_id: path.includes('{attachment_id}')
      ? (await createUnsent(id)).id
      : nonexistent.attachment_id,
    // Creates a group only if the path needs it, because a person can be in at most 300 groups.
    group_id: path.includes('{group_id}') ? await createUserGroup() : nonexistent.group_id,
  };
}

async function createUserGroup(): Promise<string> {
  const { creator, sender, member, contact } = people;
  const { id } = await makeGroup(creator, [sender, member, contact]);
  await addMember(creator, id, member, 'admin');
  await removeMember(creator, id, sender);
  return id;
}

const createUnsent = (conversation_id: string) =>
  ok(createAttachment, {
    as: person('uploader', inTeam),
    body: {
      ...{ conversation_id, name: 'a.png', type: 'image/png', size: 1 },
      sha256: '0'.repeat(43).concat('='),
    },
  });

/** Target of reads and refused requests, which leave it unchanged. */
let unchanged: Target;
beforeAll(async () => {
  await seedBusinesses(business);
  unchanged = await createTarget('{group_id}{attachment_id}');
});

describe('Access control', () => {
  test.each(cells)('lets only permitted roles call $title', async ({ row, attempt }) => {
    const statuses: Partial<Statuses> = {};
    for (const role of roles) {
      const changes = row.method !== 'GET' && attempt.expected[role] < 400;
      const target = changes ? await createTarget(row.path) : unchanged;
      statuses[role] = (await request(row, callOf(row, attempt, role, target))).status;
    }
    expect(statuses).toEqual(attempt.expected);
  });

  test('lets either participant delete a direct conversation', async () => {
    const deletion = rows.find(({ id }) => id === 'conversations/delete');
    if (!deletion) throw new Error('The operation conversations/delete does not exist.');
    for (const as of [people.creator, people.contact]) {
      const { id } = await create(people.creator, { contact_id: 'dora' });
      const path = { conversation_id: id };
      expect((await request(deletion, { as: people.member, path })).status).toBe(404);
      expect((await request(deletion, { as, path })).status).toBe(200);
      expect((await request(deletion, { as, path })).status).toBe(404);
    }
  });

  test.each(cells.filter(({ attempt }) => attempt.expected.stranger === 404))(
    'returns the same error for an inaccessible resource as for a nonexistent resource: $title',
    async ({ row, attempt }) => {
      for (const role of ['stranger', 'left'] as const) {
        const [real, imagined] = await Promise.all(
          [unchanged, nonexistent].map((one) => request(row, callOf(row, attempt, role, one))),
        );
        const toComparable = ({ body }: { body: unknown } = { body: undefined }) => ({
          ...v.parse(ErrorReply, body),
          request_id: 'differs',
        });
        expect(toComparable(real)).toEqual(toComparable(imagined));
      }
    },
  );

  test.each(cells)(
    'returns 401 for an expired token, even if the resource does not exist: $title',
    async ({ row, attempt }) => {
      const call = callOf(row, attempt, 'creator', nonexistent);
      expect(await request(row, { ...call, expiresAt: 1 })).toMatchObject({
        status: 401,
        headers: { 'WWW-Authenticate': 'Bearer' },
        body: { code: 'token_expired' },
      });
    },
  );
});
