import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteParameterCommand,
  GetParameterCommand,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import {
  type ParameterServer,
  startParameterServer,
} from '../../../local-cloud/parameters/parameter-server.ts';
import { createParameterStore } from '../../../local-cloud/parameters/parameter-store.ts';
import { withCommands } from '../../../local-cloud/stack/command-caller.ts';

const folder = mkdtempSync(join(tmpdir(), 'messaging-parameters-'));
const file = join(folder, 'parameters.json');
let server: ParameterServer;
let client: SSMClient;
beforeAll(async () => {
  const callers = withCommands(new Map());
  server = await startParameterServer(createParameterStore(file), () => callers);
  client = new SSMClient(toLocalServiceConfig(server.endpoint));
});
afterAll(async () => {
  client.destroy();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const Name = '/stack/webhooks/one';
const put = (Value: string, Overwrite: boolean) =>
  client.send(new PutParameterCommand({ Name, Value, Type: 'SecureString', Overwrite }));
const get = () => client.send(new GetParameterCommand({ Name, WithDecryption: true }));
const remove = () => client.send(new DeleteParameterCommand({ Name }));

test('A parameter file that cannot be read is reported and stays unchanged', () => {
  const torn = join(folder, 'torn.json');
  writeFileSync(torn, '{"/stack/webhooks/o');
  expect(() => createParameterStore(torn)).toThrow(`The parameters in ${torn} cannot be read: `);
  expect(readFileSync(torn, 'utf8')).toBe('{"/stack/webhooks/o');
});

describe('The parameter server', () => {
  test('stores and deletes a parameter, and overwrites it only if the request sets Overwrite', async () => {
    await put('first', false);
    await expect(put('second', false)).rejects.toMatchObject({
      name: 'ParameterAlreadyExists',
    });
    await put('second', true);
    expect((await get()).Parameter?.Value).toBe('second');
    await remove();
    await expect(get()).rejects.toMatchObject({ name: 'ParameterNotFound' });
  });

  test('stores values in a file that only the owner can read', async () => {
    await put('kept', true);
    expect(createParameterStore(file).get(Name)).toBe('kept');
    expect([readFileSync(file, 'utf8').includes('kept'), statSync(file).mode & 0o777]).toEqual([
      true,
      0o600,
    ]);
    await remove();
  });

  test('refuses an unknown access key', async () => {
    const stranger = new SSMClient({
      ...toLocalServiceConfig(server.endpoint),
      credentials: { accessKeyId: 'stranger', secretAccessKey: 'local' },
    });
    await expect(stranger.send(new GetParameterCommand({ Name }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    stranger.destroy();
  });
});
