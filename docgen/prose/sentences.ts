const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns the sentences of a Markdown page, omitting code blocks, tables, headings and link
 * targets. Replaces each piece of inline code with one word.
 */
export function splitSentences(markdown: string): string[] {
  const prose = markdown
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/```.*?```/gs, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/^\s*(\|.*|#.*)$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .replace(/[*_]{1,2}([^*_]+)[*_]{1,2}/g, '$1')
    .replace(/^\s*(?:[-*]|\d+\.)\s+/gm, '\n\n');
  return prose
    .split(/\n\s*\n/)
    .flatMap((paragraph) => [...segmenter.segment(paragraph.replace(/\s+/g, ' '))])
    .map(({ segment }) => segment.trim())
    .filter((sentence) => wordCount(sentence) > 0);
}

export const wordCount = (text: string): number => text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;

/** Returns the median sentence length in words; 0 if there are no sentences. */
export function medianLength(sentences: readonly string[]): number {
  const lengths = sentences.map(wordCount).sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 0;
}
