import { stringify } from 'yaml';
import { type Example, examples } from '../../shared/contract/examples.ts';
import { operations } from '../../shared/contract/operations.ts';
import { introduction } from '../openapi/introduction.ts';
import { toCollectionRequest } from './collection-request.ts';

const examplesById: Record<string, Example> = examples;
const findOperation = (id: string) => operations.find((row) => row.id === id);

/**
 * Returns a Bruno collection in the OpenCollection format, as files by path. The collection's
 * requests follow the scenario in shared/contract/examples.ts.
 */
export function createCollection(): Record<string, string> {
  const { info, servers } = introduction('');
  const requests = Object.entries(examplesById).map(([id, example], n) => {
    const row = findOperation(id);
    if (!row) throw new Error(`Unknown operation: ${id}.`);
    return toCollectionRequest(row, example, n + 1);
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

const guide = `Calls each operation once, in a valid order, as two users: Ann and Bob.

Choose the environment *Local cloud*, and set \`ann_token\` and \`bob_token\` to the tokens of two users:
\`npm run -s token -- ann\` and \`npm run -s token -- bob\` print them. For a deployed stage, create another environment with its
URL as \`base_url\` and the contact ids of the two users. Then run the collection from the top: the first requests store the
ids of the objects they create in variables that later requests use.
`;
