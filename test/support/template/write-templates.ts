/**
 * Program that reads stages and file paths as JSON from standard input, synthesizes each stage, and
 * writes the template to its file.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Template } from 'aws-cdk-lib/assertions';
import { createStack } from './create-stack.ts';
import type { NamedStage } from './get-template.ts';

const wanted: readonly { stage: NamedStage; file: string }[] = JSON.parse(
  await text(process.stdin),
);
for (const {
  stage: [name, stage],
  file,
} of wanted) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(Template.fromStack(createStack(name, stage)).toJSON()));
  // Several test files may request the same template concurrently.
  renameSync(draft, file);
}
