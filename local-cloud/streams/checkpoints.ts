import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

const Checkpoints = v.record(v.string(), v.string());

/** Sequence number, per mapping and shard, up to which all records have been processed. */
export interface Checkpoints {
  get(mapping: string, shard: string): string | undefined;
  set(mapping: string, shard: string, sequenceNumber: string): void;
}

/**
 * Creates checkpoints in the file, so that a stop or crash loses no record. If no file is
 * specified, keeps the checkpoints in memory.
 */
export function createCheckpoints(file: string | undefined): Checkpoints {
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
    // If the file is missing or torn by a crash, each mapping restarts at its starting position.
    return {};
  }
}
