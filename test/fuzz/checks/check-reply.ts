import * as v from 'valibot';
import { ErrorReply } from '../../../shared/contract/errors.ts';
import { getSuccessStatuses } from '../../../shared/contract/operation.ts';
import { findBreaches } from '../../response-invariants/check-reply.ts';
import { findUnknownHeaders, headerRules } from '../../response-invariants/header-rules.ts';
import { toObservedReply } from '../../response-invariants/observed-reply.ts';
import type { RequestContext } from '../../response-invariants/request-context.ts';
import { getBrokenRules } from '../../response-invariants/rule.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Reply } from '../run/raw-client.ts';
import type { Sent } from '../send/compile-request.ts';
import { isValidHttp } from '../send/match-operation.ts';

export const getHeader = ({ headers }: Reply, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];

/** Words that reveal implementation details. */
const internalWords =
  /dynamo|valibot|middy|aws-sdk|node_modules|\.[cm]?[jt]s\b|\n? {2,}at |\bundefined\b|\[object |Error:|Exception|gsi\d|\bpk\b|\bsk\b|[A-Z]+#[A-Za-z0-9]|ECONN|heap|stack/;

export function findFault(sent: Sent, reply: Reply, { confidential }: Fixture): string | undefined {
  const { method, target, headers, row, caller } = sent;
  const { status, body } = reply;
  if (!isValidHttp(method, target, headers) && [400, 431].includes(status) && body === '') return;
  if (status >= 500) return 'The reply is a 5xx error.';
  if (method === 'OPTIONS' && status === 204) return;
  const text = reply.headers.flat().join('\n') + body;
  if (confidential.secrets.some((secret) => text.includes(secret)))
    return 'The reply contains confidential data.';
  const breaches = findContractViolations(sent, reply);
  if (breaches.length > 0) return `The reply violates the contract: ${breaches.join('; ')}`;
  if (method === 'HEAD') return body === '' ? undefined : 'The reply to HEAD has a body.';
  if (row && (getSuccessStatuses(row).includes(status) || status === 304)) {
    return caller ? undefined : 'The API accepted invalid credentials.';
  }
  const { message, param } = v.parse(ErrorReply, parseJson(body));
  const word = internalWords.exec(message.replace(param ?? '', ''))?.[0];
  if (word && !isInRequest(sent, word)) return `The error message contains '${word}'.`;
  if (row && !caller && status !== 401 && status !== 431)
    return 'The API must return 401 for invalid credentials.';
  return undefined;
}

/** Returns the violated rules. For HEAD replies, checks only the headers. */
function findContractViolations({ row, target, method }: Sent, reply: Reply): string[] {
  const context: RequestContext = {
    row,
    query: Object.fromEntries(new URLSearchParams(target.split('?')[1])),
    allowsOrigin: (shown) => shown === '*',
    isGatewayReplyAllowed: true,
  };
  const seen = toObservedReply(reply.status, reply.headers, reply.body);
  const breaches =
    method === 'HEAD' ? getBrokenRules(headerRules(context, seen)) : findBreaches(context, seen);
  return [...breaches, ...findUnknownHeaders(seen)];
}

const isInRequest = ({ bytes }: Sent, word: string) => {
  const text = bytes.toString();
  return [text, text.replace(/\+/g, ' ')].some(
    (one) => one.includes(word) || one.includes(encodeURIComponent(word)),
  );
};

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
