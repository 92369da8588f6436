import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { Problem } from '../problem.ts';
import { sourceHash } from './source-hash.ts';
import { type Assembly, Template } from './template.ts';

const root = join(import.meta.dirname, '../..');
const keptMilliseconds = 24 * 60 * 60 * 1000;

const Configuration = v.object({
  app: v.string(),
  context: v.optional(v.record(v.string(), v.unknown()), {}),
});

const Manifest = v.object({
  artifacts: v.record(
    v.string(),
    v.object({
      type: v.string(),
      properties: v.optional(
        v.object({ templateFile: v.optional(v.string()), stackName: v.optional(v.string()) }),
        {},
      ),
    }),
  ),
});

/**
 * Synthesizes the CDK app for the stage, as the CDK's own command does, into a folder of `directory`; when nothing that
 * it is made of has changed since, the folder of last time is taken; otherwise `begins` is called. Several processes may do
 * this at once.
 */
export async function synthesize(
  stageName: string,
  directory: string,
  begins: () => void = () => {},
): Promise<Assembly> {
  const configuration = await readJson(join(root, 'cdk.json'), Configuration);
  const versions = [process.version, process.platform];
  const hash = sourceHash(root, stageName, ...versions).slice(0, 16);
  const folder = join(resolve(directory), `${stageName}-${hash}`);
  if (!existsSync(folder)) {
    begins();
    await mkdir(directory, { recursive: true });
    const draft = await mkdtemp(join(resolve(directory), 'draft-'));
    try {
      await runApp(configuration, stageName, draft);
      // The bundles are CommonJS, and must not be taken for what this project's own package.json says.
      await writeFile(join(draft, 'package.json'), '{}\n');
      await rename(draft, folder).catch((error) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  const now = new Date();
  await utimes(folder, now, now);
  await removeUnused(directory);
  return readAssembly(folder);
}

/** Reads a folder that a synthesis has filled: it must hold one stack. */
export async function readAssembly(directory: string): Promise<Assembly> {
  const { artifacts } = await readJson(join(directory, 'manifest.json'), Manifest);
  const stacks = Object.entries(artifacts).filter(
    ([, { type }]) => type === 'aws:cloudformation:stack',
  );
  const [stack] = stacks;
  if (!stack || stacks.length > 1) {
    throw new Problem(`The local cloud runs one stack; the app has ${stacks.length}.`);
  }
  const [id, { properties }] = stack;
  const file = properties.templateFile ?? `${id}.template.json`;
  return {
    stackName: properties.stackName ?? id,
    template: await readJson(join(directory, file), Template),
    directory,
  };
}

async function runApp(
  { app, context }: v.InferOutput<typeof Configuration>,
  stage: string,
  outdir: string,
) {
  const [command, ...parameters] = app.split(' ');
  if (command !== 'node') throw new Problem(`cdk.json: the app is expected to be run by node`);
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      // Unfinished things are run here too: what is deployed is checked.
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage, unchecked: true }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  const ended = new Promise<number | null>((settle, fail) => {
    child.once('error', fail);
    child.once('close', settle);
  });
  const [printed, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  process.off('exit', kill);
  if (code !== 0) throw new Problem(`The CDK app failed:\n${`${printed}${complaints}`.trim()}`);
}

/** Old ones are of no use; recent ones may be in use by another process. */
async function removeUnused(directory: string) {
  for (const name of await readdir(directory)) {
    const folder = join(directory, name);
    const used = await stat(folder).catch(() => undefined);
    if (used && Date.now() - used.mtimeMs > keptMilliseconds) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function readJson<Schema extends v.GenericSchema>(file: string, schema: Schema) {
  return v.parse(schema, JSON.parse(await readFile(file, 'utf8')));
}
