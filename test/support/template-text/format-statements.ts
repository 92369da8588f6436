import * as v from 'valibot';

const Statement = v.looseObject({
  Effect: v.string(),
  Action: v.unknown(),
  Resource: v.optional(v.unknown()),
  Principal: v.optional(v.unknown()),
  Condition: v.optional(v.unknown()),
});

const Metric = v.looseObject({
  Id: v.string(),
  MetricStat: v.object({
    Metric: v.object({ Dimensions: v.unknown(), MetricName: v.string(), Namespace: v.string() }),
    Period: v.number(),
    Stat: v.string(),
  }),
});

const NamedValue = v.strictObject({ Name: v.string(), Value: v.unknown() });
const Tag = v.strictObject({ Key: v.string(), Value: v.string() });

/** Replaces statements, metrics, dimensions, tags and dashboards with one line of text each. */
export function formatStatements(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, item) => {
    if (key === 'DashboardBody') return '<widgets>';
    if (v.is(Statement, item)) return statement(item);
    if (v.is(Metric, item)) return metric(item);
    if (v.is(NamedValue, item)) return `${item.Name} ${item.Value}`;
    if (v.is(Tag, item)) return `${item.Key} ${item.Value}`;
    return item;
  });
}

const statement = ({
  Effect,
  Action,
  Resource,
  Principal,
  Condition,
}: v.InferOutput<typeof Statement>) =>
  [
    Effect,
    ...(Principal === undefined ? [] : [words(Principal)]),
    words(Action),
    ...(Resource === undefined ? [] : ['on', words(Resource)]),
    ...(Condition === undefined ? [] : ['if', words(Condition)]),
  ].join(' ');

const metric = ({ Id, MetricStat }: v.InferOutput<typeof Metric>) => {
  const { Metric: measured, Period, Stat } = MetricStat;
  return `${Id} = ${Stat} of ${measured.Namespace} ${measured.MetricName} of ${words(measured.Dimensions)} in ${Period} s`;
};

const words = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(words).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, item]) => `${key} ${words(item)}`)
    .join(' and ');
};
