import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import { ErrorReply, errorsPath, toDocumentationUrl } from '../../../shared/contract/errors.ts';
import { sendRequest, toBearer } from '../../api/http-request.ts';
import { type Check, NotCheckable, requireValue } from '../target/check.ts';
import { getNoUsersReason, type VerifyTarget } from '../target/target.ts';

const cure = 'see lib/constructs/api/reference-function.ts, and the log of the Docs function';

export const referenceChecks = (target: VerifyTarget): Check[] => {
  const isServed = !target.stage?.docs;
  const requireOwnReference = () => {
    if (!isServed)
      throw new NotCheckable('the stage serves no reference: see `docs` in lib/stages.ts');
  };
  return [
    {
      name: 'Reference: the first page and its files are compressed',
      expected: '200, each file compressed',
      cure,
      run: async () => {
        requireOwnReference();
        const page = await fetchPage(`${target.url}/docs`);
        const sources = [...page.text.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)];
        const loaded = await Promise.all(
          sources.map(([, source = '']) => fetchPage(`${new URL(source, `${target.url}/docs`)}`)),
        );
        if (loaded.length < 2) throw new Problem(`${loaded.length} files`);
        const plain = [page, ...loaded].filter(({ encoding }) => encoding === null);
        if (plain.length > 0) throw new Problem('not compressed');
        return `${loaded.length + 1} files, ${page.encoding}`;
      },
    },
    {
      name: 'Reference: the OpenAPI document contains the URL of this stage',
      expected: target.url,
      cure,
      run: async () => {
        requireOwnReference();
        const { text } = await fetchPage(`${target.url}/docs/openapi.json`);
        const [{ url }] = v.parse(OpenApiServers, JSON.parse(text)).servers;
        if (url !== target.url) throw new Problem(url);
        return url;
      },
    },
    documentationLinkCheck(target, 'of the gateway', '/v1/messages', () => ({})),
    documentationLinkCheck(target, 'of an operation', '/v1/messages?limit=0', () =>
      toBearer(requireValue(target.users, getNoUsersReason(target)).all.ANN.token),
    ),
  ];
};

const OpenApiServers = v.looseObject({ servers: v.tuple([v.looseObject({ url: v.string() })]) });

const documentationLinkCheck = (
  { url, stage }: VerifyTarget,
  source: string,
  path: string,
  headers: () => Record<string, string>,
): Check => ({
  name: `Reference: an error ${source} links to its documentation`,
  expected: `an entry of ${stage?.docs?.errorsPage ?? `${url}${errorsPath}`}`,
  cure: 'see the functions’ environment variable ERRORS_PAGE, and the template in lib/constructs/api/error-template.ts',
  run: async () => {
    const { body } = await sendRequest(`${url}${path}`, { headers: headers() });
    const { code, documentation_url } = v.parse(ErrorReply, JSON.parse(body));
    const page = stage?.docs?.errorsPage ?? `${url}${errorsPath}`;
    if (documentation_url !== toDocumentationUrl(page, code)) throw new Problem(documentation_url);
    // A page published elsewhere may have any format.
    if (stage?.docs) return documentation_url;
    const { text } = await fetchPage(page);
    if (!text.includes(` id="${code}"`)) throw new Problem(`${page} has no entry for ${code}`);
    return documentation_url;
  },
});

/** Throws if the page redirects, its status is not 200, or its compressed body is incomplete. */
async function fetchPage(url: string): Promise<{ text: string; encoding: string | null }> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(40_000) });
  if (response.status !== 200) throw new Problem(`${url} responded ${response.status}`);
  return { text: await response.text(), encoding: response.headers.get('Content-Encoding') };
}
