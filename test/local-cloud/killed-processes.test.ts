import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect } from '@jest/globals';
import * as v from 'valibot';
import { openLocalIssuer } from '../../local-cloud/issuer.ts';
import { Conversation } from '../../shared/contract/resources/conversation.ts';
import { Event } from '../../shared/contract/resources/event.ts';
import { Message } from '../../shared/contract/resources/message.ts';
import { env } from '../../shared/env.ts';
import { createRandom, type Random } from '../soak/client/seeded-random.ts';
import { type KillableCloud, startKillableCloud } from '../soak/cloud/killable-cloud.ts';
import { createFeedState, findDifferences, toComparable } from '../support/processes/feed-state.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';

/** Number of changes per run. For a long run, set `KILLED_CHANGES=10000 KILLED_PEOPLE=20`. */
const changes = Number(process.env.KILLED_CHANGES ?? 150);
const personCount = Number(process.env.KILLED_PEOPLE ?? 4);
const seed = Number(process.env.KILLED_SEED ?? 1);
/**
 * Milliseconds from which the pauses before and after each kill are derived. Long runs need pauses,
 * because the local cloud exits if Java crashes three times within a minute.
 */
const betweenKills = changes > 1000 ? 21_000 : 0;

const dataDirectory = mkdtempSync(join(tmpdir(), 'messaging-killed-'));
// Reuses the assembly that the test run synthesized.
symlinkSync(join(env('TEST_ASSEMBLY'), '..'), join(dataDirectory, 'synthesis'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const Page = v.object({ has_more: v.boolean(), data: v.array(v.unknown()) });
const Created = v.object({ id: v.string() });

interface Person {
  id: string;
  groups: readonly string[];
  token: string;
}

let cloud: KillableCloud;

async function listAll(person: Person, path: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let query = `${path.includes('?') ? path : `${path}?`}&limit=100`; ; ) {
    const reply = await cloud.sendRequest(person, 'GET', query);
    if (reply?.status !== 200) throw new Error(`${query}: ${JSON.stringify(reply)}`);
    const page = v.parse(Page, reply.body);
    found.push(...page.data);
    if (!page.has_more || !reply.next) return found;
    query = `${path.split('?')[0]}?${reply.next}`;
  }
}

const people: Person[] = [];
const shared = {
  conversations: [] as { id: string; participants: Person[] }[],
  messages: [] as { id: string; by: Person; conversation: string; participants: Person[] }[],
};
let changed = 0;

async function change(random: Random): Promise<void> {
  const one = <Item>(list: readonly Item[]): Item => {
    const found = random.one(list);
    if (found === undefined) throw new Error('The list is empty.');
    return found;
  };
  const dice = random.integer(1, 100);
  const conversation = random.one(shared.conversations.slice(-30));
  if (dice <= 5 || !conversation) {
    const by = one(people);
    const other = one(people);
    const group = random.one(by.groups);
    const isGroup = random.chance(0.4) && group !== undefined;
    const body = isGroup ? { group_id: group } : { contact_id: other.id };
    const created = await cloud.sendRequest(by, 'POST', 'conversations', body);
    if (created?.status !== 201) return;
    const participants = isGroup
      ? people.filter(({ groups }) => groups.includes(group))
      : [by, other];
    shared.conversations.push({ id: v.parse(Created, created.body).id, participants });
    changed += 1;
    return;
  }
  const { id, participants } = conversation;
  const message = random.one(shared.messages.slice(-100));
  const count = (reply: Awaited<ReturnType<KillableCloud['sendRequest']>>) => {
    if (reply?.status === 200) changed += 1;
  };
  if (dice <= 55 || !message) {
    const by = one(participants);
    const body = { conversation_id: id, message: `${changed} ${random.fraction()}` };
    const sent = await cloud.sendRequest(by, 'POST', 'messages', body);
    if (sent?.status !== 201) return;
    changed += 1;
    shared.messages.push({
      id: v.parse(Created, sent.body).id,
      by,
      conversation: id,
      participants,
    });
  } else if (dice <= 65) {
    const body = { message: `edited ${changed}` };
    count(await cloud.sendRequest(message.by, 'PUT', `messages/${message.id}`, body));
  } else if (dice <= 77) {
    const by = one(message.participants);
    const body = { reactions: { ok: random.chance(0.7) ? [by.id] : [] } };
    count(await cloud.sendRequest(by, 'PUT', `messages/${message.id}`, body));
  } else if (dice <= 84) {
    count(await cloud.sendRequest(message.by, 'DELETE', `messages/${message.id}`));
  } else if (dice <= 91) {
    await cloud.sendRequest(one(participants), 'GET', `messages?conversation_id=${id}&limit=20`);
  } else if (dice <= 96) {
    const body = { is_muted: random.chance(0.5), archived_at: random.chance(0.5) ? 5 : null };
    count(await cloud.sendRequest(one(participants), 'PUT', `conversations/${id}`, body));
  } else if (dice <= 98) {
    const pinned_message_id = random.chance(0.7) ? message.id : null;
    count(
      await cloud.sendRequest(
        one(message.participants),
        'PUT',
        `conversations/${message.conversation}`,
        {
          pinned_message_id,
        },
      ),
    );
  } else if (random.chance(0.5)) {
    count(await cloud.sendRequest(one(participants), 'DELETE', `conversations/${id}`));
  }
}

/** Returns a reader that builds its state only from the feed and resumes at its last cursor. */
function readerOf(person: Person) {
  const state = createFeedState();
  const problems: string[] = [];
  let next = '';
  let reading: Promise<boolean> = Promise.resolve(true);
  const readOn = async (): Promise<boolean> => {
    for (;;) {
      const reply = await cloud.sendRequest(person, 'GET', `events?limit=100${next}`);
      if (reply?.status === 410) problems.push(`${person.id}: the cursor has expired`);
      if (reply?.status !== 200) return false;
      const page = v.parse(Page, reply.body);
      for (const event of page.data) state.apply(v.parse(Event, event));
      const cursor = new URLSearchParams(reply.next).get('starting_after');
      next = `&starting_after=${cursor}`;
      if (!page.has_more) return true;
    }
  };
  /** Waits for earlier calls, then reads the rest of the feed. Returns false if a read fails. */
  const read = () => {
    reading = reading.then(readOn);
    return reading;
  };
  return { person, state, problems, read };
}

async function shownTo(person: Person) {
  const conversations = v.parse(v.array(Conversation), await listAll(person, 'conversations'));
  const messages = await Promise.all(
    conversations.map(({ id }) => listAll(person, `messages?conversation_id=${id}&peek=true`)),
  );
  return {
    conversations: toComparable(conversations),
    messages: toComparable(v.parse(v.array(Message), messages.flat())),
  };
}

thoroughTest(
  'after crashes, the state that each user builds from the feed equals the listed conversations and messages',
  async () => {
    const startedAt = Date.now();
    const seconds = () => Math.round((Date.now() - startedAt) / 1000);
    cloud = await startKillableCloud(dataDirectory);
    try {
      const issuer = await openLocalIssuer(dataDirectory);
      for (let n = 0; n < personCount; n++) {
        const groups = ['team', 'club', 'crew'].filter((_, m) => n % (m + 2) === 0);
        const id = `person-${n}`;
        people.push({ id, groups, token: await issuer.token(id, { groups }) });
      }
      const readers = people.map(readerOf);
      const random = createRandom(seed, 'kills');
      let working = true;
      const writing = Array.from({ length: Math.min(personCount, 8) }, async (_, n) => {
        const own = createRandom(seed, `writer ${n}`);
        while (changed < changes) await change(own);
      });
      const reading = readers.map(async ({ read }, n) => {
        const own = createRandom(seed, `reader ${n}`);
        while (working) {
          await sleep(own.integer(0, 1500));
          await read();
        }
      });
      const killed = new Map<string, number>();
      const killing = (async () => {
        const names = Object.keys(cloud.kills) as (keyof KillableCloud['kills'])[];
        const steps = Math.max(3, Math.floor(changes / 500));
        for (let n = 1; n <= steps; n++) {
          const at = (changes * n) / (steps + 1);
          while (changed < at) await sleep(20);
          await sleep(betweenKills > 0 ? random.integer(0, betweenKills / 20) : 0);
          const name = steps === 3 ? names[n - 1] : random.one(names);
          if (!name) continue;
          killed.set(name, (killed.get(name) ?? 0) + 1);
          await cloud.kills[name]();
          await sleep(betweenKills / 7);
        }
      })();
      await Promise.all([...writing, killing]);
      const written = seconds();
      working = false;
      await Promise.all(reading);

      // The live worker may still publish pending events, so the test repeats the comparison.
      const differences = async () => {
        const found: string[] = [];
        for (const { person, state, read } of readers) {
          if (!(await read())) found.push(`${person.id} cannot read the feed`);
          const shown = await shownTo(person);
          const known = {
            conversations: toComparable(state.conversations().values()),
            messages: toComparable(state.messages().values()),
          };
          for (const kind of ['conversations', 'messages'] as const) {
            const wrong = findDifferences(shown[kind], known[kind]);
            found.push(...wrong.map((one) => `${person.id}: ${one}`));
          }
        }
        return found;
      };
      const limit = Date.now() + 300_000;
      let left = await differences().catch((error) => [String(error)]);
      while (left.length > 0 && Date.now() < limit) {
        await sleep(1000);
        left = await differences().catch((error) => [String(error)]);
      }
      process.stderr.write(
        `${JSON.stringify({ changes: changed, killed: Object.fromEntries(killed), written, equal: seconds() })}\n`,
      );
      expect(left.slice(0, 5)).toEqual([]);
      expect(readers.flatMap(({ problems }) => problems)).toEqual([]);
      expect(
        Object.keys(cloud.kills).filter((name) => !killed.has(name) && changes < 1000),
      ).toEqual([]);
    } finally {
      await cloud.stop();
    }
  },
  3_600_000,
);
