import { describe, expect, test } from '@jest/globals';
import { parseRecords } from '../../../commands/businesses/parse-records.ts';
import { readSource } from '../../../commands/businesses/source-text.ts';
import { writeTemporaryFile } from './temporary-file.ts';

async function read(content: string | Buffer) {
  const { records, faults } = parseRecords(await readSource(writeTemporaryFile(content)));
  return { records: records.map(({ value, getLine }) => [getLine([]), value]), faults };
}

const a = { public_id: 'a', title: 'Ä €' };
const b = { public_id: 'b', work_time: { monday: [] } };
const lines = `${JSON.stringify(a)}\n${JSON.stringify(b)}`;

describe('A file of businesses', () => {
  test.each([
    ['a list on one line', JSON.stringify([a, b]), 1, 1],
    ['a formatted list', JSON.stringify([a, b], undefined, 2), 2, 6],
    ['a list, after empty lines', `\n\n${JSON.stringify([a, b])}\n`, 3, 3],
    ['an object with a list', JSON.stringify({ data: [a, b] }), 1, 1],
    ['a formatted object with a list', JSON.stringify({ x: 1, data: [a, b] }, undefined, 2), 4, 8],
    ['NDJSON', lines, 1, 2],
    ['NDJSON with a trailing line break', `${lines}\n`, 1, 2],
    ['NDJSON with empty lines', `\n${lines.replace('\n', '\n \n')}\n\n`, 2, 4],
    ['NDJSON with Windows line endings', lines.replace('\n', '\r\n'), 1, 2],
  ])('may be %s, with or without a byte order mark', async (_, text, lineOfA, lineOfB) => {
    const expected = {
      records: [
        [lineOfA, a],
        [lineOfB, b],
      ],
      faults: [],
    };
    expect(await read(text)).toEqual(expected);
    expect(await read(`\uFEFF${text}`)).toEqual(expected);
  });

  test('may contain one record or none', async () => {
    expect(await read(JSON.stringify(a))).toEqual({ records: [[1, a]], faults: [] });
    expect(await read('[]')).toEqual({ records: [], faults: [] });
    expect(await read('{"data": []}')).toEqual({ records: [], faults: [] });
  });

  test('in NDJSON may contain malformed lines: each is reported, and the other lines are parsed', async () => {
    const broken = [
      '{"public_id": "x",}',
      JSON.stringify(a),
      '{"public_id" "y"}',
      '{"public_id": "z',
    ];
    expect(await read(broken.join('\n'))).toEqual({
      records: [[2, a]],
      faults: [
        { line: 1, field: null, reason: 'must be valid JSON (property name expected)' },
        { line: 3, field: null, reason: 'must be valid JSON (colon expected)' },
        { line: 4, field: null, reason: 'must be valid JSON (unexpected end of string)' },
      ],
    });
  });

  test('in NDJSON is parsed except for lines that nest too deeply, which are reported', async () => {
    const deep = `{"attributes": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await read([JSON.stringify(a), deep].join('\n'))).toEqual({
      records: [[1, a]],
      faults: [{ line: 2, field: null, reason: 'nests too deeply for the parser' }],
    });
  });

  test.each([
    [
      'a malformed list',
      '[\n{"public_id": "a"}\n{}]',
      'Line 3 of the file must be valid JSON (comma expected).',
    ],
    [
      'a list with comments',
      '[\n// one\n{}]',
      'Line 2 of the file must be valid JSON (invalid comment token).',
    ],
    [
      'a list with a trailing comma',
      '[\n{},\n]',
      'Line 3 of the file must be valid JSON (value expected).',
    ],
    ['empty', '', 'Line 1 of the file must be valid JSON (value expected).'],
    [
      'an object without `data`',
      '{\n"businesses": []\n}',
      /^The file must be a JSON list, an object with a list/,
    ],
    ['a number', '5', /^The file must be a JSON list, an object with a list/],
    [
      'a value that nests too deeply',
      '['.repeat(100_000),
      'Line 1 of the file nests too deeply for the parser.',
    ],
  ])('must not be %s', async (_, text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });

  test('must exist, be readable and be UTF-8 text', async () => {
    await expect(read(Buffer.from([0x5b, 0xff, 0x5d]))).rejects.toThrow(/ is not UTF-8 text\.$/);
    await expect(read(Buffer.from('\uFEFF[]', 'utf16le'))).rejects.toThrow(/ is not UTF-8 text\.$/);
    await expect(readSource('no/such/file')).rejects.toThrow('File not found: no/such/file.');
    await expect(readSource('lib')).rejects.toThrow(/^Cannot read lib: EISDIR/);
  });
});
