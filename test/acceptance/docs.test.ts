import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { env } from '../../shared/env.ts';
import { type Outcome, runInBash } from './support/bash-session.ts';
import { normalizeExample } from './support/normalize-example.ts';
import { isErrorExample, parseExamples } from './support/page-examples.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

const pages = [
  { path: 'docs/api.md', examples: parseExamples(read('docs/api.md')) },
  { path: 'docs/attachments.md', examples: parseExamples(read('docs/attachments.md')) },
  { path: 'README.md', examples: parseExamples(read('README.md'), 'A first conversation') },
];

describe.each(pages)('$path', ({ examples }) => {
  let outcomes: Outcome[];

  beforeAll(async () => {
    const steps = examples.map((one) => ({ script: one.script, isRefused: isErrorExample(one) }));
    outcomes = await runInBash(steps, { API: env('API_URL').replace(/\/$/, '') });
  });

  test('has at least two examples', () => expect(examples.length).toBeGreaterThan(1));

  test.each(examples.map((example, n) => ({ ...example, n })))(
    '$title: the commands return the documented reply',
    ({ reply, n }) => {
      const { state, output = '', complaints } = outcomes[n] ?? {};
      if (state !== 'done') throw new Error([state, complaints, output].join('\n'));
      if (reply?.language === 'json') {
        expect(JSON.parse(output)).toEqual(normalizeExample(JSON.parse(reply.text)));
      }
      if (reply?.language === 'text')
        expect(output.trim()).toEqual(normalizeExample(reply.text.trim()));
    },
  );
});
