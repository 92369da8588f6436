import { stringify } from 'yaml';
import { type Example, examples } from '../../shared/contract/examples.ts';
import { operations } from '../../shared/contract/operations.ts';
import { introduction } from '../openapi/introduction.ts';
import { collectionRequest } from './collection-request.ts';

const exampleOf: Record<string, Example> = examples;
const rowOf = (id: string) => operations.find((row) => row.id === id);

/**
 * A collection of requests for Bruno, in the format OpenCollection: by their paths in its folder,
 * the files. Its requests are the story of shared/contract/examples.ts, which two people tell from
 * the top to the end.
 */
export function collection(): Record<string, string> {
  const { info, servers } = introduction('');
  const requests = Object.entries(exampleOf).map(([id, example], n) => {
    const row = rowOf(id);
    if (!row) throw new Error(`There is no operation ${id}.`);
    return collectionRequest(row, example, n + 1);
  });
  const environment = {
    name: 'Local cloud',
    variables: [
      { name: 'base_url', value: servers[0]?.url },
      { name: 'ann_id', value: 'ann' },
      { name: 'ann_token', secret: true },
      { name: 'bob_id', value: 'bob' },
      { name: 'bob_token', secret: true },
    ],
  };
  const files = {
    'opencollection.yml': {
      opencollection: '1.0.0',
      info: { name: info.title },
      docs: { content: guide, type: 'text/markdown' },
      bundled: false,
    },
    'environments/Local cloud.yml': environment,
    ...Object.fromEntries(requests.map(({ file, ...request }) => [file, request])),
  };
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      `${generatedNotice}${stringify(content, { lineWidth: 0 })}`,
    ]),
  );
}

const generatedNotice = '# Written by `npm run docs` from shared/contract.\n';

const guide = `A conversation of Ann and Bob, and a look at the businesses: each operation once, in an order that works.

Choose the environment *Local cloud*, and put tokens of two people into \`ann_token\` and \`bob_token\`:
\`npm run -s token -- ann\` and \`npm run -s token -- bob\` print them. For a deployed stage, make another environment, with its
address as \`base_url\` and the contact ids of the two. Then run the collection from the top: the first requests put the ids
of what they made into the variables that the later ones use.
`;
