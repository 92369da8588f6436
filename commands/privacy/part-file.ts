import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { requireFolderOf } from '../../lib/require-folder.ts';

/** Nobody else on the machine may read it. */
const mode = 0o600;

const part = (file: string) => `${file}.part`;
const mark = (file: string) => `${file}.progress`;

/** A file that is being written, under another name until it is whole. */
export interface PartFile<State> {
  /** Where it was broken off; undefined when it begins. */
  leftOff: State | undefined;
  append(lines: readonly object[]): Promise<void>;
  /** All that was appended so far is as it should be: from here on it may be gone on. */
  keep(state: State): Promise<void>;
  /** Gives it its name. */
  finish(): Promise<void>;
  /** Leaves it as it is. */
  close(): Promise<void>;
}

/**
 * Begins a file of JSON lines, or goes on with one that was broken off: then what came after the
 * last `keep` is written again. Throws a Problem where there is a file of that name, no folder for
 * it, or none to go on with.
 */
export async function partFile<State>(
  file: string,
  resume: boolean,
  schema: v.GenericSchema<unknown, State>,
): Promise<PartFile<State>> {
  if (existsSync(file))
    throw new Problem(`${file} is there already: give another name, with --file.`);
  requireFolderOf(file);
  const left = resume ? await readMark(file, schema) : undefined;
  if (!left) {
    // Whatever is there is of whoever made it.
    await rm(mark(file), { force: true });
    await rm(part(file), { force: true });
  }
  const handle = await open(part(file), left ? 'r+' : 'wx', mode);
  let bytes = left?.bytes ?? 0;
  await handle.truncate(bytes);
  return {
    leftOff: left?.state,
    append: async (lines) => {
      bytes += await write(handle, lines, bytes);
    },
    keep: async (state) => {
      const text = JSON.stringify({ bytes, state });
      await writeFile(`${mark(file)}.new`, text, { mode });
      await rename(`${mark(file)}.new`, mark(file));
    },
    finish: async () => {
      await handle.sync();
      await handle.close();
      await rename(part(file), file);
      await rm(mark(file), { force: true });
    },
    close: () => handle.close(),
  };
}

async function write(handle: FileHandle, lines: readonly object[], at: number): Promise<number> {
  const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  for (let done = 0; done < text.length; ) {
    const { bytesWritten } = await handle.write(text, done, text.length - done, at + done);
    done += bytesWritten;
  }
  return text.length;
}

async function readMark<State>(file: string, schema: v.GenericSchema<unknown, State>) {
  const Mark = v.pipe(v.string(), v.parseJson(), v.object({ bytes: v.number(), state: schema }));
  const text = await readFile(mark(file), 'utf8').catch(() => undefined);
  if (text === undefined || !existsSync(part(file))) {
    throw new Problem(`There is no export to ${file} to go on with: leave --resume out.`);
  }
  return v.parse(Mark, text);
}
