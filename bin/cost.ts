/** `npm run cost -- --sends 5000000`: what a stage costs in a month. */
import { join } from 'node:path';
import { billFor } from '../lib/cost/bill.ts';
import { billText } from '../lib/cost/bill-text.ts';
import { readOptions, usage } from '../lib/cost/options.ts';
import { stackFacts } from '../lib/cost/stack-facts.ts';
import { codeOf, messageOf, Problem } from '../lib/local/problem.ts';
import { synthesize } from '../lib/local/synthesis.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(usage);
    return;
  }
  const { stage, volumes, free, json } = options;
  const synthesis = join(import.meta.dirname, '../.local/synthesis');
  const { template } = await synthesize(stage, synthesis);
  const bill = billFor(stackFacts(template), volumes, free);
  console.log(json ? JSON.stringify({ stage, ...bill }, undefined, 2) : billText(stage, bill));
}

main().catch((error) => {
  const isBadOption = String(codeOf(error)).startsWith('ERR_PARSE_ARGS');
  if (isBadOption) console.error(`${messageOf(error)}\n\n${usage}`);
  else console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
});
