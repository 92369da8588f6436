import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

const Checkpoints = v.record(v.string(), v.string());

/** How far each mapping has come in each shard: the sequence number of the last record it is done with. */
export interface Checkpoints {
  get(mapping: string, shard: string): string | undefined;
  set(mapping: string, shard: string, sequenceNumber: string): void;
}

/** Kept in the file, so that a stop, or a crash, loses no record; without a file, in memory. */
export function checkpoints(file: string | undefined): Checkpoints {
  const positions = new Map(Object.entries(file ? read(file) : {}));
  return {
    get: (mapping, shard) => positions.get(`${mapping} ${shard}`),
    set: (mapping, shard, sequenceNumber) => {
      positions.set(`${mapping} ${shard}`, sequenceNumber);
      if (file) writeFileSync(file, JSON.stringify(Object.fromEntries(positions)));
    },
  };
}

function read(file: string): Record<string, string> {
  try {
    return v.parse(Checkpoints, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // None yet, or torn by a crash: the records are given again, which Lambda does too at times.
    return {};
  }
}
