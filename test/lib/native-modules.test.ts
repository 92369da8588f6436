import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import sharp from 'sharp';
import * as v from 'valibot';
import { bundleOptions } from '../../lib/bundle-functions.ts';
import { nativePackages } from '../../lib/native-modules.ts';
import { resizeImage } from '../../shared/thumbnails/resize-image.ts';
import { createPng } from '../support/files/test-images.ts';

const root = join(import.meta.dirname, '../..');
const { resolve } = createRequire(join(root, 'package.json'));
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'deployed-thumbnails-'));
  await build(bundleOptions(['thumbnails'], directory, false));
});
afterAll(() => rmSync(directory, { recursive: true }));

const Lock = v.object({
  packages: v.record(
    v.string(),
    v.looseObject({
      version: v.optional(v.string()),
      integrity: v.optional(v.string()),
      optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
    }),
  ),
});

test('The lock file contains the native modules for Lambda in the versions that sharp needs', () => {
  const { packages } = v.parse(
    Lock,
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const needed = packages['node_modules/sharp']?.optionalDependencies;
  for (const name of nativePackages) {
    expect(packages[`node_modules/${name}`]).toMatchObject({
      ...{ os: ['linux'], cpu: ['arm64'], version: needed?.[name] },
      integrity: expect.stringMatching(/^sha512-/),
    });
  }
});

test('The deployed bundle resizes images with the native module next to it', async () => {
  const [name = ''] = nativePackages;
  const folder = join(directory, 'thumbnails/node_modules', name);
  mkdirSync(folder, { recursive: true });
  // Replaces Lambda's module with this machine's.
  const binding = `@img/sharp-${process.platform}-${process.arch}/sharp.node`;
  writeFileSync(join(folder, 'package.json'), '{"exports":{"./sharp.node":"./index.cjs"}}');
  writeFileSync(
    join(folder, 'index.cjs'),
    `module.exports = require(${JSON.stringify(resolve(binding))});`,
  );
  process.env.LAMBDA_TASK_ROOT = join(directory, 'thumbnails');
  const resized = await resizeImage(await createPng(640, 640));
  if (!('thumbnail' in resized)) throw new Error(resized.refusal);
  expect(await sharp(resized.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 320 });
});
