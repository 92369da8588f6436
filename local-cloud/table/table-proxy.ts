import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { getErrorCode, toErrorMessage } from '../../lib/problem.ts';
import { listen } from '../listen.ts';
import type { Caller, Callers } from '../stack/caller.ts';
import type { Decision } from '../stack/iam-roles.ts';
import type { LimitCheck } from './limit-check.ts';
import {
  getRequiredPermissions,
  type PartitionKeys,
  type RequiredPermission,
} from './required-permissions.ts';

export interface TableCall {
  /** Logical id of the function. */
  functionId: string;
  /** Operation of DynamoDB's API, such as `TransactWriteItems`. */
  operation: string;
  /**
   * Permissions that the call needs: one per operation of a transaction, one per table of a batch,
   * and one for any other call.
   */
  permissions: RequiredPermission[];
  allowed: boolean;
}

/**
 * Simulated faults. `hang` never replies. `lose request` does not run the call. `lose reply` runs
 * the call, but drops its reply.
 */
export type TableFault = 'throttle' | 'hang' | 'lose request' | 'lose reply';

/** Intercepts each call before it runs. May delay the call, and may return a fault. */
export type OnTableCall = (
  call: TableCall,
) => TableFault | undefined | Promise<TableFault | undefined>;

export interface TableProxyOptions {
  /** Endpoint of the table engine. */
  endpoint: string;
  callers: Callers;
  partitionKeys: PartitionKeys;
  checkLimits: LimitCheck;
  onCall: OnTableCall;
}

export interface TableProxy {
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * Runs a proxy between the functions and the table engine. Checks each call against the function's
 * policies, and against limits that DynamoDB Local does not enforce. Identifies the function by the
 * access key in the signature.
 */
export async function startTableProxy(options: TableProxyOptions): Promise<TableProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((received, response) => {
    serve(options, agent, received, response).catch((error) => {
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else
        sendError(
          response,
          500,
          'com.amazonaws.dynamodb.v20120810#InternalServerError',
          toErrorMessage(error),
        );
    });
  });
  const { port, close } = await listen(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await close();
      agent.destroy();
    },
  };
}

async function serve(
  { endpoint, callers, partitionKeys, checkLimits, onCall }: TableProxyOptions,
  agent: Agent,
  received: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBytes(received);
  const caller = callers.get(parseAccessKey(received));
  if (!caller) {
    const message = 'The security token included in the request is invalid.';
    sendError(response, 400, 'com.amazon.coral.service#UnrecognizedClientException', message);
    return;
  }
  const operation = String(received.headers['x-amz-target']).split('.')[1] ?? '';
  const input: unknown = JSON.parse(body.toString());
  const required = getRequiredPermissions(operation, input, partitionKeys);
  const denied = findDenied(caller, required);
  const fault = await onCall({
    functionId: caller.functionId,
    operation,
    permissions: required,
    allowed: !denied,
  });
  if (fault === 'hang') return;
  if (fault === 'lose request') {
    response.destroy();
    return;
  }
  if (denied) {
    const message = formatDenial(caller, denied.grant, denied.decision);
    sendError(response, 400, 'com.amazon.coral.service#AccessDeniedException', message);
    return;
  }
  if (fault === 'throttle') {
    const message = 'Throughput exceeds the current capacity of your table or index.';
    sendError(response, 400, 'com.amazonaws.dynamodb.v20120810#ThrottlingException', message);
    return;
  }
  const refusal = checkLimits(operation, input);
  if (refusal) {
    sendError(response, 400, 'com.amazon.coral.validate#ValidationException', refusal);
    return;
  }
  const engineResponse = await forward(endpoint, agent, received, body);
  const reply = await readBytes(engineResponse);
  if (fault === 'lose reply') {
    response.destroy();
    return;
  }
  // If the length is set, Node sends the headers and the body in one write.
  const headers = { ...toForwardedHeaders(engineResponse), 'content-length': reply.length };
  response.writeHead(engineResponse.statusCode ?? 500, headers);
  response.end(reply);
}

const findDenied = (caller: Caller, required: readonly RequiredPermission[]) =>
  required
    .map((grant) => ({
      grant,
      decision: caller.decide(
        grant.action,
        grant.resource,
        grant.leadingKeys,
        grant.enclosingOperation,
      ),
    }))
    .find(({ decision }) => decision !== 'allow');

/**
 * Returns the body. Avoids `buffer` of node:stream/consumers, which took a tenth of the proxy's
 * time.
 */
const readBytes = (message: IncomingMessage) =>
  new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.once('end', () => resolve(Buffer.concat(chunks)));
    message.once('error', reject);
    message.once('close', () => reject(new Error('The connection was closed.')));
  });

/**
 * Forwards a call to the engine. If the engine has closed the idle connection, retries on another
 * connection.
 */
async function forward(endpoint: string, agent: Agent, received: IncomingMessage, body: Buffer) {
  const send = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { ...toForwardedHeaders(received), 'content-length': body.length };
      const sent = request(endpoint, { method: 'POST', agent, headers }, resolve);
      sent.once('error', (error) => {
        if (sent.reusedSocket && getErrorCode(error) === 'ECONNRESET') {
          send().then(resolve, reject);
        } else {
          reject(error);
        }
      });
      sent.end(body);
    });
  return send();
}

const toForwardedHeaders = ({ headers }: IncomingMessage) => {
  const {
    connection,
    host,
    'keep-alive': keepAlive,
    'transfer-encoding': coding,
    ...others
  } = headers;
  return others;
};

const parseAccessKey = ({ headers }: IncomingMessage) =>
  /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? '';

function formatDenial(
  { session }: Caller,
  { action, resource }: RequiredPermission,
  decision: Decision,
): string {
  const reason =
    decision === 'explicit deny'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  return `User: ${session} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: type, message, Message: message }));
}
