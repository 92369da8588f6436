import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { region } from '../../local-cloud/account.ts';
import { writeRunningCloud } from '../../local-cloud/running-cloud.ts';
import { createTable } from '../../local-cloud/table/create-table.ts';
import { env } from '../../shared/env.ts';
import { terminalEnvironment } from '../support/processes/run-command.ts';

const root = join(import.meta.dirname, '../..');
const data = mkdtempSync(join(tmpdir(), 'messaging-import-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const endpoint = env('AWS_ENDPOINT_URL_DYNAMODB');

beforeAll(async () => {
  const { template } = await readAssembly(env('TEST_ASSEMBLY'));
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region, credentials });
  await writeRunningCloud(data, {
    tableEndpoint: endpoint,
    queueEndpoint: endpoint,
    parameterEndpoint: endpoint,
    assembly: '/stack',
    stackName: 'messaging-dev',
    outputs: { TableName: await createTable(client, template) },
  });
});

function run(...parameters: string[]) {
  const command = ['bin/import-businesses.ts', ...parameters];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    env: { ...terminalEnvironment(), AWS_REGION: undefined, AWS_CONFIG_FILE: join(data, 'none') },
  });
  return { status, stdout, stderr: stderr.replaceAll(data, 'DATA') };
}

function toFile(...records: object[]): string {
  const file = join(data, 'some.json');
  writeFileSync(file, JSON.stringify(records, undefined, 1));
  return file;
}

describe('npm run import-businesses', () => {
  test('stores each record of a file once in the local cloud’s table', () => {
    const file = toFile({ public_id: 'a' }, { public_id: 'b' });
    const first = run(file, '--data', data);
    expect(first).toEqual({ status: 0, stdout: '2 new, 0 changed, 0 unchanged.\n', stderr: '' });
    expect(run(file, '--data', data).stdout).toBe('0 new, 0 changed, 2 unchanged.\n');
  });

  test('reports every fault, and stores the valid records only with --skip-invalid', () => {
    const file = toFile({ public_id: 'c' }, { public_id: 'd', latitude: 91, title: 2 });
    const faults = [
      "DATA/some.json:7: 'latitude' must be a number from -90 to 90.",
      "DATA/some.json:8: 'title' must be a string.",
    ];
    const rejected = run(file, '--data', data);
    expect({ ...rejected, stderr: rejected.stderr.split('\n') }).toEqual({
      status: 1,
      stdout: '',
      stderr: [
        ...faults,
        '',
        'Nothing was written. To store the valid records, add --skip-invalid.',
        '',
      ],
    });
    const imported = run(file, '--data', data, '--skip-invalid');
    expect({ ...imported, stderr: imported.stderr.split('\n') }).toEqual({
      status: 0,
      stdout: '1 new, 0 changed, 0 unchanged.\n',
      stderr: [...faults, '', 'These records were skipped.', ''],
    });
  });

  test.each([
    ['no file', [], "error: missing required argument 'file'"],
    ['two files', ['a', 'b'], 'error: too many arguments.'],
    ['a missing file', ['no-such.json', '--data', data], 'File not found: no-such.json.'],
    [
      'no running local cloud',
      ['a', '--data', join(data, 'x')],
      'No local cloud is running in DATA/x: start one with `npm start`, or give --stage NAME',
    ],
    [
      'two targets',
      ['a', '--data', data, '--stage', 'dev'],
      "error: option '--data <folder>' cannot be used with option '--stage <name>'",
    ],
    [
      'no region',
      ['a', '--stage', 'dev'],
      'No AWS region is set: set AWS_REGION, as in `export AWS_REGION=eu-central-1`.',
    ],
    ['an unknown option', ['a', '--url', 'x'], "error: unknown option '--url'"],
  ])('fails with a message for %s', (_, parameters, message) => {
    const { status, stdout, stderr } = run(...parameters);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});
