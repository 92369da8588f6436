import * as v from 'valibot';

/** Values of a metric, one per period; undefined if missing. */
export type Series = readonly (number | undefined)[];

/**
 * Evaluates a CloudWatch metric math expression for each period. Supports IF, FILL with a number,
 * arithmetic, comparisons, AND and OR. If an operand is missing, the arithmetic result is missing.
 */
export function evaluate(expression: string, metrics: Readonly<Record<string, Series>>): Series {
  const names = Object.keys(metrics);
  const script = expression.replace(/\bAND\b/g, '&&').replace(/\bOR\b/g, '||');
  if (/[^\w\s.,()<>=!+*/&|-]/.test(script))
    throw new Error(`Unsupported expression: ${expression}`);
  const compute = new Function('IF', 'FILL', ...names, `return Number(${script});`);
  const periods = Math.max(...Object.values(metrics).map(({ length }) => length));
  return Array.from({ length: periods }, (_, n) => {
    const values = names.map((name) => metrics[name]?.[n]);
    const value = v.parse(
      v.nullable(v.union([v.number(), v.nan()])),
      compute(choose, fillMissing, ...values),
    );
    return value === null || Number.isNaN(value) ? undefined : value;
  });
}

const choose = (condition: unknown, yes: number, no: number) => (condition ? yes : no);
const fillMissing = (value: number | undefined, fallback: number) => value ?? fallback;

/**
 * Reports for each period whether the alarm is raised at the end of the period. The alarm is raised
 * if at least `needed` of the last `of` values exceed the threshold `above`. Missing values do not
 * count.
 */
export const isAlarmRaised = (
  values: Series,
  { above, needed, of }: { above: number; needed: number; of: number },
): boolean[] =>
  values.map(
    (_, n) =>
      values
        .slice(Math.max(0, n + 1 - of), n + 1)
        .filter((value) => value !== undefined && value > above).length >= needed,
  );
