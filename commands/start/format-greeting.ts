import type { Cloud } from '../../local-cloud/cloud.ts';
import { version } from '../../shared/contract/version.ts';
import { guessShell, shells } from '../users/shells.ts';

export function formatGreeting(
  { url }: Pick<Cloud, 'url'>,
  dataDirectory: string,
  playground: boolean,
): string {
  const { quote, evaluate } = shells[guessShell()];
  const data = dataDirectory === '.local' ? '' : ` --data ${quote(dataDirectory)}`;
  const tokens = `npm run -s token -- --demo${data}`;
  return [
    '',
    `API: ${url}`,
    `Version: ${version}`,
    ...(playground ? [`Playground with two users: open ${url}/ in a browser.`] : []),
    '',
    'To call the API as Ann, Bob and Carol, run in another terminal:',
    '',
    `  ${evaluate(tokens)}`,
    '  curl -H "Authorization: Bearer $BOB" $API/v1/conversations',
    '  curl -H "Authorization: Bearer $ANN" -d contact_id=bob $API/v1/conversations',
    '',
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}
