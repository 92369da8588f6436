import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import { requireFolderOf } from '../../../lib/require-folder.ts';

/** Readable and writable only by the owner. */
const mode = 0o600;

const toPartPath = (file: string) => `${file}.part`;
const toProgressPath = (file: string) => `${file}.progress`;

/** An output file, named with the suffix `.part` until it is complete. */
export interface PartialFile<State> {
  /** The last checkpoint of the interrupted export; undefined for a new file. */
  progress: State | undefined;
  append(lines: readonly object[]): Promise<void>;
  /** Records a checkpoint, from which an interrupted export resumes. */
  saveProgress(state: State): Promise<void>;
  /** Closes the file and renames it to its final name. */
  complete(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates a file of JSON lines or, with `resume`, truncates an interrupted file to its last
 * checkpoint. Throws a Problem if the file exists, its folder is missing, or there is no
 * interrupted export to resume.
 */
export async function openPartialFile<State>(
  file: string,
  resume: boolean,
  schema: v.GenericSchema<unknown, State>,
): Promise<PartialFile<State>> {
  if (existsSync(file))
    throw new Problem(`${file} already exists: choose another name with --file.`);
  requireFolderOf(file);
  const previous = resume ? await readProgress(file, schema) : undefined;
  if (!previous) {
    // A run without `resume` discards an interrupted export.
    await rm(toProgressPath(file), { force: true });
    await rm(toPartPath(file), { force: true });
  }
  const handle = await open(toPartPath(file), previous ? 'r+' : 'wx', mode);
  let bytes = previous?.bytes ?? 0;
  await handle.truncate(bytes);
  return {
    progress: previous?.state,
    append: async (lines) => {
      bytes += await writeLines(handle, lines, bytes);
    },
    saveProgress: async (state) => {
      const text = JSON.stringify({ bytes, state });
      await writeFile(`${toProgressPath(file)}.new`, text, { mode });
      await rename(`${toProgressPath(file)}.new`, toProgressPath(file));
    },
    complete: async () => {
      await handle.sync();
      await handle.close();
      await rename(toPartPath(file), file);
      await rm(toProgressPath(file), { force: true });
    },
    close: () => handle.close(),
  };
}

async function writeLines(
  handle: FileHandle,
  lines: readonly object[],
  position: number,
): Promise<number> {
  const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  for (let written = 0; written < text.length; ) {
    const { bytesWritten } = await handle.write(
      text,
      written,
      text.length - written,
      position + written,
    );
    written += bytesWritten;
  }
  return text.length;
}

async function readProgress<State>(file: string, schema: v.GenericSchema<unknown, State>) {
  const Checkpoint = v.pipe(
    v.string(),
    v.parseJson(),
    v.object({ bytes: v.number(), state: schema }),
  );
  const text = await readFile(toProgressPath(file), 'utf8').catch(() => undefined);
  if (text === undefined || !existsSync(toPartPath(file))) {
    throw new Problem(`There is no interrupted export to ${file}: omit --resume.`);
  }
  return v.parse(Checkpoint, text);
}
