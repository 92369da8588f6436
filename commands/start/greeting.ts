import type { Cloud } from '../../local-cloud/cloud.ts';
import { version } from '../../shared/contract/version.ts';
import { likelyShell, shells } from '../users/shells.ts';

/** What there is to know and to copy; the commands work as they are printed. */
export function greeting(
  { url }: Pick<Cloud, 'url'>,
  dataDirectory: string,
  playground: boolean,
): string {
  const { word, reading } = shells[likelyShell()];
  const data = dataDirectory === '.local' ? '' : ` --data ${word(dataDirectory)}`;
  const tokens = `npm run -s token -- --demo${data}`;
  return [
    '',
    `The API is at ${url}`,
    `It is version ${version}.`,
    ...(playground ? [`To see two people use it, open ${url}/ in a browser.`] : []),
    '',
    'To try it, in another terminal, as Ann, Bob and Carol:',
    '',
    `  ${reading(tokens)}`,
    '  curl -H "Authorization: Bearer $BOB" $API/v1/conversations',
    '  curl -H "Authorization: Bearer $ANN" -d contact_id=bob $API/v1/conversations',
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}
