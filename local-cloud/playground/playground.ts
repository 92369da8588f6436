import { toErrorMessage } from '../../lib/problem.ts';
import type { RequestHandler } from '../gateway/gateway-server.ts';
import {
  type GatewayReply,
  type GatewayRequest,
  getHeader,
} from '../gateway/request/gateway-request.ts';
import type { Issuer } from '../issuer.ts';
import { type BuiltPlayground, buildPlayground, type PageFile } from './build-playground.ts';
import { handleTokenRequest } from './handle-token-request.ts';
import { isToThisMachine } from './request-origin.ts';

export interface PlaygroundOptions {
  /** Folder for the builds. */
  directory: string;
  token: Issuer['token'];
  /** Receives the error if the first build fails. */
  warn: (line: string) => void;
}

const pathPrefix = '/playground/';

/**
 * Serves browsers a page at `/` on which two users use the API. The page's files are below
 * `/playground/`. Builds the page in a separate process. Only requests for the page wait for the
 * build.
 */
export function startPlayground(options: PlaygroundOptions): Playground {
  const { directory, warn } = options;
  let serving = buildPlayground(directory);
  let building: Promise<unknown> = serving.catch((error) => warn(toErrorMessage(error)));
  return {
    wrapHandler: (api) => async (request) =>
      (await handlePageRequest(request, serving, options)) ?? api(request),
    rebuild: async () => {
      const before = await serving.catch(() => undefined);
      const next = buildPlayground(directory);
      building = next.catch(() => {});
      if ((await next).hash === before?.hash) return false;
      serving = next;
      return true;
    },
    waitForBuild: () => building,
  };
}

export interface Playground {
  /** Returns a handler that serves the page and passes all other requests to the API. */
  wrapHandler(api: RequestHandler): RequestHandler;
  /**
   * Builds and serves the current sources. Returns false if the served build is already current. If
   * the build fails, throws and keeps serving the previous build.
   */
  rebuild(): Promise<boolean>;
  /** Resolves when the latest build has ended, even if it failed. */
  waitForBuild(): Promise<unknown>;
}

/**
 * Reports whether the request is for the page or its files. At `/`, clients that do not accept HTML
 * get the API's 404, as they do on a deployed stage.
 */
const isForPage = (request: GatewayRequest): boolean =>
  request.path === '/'
    ? (getHeader(request, 'accept') ?? '').includes('text/html')
    : request.path.startsWith(pathPrefix);

async function handlePageRequest(
  request: GatewayRequest,
  built: Promise<BuiltPlayground>,
  { token }: PlaygroundOptions,
): Promise<GatewayReply | undefined> {
  const { method, path } = request;
  if (!isForPage(request) || !isToThisMachine(request)) return undefined;
  if (method === 'POST' && path === `${pathPrefix}tokens`)
    return handleTokenRequest(request, token);
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  try {
    const { files } = await built;
    const file = files.get(path === '/' ? 'index.html' : path.slice(pathPrefix.length));
    return file && reply(200, file, { hasContentHash: path.startsWith(`${pathPrefix}assets/`) });
  } catch (error) {
    if (path !== '/') return undefined;
    const body = Buffer.from(toErrorMessage(error));
    return reply(500, { type: 'text/plain; charset=utf-8', body }, { hasContentHash: false });
  }
}

const reply = (
  status: number,
  { type, body }: PageFile,
  { hasContentHash }: { hasContentHash: boolean },
): GatewayReply => ({
  status,
  headers: [
    ['Content-Type', type],
    ['Cache-Control', hasContentHash ? 'max-age=31536000, immutable' : 'no-store'],
    ['Content-Security-Policy', contentSecurityPolicy],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Referrer-Policy', 'same-origin'],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body,
});

/**
 * Allows the page's own files, this server, the push server and the local S3. Allows any port of
 * this machine, because the push server and S3 get new ports at each start and stack change, and an
 * open page must still reach them.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: http://127.0.0.1:*",
  "connect-src 'self' ws://127.0.0.1:* http://127.0.0.1:*",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');
