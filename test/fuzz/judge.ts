import * as v from 'valibot';
import { ErrorReply } from '../../shared/contract/errors.ts';
import { goodStatuses } from '../../shared/contract/operation.ts';
import type { Asked } from '../oracle/asked.ts';
import { headerRules, strangeHeadersOf } from '../oracle/headers.ts';
import { observed } from '../oracle/observed.ts';
import { breachesOf } from '../oracle/reply.ts';
import { broken } from '../oracle/rule.ts';
import type { Sent } from './compile.ts';
import type { Reply } from './connection.ts';
import type { Fixture } from './fixture.ts';
import { isHttp } from './match.ts';

export const headerOf = ({ headers }: Reply, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];

/** What only somebody who looks inside would find. */
const internalWords =
  /dynamo|valibot|middy|aws-sdk|node_modules|\.[cm]?[jt]s\b|\n? {2,}at |\bundefined\b|\[object |Error:|Exception|gsi\d|\bpk\b|\bsk\b|[A-Z]+#[A-Za-z0-9]|ECONN|heap|stack/;

/** What is wrong with a reply, whatever the request was; undefined when nothing is. */
export function faultOf(sent: Sent, reply: Reply, { confidential }: Fixture): string | undefined {
  const { method, target, headers, row, caller } = sent;
  const { status, body } = reply;
  if (!isHttp(method, target, headers) && [400, 431].includes(status) && body === '') return;
  if (status >= 500) return 'It is a fault of the service.';
  if (method === 'OPTIONS' && status === 204) return;
  const told = reply.headers.flat().join('\n') + body;
  if (confidential.secrets.some((secret) => told.includes(secret))) return 'It tells a secret.';
  const breaches = notAsPromised(sent, reply);
  if (breaches.length > 0) return `It is not as promised: ${breaches.join('; ')}`;
  if (method === 'HEAD') return body === '' ? undefined : 'HEAD has a body.';
  if (row && (goodStatuses(row).includes(status) || status === 304)) {
    return caller ? undefined : 'Nobody may be let in with that.';
  }
  const { message, param } = v.parse(ErrorReply, parsed(body));
  const word = internalWords.exec(message.replace(param ?? '', ''))?.[0];
  if (word && !saidBy(sent, word)) return `Its message says '${word}'.`;
  if (row && !caller && status !== 401 && status !== 431) return 'It must be a 401.';
  return undefined;
}

/** Who asks HEAD is told the headers alone. */
function notAsPromised({ row, target, method }: Sent, reply: Reply): string[] {
  const asked: Asked = {
    row,
    query: Object.fromEntries(new URLSearchParams(target.split('?')[1])),
    allowsOrigin: (shown) => shown === '*',
    mayBeGateways: true,
  };
  const seen = observed(reply.status, reply.headers, reply.body);
  const breaches = method === 'HEAD' ? broken(headerRules(asked, seen)) : breachesOf(asked, seen);
  return [...breaches, ...strangeHeadersOf(seen)];
}

const saidBy = ({ bytes }: Sent, word: string) => {
  const text = bytes.toString();
  return [text, text.replace(/\+/g, ' ')].some(
    (one) => one.includes(word) || one.includes(encodeURIComponent(word)),
  );
};

export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
