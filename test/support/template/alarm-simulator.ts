import * as v from 'valibot';

/** Evaluates alarms as CloudWatch does, on series with at most one value per minute. */

const Alarm = v.looseObject({
  Threshold: v.number(),
  ComparisonOperator: v.literal('GreaterThanThreshold'),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
  TreatMissingData: v.literal('notBreaching'),
  Metrics: v.array(
    v.looseObject({
      Id: v.string(),
      Expression: v.optional(v.string()),
      Period: v.optional(v.number()),
      MetricStat: v.optional(
        v.object({
          Metric: v.looseObject({ MetricName: v.string() }),
          Period: v.literal(60),
          Stat: v.string(),
        }),
      ),
    }),
  ),
});

export type Value = number | undefined;
export type Series = Readonly<Record<string, (minute: number) => Value>>;

/**
 * Returns the first minute, counted from 0, that ends with the alarm raised; undefined if there is
 * none. The keys of `series` are metric names.
 */
export function simulateAlarm(
  properties: unknown,
  series: Series,
  minutes: number,
): number | undefined {
  const alarm = v.parse(Alarm, properties);
  const formula =
    alarm.Metrics.find(({ Expression }) => Expression !== undefined)?.Expression ?? '';
  const names = new Map(
    alarm.Metrics.flatMap(({ Id, MetricStat }) =>
      MetricStat ? [[Id, MetricStat.Metric.MetricName]] : [],
    ),
  );
  const breaches = Array.from({ length: minutes }, (_, minute) => {
    const value = evaluateFormula(formula, (id) => {
      const one = series[names.get(id) ?? ''];
      if (!one) throw new Error(`There is no series for ${id}.`);
      return one(minute);
    });
    return value !== undefined && value > alarm.Threshold;
  });
  const raised = breaches.findIndex(
    (_, minute) =>
      breaches.slice(Math.max(0, minute + 1 - alarm.EvaluationPeriods), minute + 1).filter(Boolean)
        .length >= alarm.DatapointsToAlarm,
  );
  return raised === -1 ? undefined : raised;
}

/**
 * Evaluates the subset of CloudWatch metric math that the alarms use: + - * / and comparisons, IF
 * and FILL.
 */
export function evaluateFormula(formula: string, getValue: (id: string) => Value): Value {
  const tokens = formula.match(/\d+(\.\d+)?|\w+|>=|<=|[-+*/()<>,]/g) ?? [];
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const take = (token: string) => {
    if (next() !== token) throw new Error(`${formula}: expected ${token} at token ${at}`);
  };
  const chain =
    (signs: Readonly<Record<string, (a: number, b: number) => Value>>, part: () => Value) => () => {
      let value = part();
      for (let sign = signs[tokens[at] ?? '']; sign; sign = signs[tokens[at] ?? '']) {
        at += 1;
        const other = part();
        value = value === undefined || other === undefined ? undefined : sign(value, other);
      }
      return value;
    };
  const argument = (end: string) => {
    const value = whole();
    take(end);
    return value;
  };
  const part = (): Value => {
    const token = next();
    if (token === '(') return argument(')');
    if (/^\d/.test(token)) return Number(token);
    if (tokens[at] !== '(') return getValue(token);
    take('(');
    if (token === 'FILL') {
      const [value, fallback] = [argument(','), argument(')')];
      return value ?? fallback;
    }
    if (token !== 'IF') throw new Error(`${formula}: the function ${token} is not supported`);
    const [condition, yes, no] = [argument(','), argument(','), argument(')')];
    return condition === undefined ? undefined : condition ? yes : no;
  };
  const product = chain(
    { '*': (a, b) => a * b, '/': (a, b) => (b === 0 ? undefined : a / b) },
    part,
  );
  const sum = chain({ '+': (a, b) => a + b, '-': (a, b) => a - b }, product);
  const whole = chain(
    {
      '>': (a, b) => Number(a > b),
      '>=': (a, b) => Number(a >= b),
      '<': (a, b) => Number(a < b),
      '<=': (a, b) => Number(a <= b),
    },
    sum,
  );
  const value = whole();
  if (at !== tokens.length) throw new Error(`${formula}: unexpected text after token ${at}`);
  return value;
}
