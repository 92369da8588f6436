import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { env } from '../../shared/env.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';
import { soak } from './soak.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'messaging-soak-'));
// Reuses the assembly that the test run synthesized.
symlinkSync(join(env('TEST_ASSEMBLY'), '..'), join(dataDirectory, 'synthesis'), 'junction');
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

thoroughTest(
  'a soak run of 8 seconds with three people finds no violations',
  async () => {
    const printed: string[] = [];
    const { violations, conversations, statistics } = await soak({
      milliseconds: 8000,
      people: 3,
      seed: 1,
      dataDirectory,
      purgeMilliseconds: 0,
      stop: new AbortController().signal,
      log: (line) => printed.push(line),
    });
    expect(printed.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
    expect(violations).toBe(0);
    // Every person starts by creating conversations.
    expect(conversations).toBeGreaterThan(0);
    expect(statistics.requests()).toBeGreaterThan(conversations);
  },
  180_000,
);
