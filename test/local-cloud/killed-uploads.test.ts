import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect } from '@jest/globals';
import * as v from 'valibot';
import { openLocalIssuer } from '../../local-cloud/issuer.ts';
import { AttachmentLink, NewAttachment } from '../../shared/contract/resources/attachment.ts';
import { Message } from '../../shared/contract/resources/message.ts';
import { env } from '../../shared/env.ts';
import { createRandom, type Random } from '../soak/client/seeded-random.ts';
import {
  type ApiReply,
  type KillableCloud,
  startKillableCloud,
} from '../soak/cloud/killable-cloud.ts';
import { awaitEqualFiles } from '../soak/final-checks/check-files.ts';
import { expireUploads } from '../soak/final-checks/expire-uploads.ts';
import { terminalEnvironment } from '../support/processes/run-command.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';

/** Number of messages per run. For a longer run, set `KILLED_MESSAGES=500`. */
const messageCount = Number(process.env.KILLED_MESSAGES ?? 60);
const seed = Number(process.env.KILLED_SEED ?? 1);

const dataDirectory = mkdtempSync(join(tmpdir(), 'messaging-killed-'));
// Reuses the assembly that the test run synthesized.
symlinkSync(join(env('TEST_ASSEMBLY'), '..'), join(dataDirectory, 'synthesis'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

interface Person {
  id: string;
  token: string;
}

interface Sent {
  id: string;
  by: Person;
  conversation: string;
  /** File contents by attachment id. */
  files: Map<string, string>;
}

const Created = v.object({ id: v.string() });
const erasedPerson = 'zoe';
const personIds = ['ann', 'bob', 'carl', erasedPerson];

let cloud: KillableCloud;
const conversations: string[] = [];
const sent: Sent[] = [];
/** Messages and conversations that a request may have deleted. */
const deleted = new Set<string>();
let texts = 0;

/** Maximum milliseconds that a restart takes on a busy machine. */
const maxRestartMilliseconds = 5 * 60_000;

/** Repeats a request until its outcome is known. Throws after `maxRestartMilliseconds`. */
async function untilKnown(send: () => Promise<ApiReply | undefined>): Promise<ApiReply> {
  const deadline = Date.now() + maxRestartMilliseconds;
  for (;;) {
    const reply = await send();
    const isOpen = !reply || reply.status >= 500 || isInProgress(reply);
    if (!isOpen) return reply;
    if (Date.now() > deadline) throw new Error(`No final reply: ${JSON.stringify(reply)}`);
    await sleep(200);
  }
}

const isInProgress = ({ body }: ApiReply) =>
  v.is(v.object({ code: v.literal('request_in_progress') }), body);

const post = (caller: Person, path: string, body: object) => {
  const headers = { 'Idempotency-Key': randomUUID() };
  return untilKnown(() => cloud.sendRequest(caller, 'POST', path, body, headers));
};

/** Uploads a file. A restart changes the port in signed URLs, so each retry gets a new URL. */
async function upload(caller: Person, conversation_id: string, text: string) {
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = {
    ...{ conversation_id, name: 'note.txt', type: 'text/plain', size: Buffer.byteLength(text) },
    sha256: createHash('sha256').update(text).digest('base64'),
  };
  for (;;) {
    const created = await untilKnown(() =>
      cloud.sendRequest(caller, 'POST', 'attachments', body, headers),
    );
    if (created.status !== 201) return undefined;
    const { id, upload: target } = v.parse(NewAttachment, created.body);
    const stored = await fetch(target.url, { ...target, body: text }).catch(() => undefined);
    if (stored && [200, 412].includes(stored.status)) return id;
    await sleep(200);
  }
}

async function share(caller: Person, conversation: string, random: Random): Promise<void> {
  const files = new Map<string, string>();
  for (let left = random.integer(1, 3); left > 0; left--) {
    texts += 1;
    const text = `File ${texts}`;
    const id = await upload(caller, conversation, text);
    if (id) files.set(id, text);
  }
  if (files.size === 0 || random.chance(0.2)) return;
  const attachments = [...files.keys()].map((id) => ({ id }));
  const body = { conversation_id: conversation, message: '', attachments };
  const reply = await post(caller, 'messages', body);
  if (reply.status !== 201) return;
  sent.push({ id: v.parse(Created, reply.body).id, by: caller, conversation, files });
}

async function act(people: readonly Person[], random: Random): Promise<void> {
  const one = <Item>(list: readonly Item[]): Item => {
    const found = random.one(list);
    if (found === undefined) throw new Error('The list is empty.');
    return found;
  };
  const caller = one(people);
  const recent = conversations.slice(-8);
  if (recent.length < 4 || random.chance(0.1)) {
    const reply = await post(caller, 'conversations', { contact_id: one(people).id });
    if (reply.status === 201) conversations.push(v.parse(Created, reply.body).id);
    return;
  }
  const message = random.one(sent.slice(-20));
  const dice = random.integer(1, 100);
  if (dice <= 60 || !message) return share(caller, one(recent), random);
  if (dice <= 75) {
    await cloud.sendRequest(message.by, 'PUT', `messages/${message.id}`, {
      message: `Edited ${dice}`,
    });
  } else if (dice <= 93) {
    deleted.add(message.id);
    await cloud.sendRequest(message.by, 'DELETE', `messages/${message.id}`);
  } else {
    const conversation = one(recent);
    deleted.add(conversation);
    await cloud.sendRequest(caller, 'DELETE', `conversations/${conversation}`);
  }
}

/** Repeats the erase-person command until it succeeds. Throws after 20 attempts. */
async function erase(id: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const child = spawn(
      process.execPath,
      ['bin/erase-person.ts', '--contact', id, '--yes', '--data', dataDirectory],
      { env: terminalEnvironment(), stdio: 'ignore' },
    );
    const [code] = await once(child, 'exit');
    if (code === 0) return;
    await sleep(1000);
  }
  throw new Error(`${id} could not be erased.`);
}

/**
 * Kills the processes in turn, each after the same number of sent messages. Then waits until the
 * person is erased.
 */
async function killParts(isErased: () => boolean): Promise<void> {
  const kills = Object.values(cloud.kills);
  const steps = Math.max(kills.length, Math.floor(messageCount / 20));
  for (let n = 0; n < steps; n++) {
    while (sent.length < (messageCount * (n + 1)) / (steps + 1)) await sleep(20);
    await kills[n % kills.length]?.();
    // If Java crashes three times within a minute, the local cloud exits.
    if (n >= kills.length) await sleep(7000);
  }
  while (!isErased()) await sleep(500);
}

async function findDamagedMessages(): Promise<string[]> {
  const damaged: string[] = [];
  for (const { id, by, conversation, files } of sent) {
    if (by.id === erasedPerson || deleted.has(id) || deleted.has(conversation)) continue;
    const reply = await untilKnown(() => cloud.sendRequest(by, 'GET', `messages/${id}`));
    const { attachments } = v.is(Message, reply.body) ? reply.body : { attachments: [] };
    const shown = attachments.flatMap((one) => (v.is(Created, one) ? one.id : []));
    if (String(shown) !== String([...files.keys()])) damaged.push(`${id} has the files ${shown}`);
    for (const [file, text] of files) {
      const path = `attachments/${file}?redirect=false`;
      const { body } = await untilKnown(() => cloud.sendRequest(by, 'GET', path));
      const link = v.is(AttachmentLink, body) ? await fetch(body.url) : undefined;
      if ((await link?.text()) !== text) damaged.push(`${file} of ${id}: ${JSON.stringify(body)}`);
    }
  }
  return damaged;
}

thoroughTest(
  'after crashes, exactly the files of existing messages are stored',
  async () => {
    cloud = await startKillableCloud(dataDirectory);
    try {
      const issuer = await openLocalIssuer(dataDirectory);
      const people: Person[] = [];
      for (const id of personIds) people.push({ id, token: await issuer.token(id) });
      const writing = people.map(async (_, n) => {
        const random = createRandom(seed, `writer ${n}`);
        while (sent.length < messageCount) await act(people, random);
      });
      let isErased = false;
      const erasing = (async () => {
        while (sent.length < messageCount / 2) await sleep(100);
        await erase(erasedPerson);
        isErased = true;
      })();
      await Promise.all([...writing, erasing, killParts(() => isErased)]);
      // Removes data that the person stored before the API refused the person's tokens.
      await erase(erasedPerson);
      await expireUploads(cloud.getCloud());
      const files = await awaitEqualFiles(cloud.getCloud(), dataDirectory, 6 * 60_000);
      process.stderr.write(`${JSON.stringify({ sent: sent.length, ...files })}\n`);
      expect(files.differences).toEqual([]);
      expect(files.objects).toBe(files.items);
      expect(files.objects).toBeGreaterThan(0);
      expect(await findDamagedMessages()).toEqual([]);
    } finally {
      await cloud.stop();
    }
  },
  1_800_000,
);
