import type { Finding } from './target/check.ts';

const width = 'not checkable'.length;

/** Formats a finding as one line. If the finding has a remedy, adds the remedy as a second line. */
export function formatFinding({ check, state, expected, seen, cure }: Finding): string {
  const line = `${state.padEnd(width)}  ${check}`;
  if (state === 'not checkable') return `${line}: ${seen}`;
  const text = `${line}: expected ${expected}; found ${seen}`;
  return cure === undefined ? text : `${text}\n${' '.repeat(width)}  → ${cure}`;
}

export function formatSummary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length;
  return `${count('ok')} ok, ${count('failed')} failed, ${count('not checkable')} not checkable here`;
}
