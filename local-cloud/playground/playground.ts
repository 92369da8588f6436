import { messageOf } from '../../lib/problem.ts';
import type { GatewayReply, GatewayRequest } from '../gateway/gateway-request.ts';
import type { AnswerRequest } from '../gateway/gateway-server.ts';
import type { Issuer } from '../issuer.ts';
import { type BuiltPlayground, builtPlayground, type PageFile } from './built.ts';
import { isToThisMachine } from './own-page.ts';
import { answerTokenRequest } from './tokens.ts';

export interface PlaygroundOptions {
  /** Where its build is kept. */
  directory: string;
  token: Issuer['token'];
  /** Takes what is wrong with the build. */
  warn: (line: string) => void;
}

const below = '/playground/';

/**
 * A page at `/` by which two people use the API; its files are below `/playground/`. It is built from now on, in a process of
 * its own: requests for it wait, those of the API do not. Whatever else is asked for, or by another name of this machine, the
 * API answers as though there were no playground.
 */
export function startPlayground(options: PlaygroundOptions): Playground {
  const { directory, warn } = options;
  let serving = builtPlayground(directory);
  let building: Promise<unknown> = serving.catch((error) => warn(messageOf(error)));
  return {
    before: (api) => async (request) =>
      (await answerOwn(request, serving, options)) ?? api(request),
    rebuild: async () => {
      const before = await serving.catch(() => undefined);
      const next = builtPlayground(directory);
      building = next.catch(() => {});
      if ((await next).hash === before?.hash) return false;
      serving = next;
      return true;
    },
    ended: () => building,
  };
}

export interface Playground {
  /** Answers what is asked of it, and lets the API answer all else. */
  before(api: AnswerRequest): AnswerRequest;
  /**
   * Has what its sources are by now serve, once it is built; false if that serves already. Throws where it cannot be built, and
   * what was built before serves on.
   */
  rebuild(): Promise<boolean>;
  /** Fulfilled when no build is under way. */
  ended(): Promise<unknown>;
}

async function answerOwn(
  request: GatewayRequest,
  built: Promise<BuiltPlayground>,
  { token }: PlaygroundOptions,
): Promise<GatewayReply | undefined> {
  const { method, path } = request;
  if ((path !== '/' && !path.startsWith(below)) || !isToThisMachine(request)) return undefined;
  if (method === 'POST' && path === `${below}tokens`) return answerTokenRequest(request, token);
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  try {
    const { files } = await built;
    const file = files.get(path === '/' ? 'index.html' : path.slice(below.length));
    return file && reply(200, file, { isNamedByContent: path.startsWith(`${below}assets/`) });
  } catch (error) {
    if (path !== '/') return undefined;
    const body = Buffer.from(messageOf(error));
    return reply(500, { type: 'text/plain; charset=utf-8', body }, { isNamedByContent: false });
  }
}

const reply = (
  status: number,
  { type, body }: PageFile,
  { isNamedByContent }: { isNamedByContent: boolean },
): GatewayReply => ({
  status,
  headers: [
    ['Content-Type', type],
    ['Cache-Control', isNamedByContent ? 'max-age=31536000, immutable' : 'no-store'],
    ['Content-Security-Policy', contentSecurityPolicy],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Referrer-Policy', 'same-origin'],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body,
});

/**
 * The page's own files, this server and the push, and nothing else: no inline script, no other host, in nobody's frame. The
 * push has another port after each start, and after a change of the stack: a page that is open then finds it.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self' ws://127.0.0.1:*",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');
