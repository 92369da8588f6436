import { findNodeAtLocation, getNodeValue, type JSONPath, type Node } from 'jsonc-parser';
import { Problem } from '../../lib/problem.ts';
import type { Fault } from './fault.ts';
import { parseJson } from './parse-json.ts';
import { createLineCounter } from './source-text.ts';

/** A record as read from the file, not yet validated. */
export interface SourceRecord {
  value: unknown;
  /** Returns the line number of the field, or of its closest existing parent. */
  getLine(path: JSONPath): number;
}

export interface Source {
  records: SourceRecord[];
  /** One fault per NDJSON line that is not valid JSON. */
  faults: Fault[];
}

/**
 * Parses a JSON list, a JSON object whose `data` is a list, or NDJSON with one record on each line.
 * Throws a Problem for any other text.
 */
export const parseRecords = (text: string): Source =>
  isNdjson(text) ? parseLines(text) : parseDocument(text);

/**
 * Reports whether the first line contains an object, possibly malformed. Returns false for an
 * object whose `data` is a list.
 */
function isNdjson(text: string): boolean {
  const first = /\S[^\n]*/.exec(text)?.[0].trim() ?? '';
  if (!first.startsWith('{') || !first.endsWith('}')) return false;
  const json = parseJson(first);
  return !('node' in json && findDataList(json.node));
}

function parseLines(text: string): Source {
  const source: Source = { records: [], faults: [] };
  for (const [n, lineText] of text.split('\n').entries()) {
    if (lineText.trim() === '') continue;
    const line = n + 1;
    const json = parseLine(lineText);
    if ('value' in json) source.records.push({ value: json.value, getLine: () => line });
    else source.faults.push({ line, field: null, reason: json.reason });
  }
  return source;
}

/**
 * Parses a line with `JSON.parse`, which is faster than `parseJson`. Uses `parseJson` if the line
 * is invalid or has more than 1,000 opening brackets.
 */
function parseLine(text: string): { value: unknown } | { reason: string } {
  const value = isShallow(text) ? tryParse(text) : undefined;
  if (value !== undefined) return { value };
  const json = parseJson(text);
  return 'node' in json ? { value: getNodeValue(json.node) } : json;
}

const isShallow = (text: string) => (text.match(/[{[]/g) ?? []).length <= 1000;

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseDocument(text: string): Source {
  const getLineAt = createLineCounter(text);
  const json = parseJson(text);
  if (!('node' in json)) {
    throw new Problem(`Line ${getLineAt(json.offset)} of the file ${json.reason}.`);
  }
  const list = json.node.type === 'array' ? json.node : findDataList(json.node);
  if (!list) {
    throw new Problem(
      'The file must be a JSON list, an object with a list as `data`, or NDJSON with an object on each line.',
    );
  }
  const records = (list.children ?? []).map((node) => ({
    value: getNodeValue(node),
    getLine: (path: JSONPath) => getLineAt(findNearestNode(node, path).offset),
  }));
  return { records, faults: [] };
}

function findDataList(node: Node): Node | undefined {
  const data = findNodeAtLocation(node, ['data']);
  return data?.type === 'array' ? data : undefined;
}

/** Returns the node at the path. If there is none, returns its innermost existing ancestor. */
const findNearestNode = (node: Node, path: JSONPath): Node =>
  findNodeAtLocation(node, path) ?? findNearestNode(node, path.slice(0, -1));
