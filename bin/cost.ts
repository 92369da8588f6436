/** `npm run cost -- --sends 5000000`: what a stage costs in a month. */
import { join } from 'node:path';
import { synthesize } from '../lib/assembly/synthesis.ts';
import { runCommand } from '../lib/command/command.ts';
import { billFor } from '../lib/cost/bill.ts';
import { billText } from '../lib/cost/bill-text.ts';
import { readOptions, usage } from '../lib/cost/options.ts';
import { stackFacts } from '../lib/cost/stack-facts.ts';

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

runCommand(main, usage);
