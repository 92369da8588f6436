import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import * as v from 'valibot';
import { createClient } from '../../client/src/index.ts';
import { addCopy, addMobilePush, addQueue } from '../../examples/events/consumers.ts';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { Template } from '../../lib/synthesis/template.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { env } from '../../shared/env.ts';
import { raiseTimeouts } from '../support/processes/raise-timeouts.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const sent: { token: string; data: Record<string, string>; authorization: unknown }[] = [];
/** Simulates Google's token endpoint, FCM, and the app's list of devices. */
const outside = createServer(async (request, response) => {
  const body = await text(request);
  const path = request.url ?? '';
  if (path === '/token') response.end('{"access_token":"granted"}');
  else if (path.startsWith('/devices/')) {
    const owner = path.split('/').at(-1);
    if (owner === 'unknown') {
      response.writeHead(404).end('{"error":"unknown"}');
      return;
    }
    // Dan is a member of the group `team:1`.
    const members = owner === 'team%3A1' ? ['dan', 'eve'] : [owner];
    response.end(JSON.stringify(members.map((one) => `device of ${one}`)));
  } else {
    const { authorization } = request.headers;
    sent.push({ ...JSON.parse(body).message, authorization });
    response.end('{}');
  }
});

let folder: string;
let cloud: Cloud;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-consumers-'));
  outside.listen(0, '127.0.0.1');
  await once(outside, 'listening');
  const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const assembly = raiseTimeouts(await readAssembly(env('TEST_ASSEMBLY')));
  await cp(assembly.directory, folder, { recursive: true });
  const added = await synthesizeConsumers(folder, assembly.template, url);
  cloud = await startTestCloud({
    assembly: {
      ...assembly,
      directory: folder,
      template: { ...assembly.template, Resources: { ...assembly.template.Resources, ...added } },
    },
  });
});
afterAll(async () => {
  await cloud.stop();
  outside.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Synthesizes the consumers. Returns the consumers' resources, which the tests add to the service's
 * stack, because the local cloud runs only one stack.
 */
async function synthesizeConsumers(outdir: string, service: Template, url: string) {
  const app = new App({ outdir: join(outdir, 'consumers') });
  const stack = new Stack(app, 'Consumers');
  const [busId = ''] =
    Object.entries(service.Resources).find(([, { Type }]) => Type === 'AWS::Events::EventBus') ??
    [];
  const name = String(service.Resources[busId]?.Properties.Name);
  const bus = EventBus.fromEventBusName(stack, 'Bus', name);
  addQueue(stack, bus);
  addCopy(stack, bus);
  const handler = addMobilePush(stack, bus);
  const account = {
    client_email: 'push@example.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    project_id: 'chat',
    token_uri: `${url}/token`,
  };
  handler.addEnvironment('SERVICE_ACCOUNT', JSON.stringify(account));
  handler.addEnvironment('DEVICES_URL', `${url}/devices`);
  handler.addEnvironment('FCM_URL', url);
  const { directory } = app.synth();
  await cp(directory, outdir, { recursive: true });
  const file = join(directory, 'Consumers.template.json');
  return v.parse(Template, JSON.parse(await readFile(file, 'utf8'))).Resources;
}

const clientOf = async (contactId: string, groups?: string[]) => {
  const token = await cloud.token(contactId, groups && { groups });
  return createClient({ url: cloud.url, token: () => token, retries: 20, totalTimeout: 180_000 });
};

const Stored = v.object({ 'detail-type': v.string(), detail: v.object({ id: v.string() }) });
const idsOf = (events: readonly unknown[]) =>
  events.map((event) => v.parse(Stored, event).detail.id);

const inQueue = () => [...cloud.queues].find(([id]) => id.startsWith('Events'))?.[1] ?? [];

test('A queue and a bucket receive each event without the message text', async () => {
  const ann = await clientOf('ann');
  const { id } = await ann.conversations.create({ contact_id: 'bob' });
  const { id: message } = await ann.messages.send({ conversation_id: id, message: 'Secret words' });
  const wanted = [`${id}-1`, `${message}-1`];
  await waitUntil(() => wanted.every((one) => idsOf(inQueue()).includes(one)));
  const [[, records = []] = []] = cloud.buckets;
  const lines = records.join('').trimEnd().split('\n');
  expect(idsOf(lines.map((line) => JSON.parse(line)))).toEqual(expect.arrayContaining(wanted));
  expect(JSON.stringify([inQueue(), records])).not.toContain('Secret words');
});

test("A new message reaches the recipients' devices, but not the sender's", async () => {
  const ann = await clientOf('ann');
  const { id } = await ann.conversations.create({ contact_id: 'cleo' });
  const { id: message } = await ann.messages.send({ conversation_id: id, message: 'Secret words' });
  await waitUntil(() => sent.some(({ data }) => data.message_id === message));
  const pushes = sent.filter(({ data }) => data.message_id === message);
  expect(pushes).toEqual([
    {
      token: 'device of cleo',
      data: { conversation_id: id, message_id: message, sender_id: 'ann' },
      authorization: 'Bearer granted',
    },
  ]);
});

test('A new message is not pushed to a recipient whose devices are unknown', async () => {
  const ann = await clientOf('ann');
  const pushesTo = (id: string) => sent.filter(({ data }) => data.conversation_id === id);
  const [unknown, cleo] = [
    await ann.conversations.create({ contact_id: 'unknown' }),
    await ann.conversations.create({ contact_id: 'cleo' }),
  ];
  for (const { id } of [unknown, cleo])
    await ann.messages.send({ conversation_id: id, message: 'Secret words' });
  await waitUntil(() => pushesTo(cleo.id).length > 0);
  expect(pushesTo(unknown.id)).toEqual([]);
});

test("A new message in a group reaches the group's devices, but not the sender's", async () => {
  const dan = await clientOf('dan', ['team:1']);
  const { id } = await dan.conversations.create({ group_id: 'team:1' });
  await dan.messages.send({ conversation_id: id, message: 'Secret words' });
  await waitUntil(() => sent.some(({ data }) => data.conversation_id === id));
  const pushes = sent.filter(({ data }) => data.conversation_id === id);
  expect(pushes.map(({ token }) => token)).toEqual(['device of eve']);
});
