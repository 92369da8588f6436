import { buildClient, measuredExports, measureSize } from '../client/generator/build-client.ts';
import { defineCommand, run } from '../commands/cli/command.ts';

const command = defineCommand('client').action(async () => {
  buildClient();
  console.log('Wrote client/dist. Bundle sizes:');
  for (const [what, names] of Object.entries(measuredExports)) {
    const { minified, gzipped } = await measureSize(...names);
    console.log(`  for ${what.replaceAll('`', '')}: ${minified} bytes, ${gzipped} with gzip`);
  }
});

await run(command);
