import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Problem } from '../problem.ts';
import { getOrCreateFolder } from './folder-cache.ts';
import { runNode } from './run-node.ts';
import { sourceHash } from './source-hash.ts';
import { type Assembly, Template } from './template.ts';

const root = join(import.meta.dirname, '../..');

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
 * Synthesizes the CDK app for a stage into a folder of `directory`. If the sources are unchanged,
 * reuses the previous folder; otherwise calls `onStart` first. Safe for concurrent processes.
 */
export async function synthesize(
  stageName: string,
  directory: string,
  onStart: () => void = () => {},
): Promise<Assembly> {
  const configuration = await readJson(join(root, 'cdk.json'), Configuration);
  const versions = [process.version, process.platform];
  const hash = sourceHash(root, stageName, ...versions).slice(0, 16);
  const folder = await getOrCreateFolder(directory, `${stageName}-${hash}`, async (draft) => {
    onStart();
    await runApp(configuration, stageName, draft);
    // The bundles are CommonJS, and must not inherit `type` from this project's package.json.
    await writeFile(join(draft, 'package.json'), '{}\n');
  });
  return readAssembly(folder);
}

/** Returns the stack in a synthesized folder. Throws a Problem unless there is exactly one. */
export async function readAssembly(directory: string): Promise<Assembly> {
  const { artifacts } = await readJson(join(directory, 'manifest.json'), Manifest);
  const stacks = Object.entries(artifacts).filter(
    ([, { type }]) => type === 'aws:cloudformation:stack',
  );
  const [stack] = stacks;
  if (!stack || stacks.length > 1) {
    throw new Problem(
      `The local cloud needs an app with exactly one stack, but this app has ${stacks.length}.`,
    );
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
  if (command !== 'node') throw new Problem(`cdk.json: \`app\` must start with node.`);
  const { failed, printed } = await runNode(parameters, {
    cwd: root,
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      // Skips the checks, so that the local cloud can run unfinished stages. Deployments run the
      // checks.
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage, unchecked: true }),
    },
  });
  if (failed) throw new Problem(`The CDK app failed:\n${printed}`);
}

async function readJson<Schema extends v.GenericSchema>(file: string, schema: Schema) {
  return v.parse(schema, JSON.parse(await readFile(file, 'utf8')));
}
