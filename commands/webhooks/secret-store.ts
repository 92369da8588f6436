import {
  DeleteParameterCommand,
  GetParameterCommand,
  ParameterNotFound,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import {
  type EndpointSecrets,
  parseSecrets,
  toParameterName,
} from '../../shared/webhooks/endpoint-secrets.ts';
import type { RunningStage } from '../stage/running-stage.ts';

/** The secrets of a stage's endpoints, in Parameter Store. */
export interface SecretStore {
  /** Returns the endpoint's secrets; undefined if the parameter does not exist. */
  read(endpointId: string): Promise<EndpointSecrets | undefined>;
  write(endpointId: string, secrets: EndpointSecrets): Promise<void>;
  remove(endpointId: string): Promise<void>;
}

export function openSecretStore({ output, ssm }: RunningStage): SecretStore {
  const client = new SSMClient(ssm);
  const toName = (id: string) => toParameterName(output('WebhookSecrets'), id);
  return {
    read: async (id) => {
      const command = new GetParameterCommand({ Name: toName(id), WithDecryption: true });
      const found = await client.send(command).catch(ignoreMissing);
      return found && parseSecrets(found.Parameter?.Value ?? '');
    },
    write: async (id, secrets) => {
      const Value = JSON.stringify(secrets);
      const parameter = { Name: toName(id), Value, Type: 'SecureString', Overwrite: true } as const;
      await client.send(new PutParameterCommand(parameter));
    },
    remove: async (id) => {
      await client.send(new DeleteParameterCommand({ Name: toName(id) })).catch(ignoreMissing);
    },
  };
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof ParameterNotFound)) throw error;
}
