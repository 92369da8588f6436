import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { sendRequest } from '../../commands/api/http-request.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { examples } from '../../shared/contract/examples.ts';
import * as contract from '../../shared/contract/operations.ts';
import { importExampleListing } from '../support/processes/import-example-listing.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';
import { extractSamples, hasPython, type RunnableLanguage, runSample } from './run-sample.ts';

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await importExampleListing(cloud);
});
afterAll(() => cloud.stop());

const readPage = async (path: string) => (await sendRequest(`${cloud.url}${path}`)).body;

const steps = Object.entries(examples).map(([id, example]) => {
  const found = Object.entries(contract).find(([, row]) => 'id' in row && row.id === id);
  if (!found || !('reply' in found[1])) throw new Error(`Unknown operation: ${id}.`);
  return { name: found[0], row: found[1], as: example.as };
});

/** Ids in the samples. The conversation's id is last, because other ids start with it. */
const documentedIds = [
  examples['groups/create'].reply.id,
  examples['attachments/create'].reply.id,
  examples['messages/send'].reply.id,
  examples['conversations/create'].reply.id,
];
const [groupId = '', attachmentId = '', messageId = '', conversationId = ''] = documentedIds;

/** The sample describes a file of 84,512 bytes; the test uploads this file instead. */
const file = { text: 'Hello', sha256: 'GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=' };
const { body: described, reply: created } = examples['attachments/create'];

const toSmallFile = (code: string) =>
  code.replace(described.sha256, file.sha256).replace(/\b84_?512\b/, String(file.text.length));

async function uploadFile(output: string): Promise<void> {
  const [url = ''] = /https?:[^"'\s]*X-Amz-Signature[^"'\s]*/.exec(output) ?? [];
  const headers = { ...created.upload.headers, 'x-amz-checksum-sha256': file.sha256 };
  const { status } = await fetch(url, { method: 'PUT', headers, body: file.text });
  expect(status).toBe(200);
}
const idPattern = /["']?id["']?: ?["']((?:grp_)?01\w+)["']/;

async function runScenario(language: RunnableLanguage): Promise<Map<string, string>> {
  const outputs = new Map<string, string>();
  const realIds = new Map<string, string>();
  for (const { name, as } of steps) {
    const [sample = ''] = extractSamples(await readPage(`/docs/${name}`), language);
    const code = documentedIds.reduce(
      (text, id) => text.replaceAll(id, realIds.get(id) ?? id),
      name === 'createAttachment' ? toSmallFile(sample) : sample,
    );
    const output = await runSample(language, code, await cloud.token(as)).catch((error) => {
      throw new Error(`${name} in ${language} failed: ${error.message}\n${code}`);
    });
    outputs.set(name, output);
    const [, id = ''] = idPattern.exec(output) ?? [];
    if (name === 'createGroup') realIds.set(groupId, id);
    if (name === 'createConversation') realIds.set(conversationId, id);
    if (name === 'createAttachment') {
      realIds.set(attachmentId, id);
      await uploadFile(output);
    }
    if (name === 'sendMessage') realIds.set(messageId, id);
  }
  return outputs;
}

const languages: readonly [string, RunnableLanguage][] = [
  ['curl', 'sh'],
  ['TypeScript', 'ts'],
  ...(hasPython ? [['Python', 'python'] satisfies [string, RunnableLanguage]] : []),
];

describe('The samples of the reference', () => {
  test('call every operation with curl and print a reply that matches its schema', async () => {
    const outputs = await runScenario('sh');
    for (const { name, row } of steps) {
      const { success } = v.safeParse(row.reply, JSON.parse(outputs.get(name) ?? ''));
      expect([name, success]).toEqual([name, true]);
    }
  });

  thoroughTest('call every operation in TypeScript and print the reply', async () => {
    const outputs = await runScenario('ts');
    expect(outputs.get('sendMessage')).toContain('Lunch at noon?');
    expect(outputs.get('deleteConversation')).toContain('deleted: true');
  });

  (hasPython ? thoroughTest : test.skip)(
    `call every operation in Python and print the reply${hasPython ? '' : ' (no python3)'}`,
    async () => {
      const outputs = await runScenario('python');
      expect(outputs.get('sendMessage')).toContain('Lunch at noon?');
      expect(outputs.get('deleteConversation')).toContain("'deleted': True");
    },
  );

  test.each(languages)('send a message and receive a push, in %s', async (_, language) => {
    const samples = extractSamples(await readPage('/docs'), language);
    const program = samples.filter((code) => !code.startsWith('export TOKEN=')).join('\n');
    const output = await runSample(language, program, await cloud.token('ann'));
    expect(output).toContain('Hello, Bob!');
    expect(output).toContain('Is this live?');
  });

  test('exist in five languages for every operation', async () => {
    for (const { name } of steps) {
      const html = await readPage(`/docs/${name}`);
      for (const language of ['sh', 'ts', 'python', 'swift', 'kotlin'])
        expect([name, language, extractSamples(html, language).length]).toEqual([
          name,
          language,
          1,
        ]);
    }
  });
});
