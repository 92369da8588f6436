import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { requireFolderOf } from '../../lib/require-folder.ts';

/** Readable and writable only by the owner. */
const mode = 0o600;

const part = (file: string) => `${file}.part`;
const mark = (file: string) => `${file}.progress`;

/** A file being written, with the suffix `.part` until it is complete. */
export interface PartFile<State> {
  /** The progress when it was interrupted; undefined for a new file. */
  leftOff: State | undefined;
  append(lines: readonly object[]): Promise<void>;
  /**
   * Records a checkpoint: everything appended so far is valid, and an export can resume from here.
   */
  keep(state: State): Promise<void>;
  /** Renames it to its final name. */
  finish(): Promise<void>;
  /** Closes it without completing it. */
  close(): Promise<void>;
}

/**
 * Creates a file of JSON lines, or resumes an interrupted one after its last checkpoint. Throws a
 * Problem if the file exists, its folder is missing, or there is none to resume.
 */
export async function partFile<State>(
  file: string,
  resume: boolean,
  schema: v.GenericSchema<unknown, State>,
): Promise<PartFile<State>> {
  if (existsSync(file)) throw new Problem(`${file} already exists: give another name with --file.`);
  requireFolderOf(file);
  const left = resume ? await readMark(file, schema) : undefined;
  if (!left) {
    // The existing file belongs to another process.
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
    throw new Problem(`There is no interrupted export to ${file}: omit --resume.`);
  }
  return v.parse(Mark, text);
}
