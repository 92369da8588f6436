import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceHash } from '../../../lib/synthesis/source-hash.ts';
import { synthesize } from '../../../lib/synthesis/synthesis.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { getTables } from '../../../local-cloud/table/create-table.ts';
import { startDynamoDbLocal } from '../../../local-cloud/table/dynamodb-local.ts';
import { findDynoxide, startDynoxide } from '../../../local-cloud/table/dynoxide.ts';
import type { Engine } from '../../../local-cloud/table/engine-process.ts';
import { NoJava } from '../../../local-cloud/table/java-problems.ts';
import { env } from '../../../shared/env.ts';
import { type NamedStage, prepareTemplates } from '../template/get-template.ts';
import { stageVariants, testStages } from '../template/stage-variants.ts';

let engines: readonly Engine[] = [];

const root = join(import.meta.dirname, '../../..');
const cacheFolder = join(root, '.local/test');

/**
 * Synthesizes the app and starts the table engines before all tests. Workers inherit the results as
 * environment variables.
 */
export default async function setUp({
  maxWorkers,
  testPathPatterns,
}: {
  maxWorkers: number;
  testPathPatterns: { isSet(): boolean };
}): Promise<void> {
  // Tests start programs hundreds of times. With this cache, Node compiles each file once.
  process.env.NODE_COMPILE_CACHE = join(cacheFolder, 'compiled');
  const templates = join(cacheFolder, 'templates');
  process.env.TEST_TEMPLATES = join(templates, sourceHash(root, process.version));
  await removeOthers(templates);
  // If only some test files run, each local cloud starts its own engine, and each file creates the
  // templates it needs.
  const isComplete = !testPathPatterns.isSet();
  const [assembly, tableEngines, cloudEngine] = await Promise.all([
    synthesize('dev', join(cacheFolder, 'synthesis')),
    startEngines(maxWorkers),
    isComplete ? startCloudEngine() : undefined,
    isComplete ? prepareTemplates(templatesOfAll) : undefined,
  ]);
  engines = [...tableEngines, ...(cloudEngine ? [cloudEngine] : [])];
  const [table] = getTables(readStack('local', assembly.template));
  Object.assign(process.env, {
    TEST_ASSEMBLY: assembly.directory,
    TABLE_NAME: table?.ref,
    TEST_ENGINES: tableEngines.map(({ endpoint }) => endpoint).join(' '),
    TEST_CLOUD_ENGINE: cloudEngine?.endpoint ?? '',
  });
}

/**
 * Starts DynamoDB Local. Without Java, starts one Dynoxide per worker instead, because in Dynoxide
 * all access keys share the tables.
 */
async function startEngines(workers: number): Promise<Engine[]> {
  try {
    return [await startDynamoDbLocal({ shared: false })];
  } catch (error) {
    const dynoxide = findDynoxide();
    if (!dynoxide || !(error instanceof NoJava)) throw error;
    console.log(
      'Java 17 is missing. Tests run on Dynoxide, and tests that need DynamoDB Local are skipped (see test/support/setup/without-java.js).',
    );
    process.env.TEST_DYNOXIDE = 'true';
    return Promise.all(Array.from({ length: workers }, () => startDynoxide(dynoxide, {})));
  }
}

/** Starts the local clouds' shared engine. If Java is missing, each cloud starts its own engine. */
const startCloudEngine = () => startDynamoDbLocal({ shared: true }).catch(() => undefined);

/** Removes templates that were synthesized from other versions of the sources. */
async function removeOthers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const others = names
    .map((name) => join(folder, name))
    .filter((one) => one !== env('TEST_TEMPLATES'));
  await Promise.all(others.map((one) => rm(one, { recursive: true, force: true })));
}

const templatesOfAll: readonly NamedStage[] = [
  ...stageVariants,
  ...testStages.map(([, stage]) => ['stage', stage] satisfies NamedStage),
];

export const tearDown = async () => void (await Promise.all(engines.map(({ stop }) => stop())));
