import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { getErrorCode, Problem, toErrorMessage } from '../../lib/problem.ts';

const Values = v.record(v.string(), v.string());

export interface ParameterStore {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  /** Returns false if the parameter does not exist. */
  delete(name: string): boolean;
}

/**
 * Creates a store in a file that only its owner can read or, if `file` is undefined, in memory.
 * Throws a Problem if the file cannot be read.
 */
export function createParameterStore(file: string | undefined): ParameterStore {
  const values = new Map(Object.entries(file ? read(file) : {}));
  const save = () => {
    if (file) writeFileSync(file, JSON.stringify(Object.fromEntries(values)), { mode: 0o600 });
  };
  return {
    get: (name) => values.get(name),
    set: (name, value) => {
      values.set(name, value);
      save();
    },
    delete: (name) => {
      const existed = values.delete(name);
      save();
      return existed;
    },
  };
}

function read(file: string): Record<string, string> {
  try {
    return v.parse(Values, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return {};
    throw new Problem(
      `The parameters in ${file} cannot be read: ${toErrorMessage(error)}. Delete the file.`,
    );
  }
}
