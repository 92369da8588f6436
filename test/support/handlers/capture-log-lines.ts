import { jest } from '@jest/globals';
import * as v from 'valibot';
import { logOutput } from '../../../shared/log/log.ts';

const Line = v.looseObject({ timestamp: v.pipe(v.string(), v.isoTimestamp()), level: v.string() });
export type Line = v.InferOutput<typeof Line>;

export async function captureLogLines(act: () => Promise<unknown>): Promise<Line[]> {
  const print = jest.spyOn(logOutput, 'print');
  try {
    await act();
    return print.mock.calls.map(([line]) => v.parse(v.pipe(v.string(), v.parseJson(), Line), line));
  } finally {
    print.mockRestore();
  }
}
