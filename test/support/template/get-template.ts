/**
 * Templates of stages. Because the CDK is slow in Jest, a separate program (write-templates.ts)
 * synthesizes each template once. Tests reuse the templates until the sources change.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import type { Stage } from '../../../lib/stages.ts';
import { env } from '../../../shared/env.ts';

/** A stage and its name, which is part of the stack's name. */
export type NamedStage = readonly [name: string, stage: Stage];

const Json = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

export function getTemplate(name: string, stage: Stage): Template {
  const file = fileOf([name, stage]);
  prepareTemplates([[name, stage]]);
  return Template.fromJSON(v.parse(Json, readFileSync(file, 'utf8')));
}

/** Synthesizes the missing templates in one CDK process. */
export function prepareTemplates(stages: readonly NamedStage[]): void {
  const missing = stages
    .map((stage) => ({ stage, file: fileOf(stage) }))
    .filter(({ file }) => !existsSync(file));
  if (missing.length === 0) return;
  mkdirSync(env('TEST_TEMPLATES'), { recursive: true });
  const failure = writeTemplates(missing, { validated: false });
  if (failure) throw new Error(failure);
}

const fileOf = (stage: NamedStage): string =>
  join(
    env('TEST_TEMPLATES'),
    `${createHash('sha256').update(JSON.stringify(stage)).digest('hex').slice(0, 16)}.json`,
  );

/** Returns the CDK's error or validation message, or an empty string if synthesis succeeds. */
export function writeTemplates(
  wanted: readonly { stage: NamedStage; file: string }[],
  { validated }: { validated: boolean },
): string {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'write-templates.ts')],
    {
      input: JSON.stringify(wanted),
      encoding: 'utf8',
      env: { ...process.env, CDK_VALIDATION: String(validated) },
    },
  );
  return status === 0 ? '' : stderr || `The synthesis exited with ${status}.`;
}
