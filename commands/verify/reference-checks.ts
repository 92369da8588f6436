import * as v from 'valibot';
import { ErrorReply, errorsPath, toDocumentationUrl } from '../../shared/contract/errors.ts';
import { ask, bearer } from './ask.ts';
import { type Check, Differs, NotCheckable, needed } from './check.ts';
import { noPeople, type Subject } from './subject.ts';

const cure = 'see lib/constructs/api/reference-function.ts, and the log of the function Docs';

/** Returns the checks of the stage's API reference and of the links from errors to it. */
export const referenceChecks = (subject: Subject): Check[] => {
  const served = !subject.stage?.docs;
  const ownOnly = () => {
    if (!served) throw new NotCheckable('the stage serves no reference: see docs in lib/stages.ts');
  };
  return [
    {
      name: 'Reference: scripts of the page load compressed',
      expected: '200, and more than one megabyte of code in less than half a megabyte',
      cure,
      look: async () => {
        ownOnly();
        const page = await got(`${subject.url}/docs`);
        const sources = [...page.text.matchAll(/<script src="([^"]+)"/g)].map(([, one]) => one);
        const loaded = await Promise.all(
          sources.map((source) => got(`${new URL(source ?? '', `${subject.url}/docs`)}`)),
        );
        const bytes = loaded.reduce((sum, { text }) => sum + text.length, 0);
        if (bytes < 1_000_000) throw new Differs(`${bytes} bytes of code`);
        const plain = loaded.filter(({ coding }) => coding === null);
        if (plain.length > 0) throw new Differs('not compressed');
        return `${bytes} bytes of code, ${loaded[0]?.coding}`;
      },
    },
    {
      name: 'Reference: its document contains the URL of this stage',
      expected: subject.url,
      cure,
      look: async () => {
        ownOnly();
        const { text } = await got(`${subject.url}/docs/openapi.json`);
        const [{ url }] = v.parse(Document, JSON.parse(text)).servers;
        if (url !== subject.url) throw new Differs(url);
        return url;
      },
    },
    leads(subject, 'of the gateway', '/v1/messages', () => ({})),
    leads(subject, 'of an operation', '/v1/messages?limit=0', () =>
      bearer(needed(subject.people, noPeople(subject)).all.ANN.token),
    ),
  ];
};

const Document = v.looseObject({ servers: v.tuple([v.looseObject({ url: v.string() })]) });

const leads = (
  { url, stage }: Subject,
  whose: string,
  path: string,
  headers: () => Record<string, string>,
): Check => ({
  name: `Reference: an error ${whose} links to its documentation`,
  expected: `an entry of ${stage?.docs?.errorsPage ?? `${url}${errorsPath}`}`,
  cure: 'see ERRORS_PAGE of the functions, and the template in lib/constructs/api/error-template.ts',
  look: async () => {
    const { body } = await ask(`${url}${path}`, { headers: headers() });
    const { code, documentation_url } = v.parse(ErrorReply, JSON.parse(body));
    const page = stage?.docs?.errorsPage ?? `${url}${errorsPath}`;
    if (documentation_url !== toDocumentationUrl(page, code)) throw new Differs(documentation_url);
    // A page published elsewhere may have any format.
    if (stage?.docs) return documentation_url;
    const { text } = await got(page);
    if (!text.includes(` id="${code}"`)) throw new Differs(`${page} has no entry for ${code}`);
    return documentation_url;
  },
});

/** Fetches like a browser, and fails if a compressed body is incomplete. */
async function got(url: string): Promise<{ text: string; coding: string | null }> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(40_000) });
  if (response.status !== 200) throw new Differs(`${url} responded ${response.status}`);
  return { text: await response.text(), coding: response.headers.get('Content-Encoding') };
}
