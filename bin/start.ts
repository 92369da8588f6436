import { once } from 'node:events';
import { Option } from '@commander-js/extra-typings';
import { commandNamed, run } from '../lib/command/command.ts';
import { interruption } from '../lib/command/interruption.ts';
import { wholeNumberFrom } from '../lib/command/kinds.ts';
import { makeDemoData } from '../lib/demo.ts';
import { type Cloud, startCloud } from '../lib/local/cloud.ts';
import { painted } from '../lib/local/terminal/paint.ts';
import { rawLines, shortLines } from '../lib/local/terminal/terminal.ts';
import { likelyShell, shells } from '../lib/users/shells.ts';

const command = commandNamed('start', 'Ctrl-C stops everything.')
  .addOption(
    new Option('--port <number>', 'where the API listens')
      .argParser(wholeNumberFrom(0, 65_535))
      .env('PORT')
      .default(3000),
  )
  .option(
    '--data <folder>',
    'where the data, the keys and the synthesized stack are kept',
    '.local',
  )
  .option('--in-memory', 'forget the data at the end', false)
  .option('--no-demo', 'leave a new table empty')
  .option('--no-playground', 'have no page at / to try the API with')
  .option('--quiet', 'do not show requests', false)
  .addOption(
    new Option('--json', 'print what the functions log as they do; all else to the standard error')
      .conflicts('quiet')
      .default(false),
  )
  .action(async ({ port, data: dataDirectory, inMemory, demo, playground, quiet, json }) => {
    const interrupted = once(interruption(), 'abort').then(() => undefined);
    const say = json ? console.error : console.log;
    const terminal = json
      ? rawLines(console.log)
      : shortLines(console.log, painted(process.stdout));
    const paint = painted(process.stderr);
    const progress = (what: string) => console.error(paint('dim', `${what} …`));
    const starting = startCloud({
      port,
      dataDirectory,
      inMemory,
      playground,
      log: quiet ? () => {} : terminal.log,
      ...(!quiet && { onExchange: terminal.onExchange }),
      warn: (line) => console.error(line),
      progress,
    });
    const cloud = await Promise.race([starting, interrupted]);
    // What is being started then ends with this process.
    if (!cloud) process.exit(0);
    try {
      if (cloud.newData && demo) {
        progress('Making demo data');
        await makeDemoData(cloud);
      }
      say(greeting(cloud, dataDirectory, playground));
      terminal.open();
      const failure = await Promise.race([interrupted, cloud.failed]);
      if (failure) throw failure;
    } finally {
      await cloud.stop();
    }
  });

/** What there is to know and to copy; the commands work as they are printed. */
function greeting({ url }: Cloud, dataDirectory: string, playground: boolean): string {
  const data = dataDirectory === '.local' ? '' : ` --data ${dataDirectory}`;
  const tokens = `npm run -s token -- --demo${data}`;
  return [
    '',
    `The API is at ${url}`,
    ...(playground ? [`To see two people use it, open ${url}/ in a browser.`] : []),
    '',
    'To try it, in another terminal, as Ann, Bob and Carol:',
    '',
    `  ${shells[likelyShell()].reading(tokens)}`,
    '  curl -H "Authorization: Bearer $BOB" $API/v1/conversations',
    '  curl -H "Authorization: Bearer $ANN" -d contact_id=bob $API/v1/conversations',
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}

await run(command);
