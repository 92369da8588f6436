import { nameParts, phrases } from './glossary.ts';
import { medianLength, splitSentences } from './sentences.ts';

/** Maximum median sentence length of a page, in words. */
const maxMedianWords = 18;
/** Maximum width of a comment line, in columns: the formatter's width for code. */
const maxCommentColumns = 100;

export interface Finding {
  file: string;
  /** Counted from 1. */
  line: number;
  problem: string;
}

/** Git pathspecs of the folders and pages that the prose linter checks; `:!` excludes a path. */
export const checkedPaths: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  '.dependency-cruiser.js',
  'jest.config.js',
  'docs/',
  'bin/',
  'client/src/',
  ':!client/src/generated/',
  'commands/',
  'demo/',
  'docgen/',
  'examples/',
  ':!docgen/prose/glossary.ts',
  'functions/',
  'lib/',
  'local-cloud/',
  'playground/',
  'reference/',
  'shared/',
  'test/',
  ':!test/docgen/prose/',
];

export function checkProse(file: string, text: string): Finding[] {
  const lines = text.split('\n');
  const isCode = /\.(ts|tsx|js|cjs)$/.test(file);
  return [
    ...lines.flatMap((line, n) =>
      forbiddenPhrases(line).map((problem) => ({ line: n + 1, problem })),
    ),
    ...(isCode ? lines.flatMap(commentWidth) : []),
    ...(isCode ? declarations(text) : []),
    ...(isCode && !file.startsWith('test/') ? docComments(text) : []),
    ...(file.endsWith('.md') ? sentenceLength(text) : []),
  ].map((finding) => ({ file, ...finding }));
}

type Located = Omit<Finding, 'file'>;

const forbiddenPhrases = (line: string): string[] =>
  phrases.flatMap(({ pattern, suggestion }) => {
    const found = line.match(pattern)?.[0];
    return found === undefined ? [] : [`“${found}”: ${suggestion}`];
  });

function commentWidth(line: string, n: number): Located[] {
  const isComment = /^\s*(\/\/|\/?\*)/.test(line);
  // Long links, suppressions and the tags @type and @param cannot be wrapped.
  if (
    !isComment ||
    line.length <= maxCommentColumns ||
    /https?:|biome-ignore|@type|@param/.test(line)
  )
    return [];
  const problem = `comment line has ${line.length} columns: the maximum is ${maxCommentColumns}`;
  return [{ line: n + 1, problem }];
}

function declarations(text: string): Located[] {
  const declared = /\b(?:const|let|function|class|interface|type)\s+([A-Za-z]\w*)/g;
  return [...text.matchAll(declared)].flatMap(({ 1: name = '', index }) =>
    nameParts
      .filter(({ pattern }) => pattern.test(name))
      .map(({ suggestion }) => ({
        line: getLineAt(text, index),
        problem: `name “${name}”: ${suggestion}`,
      })),
  );
}

/** Reports exported functions whose doc comments do not begin with a verb such as “Returns”. */
function docComments(text: string): Located[] {
  const documented =
    /\/\*\*\s*(?:\*\s)?([\w’'-]+)(?:(?!\*\/)[\s\S])*\*\/\nexport (?:async )?(?:function|const \w+ = (?:async )?(?:<[^>]*>)?\([^)]*\)(?:: [^=]+)? =>)/g;
  return [...text.matchAll(documented)].flatMap(({ 1: first = '', index }) =>
    /^[A-Z][a-z]+s$/.test(first) && first !== 'This'
      ? []
      : [
          {
            line: getLineAt(text, index),
            problem: `doc comment begins with “${first}”: use a verb such as “Returns”`,
          },
        ],
  );
}

function sentenceLength(text: string): Located[] {
  const median = medianLength(splitSentences(text));
  return median <= maxMedianWords
    ? []
    : [
        {
          line: 1,
          problem: `median sentence has ${median} words: the maximum is ${maxMedianWords}`,
        },
      ];
}

const getLineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
