import type { Stage } from './stages.ts';

/**
 * Example domains: those of RFC 2606, and example.edu. A setting that ends with an example domain
 * is still a placeholder.
 */
const placeholder = /(^|[/@.])example(\.(com|net|org|edu))?$/;

/** Returns warnings about settings that are allowed but probably unintended. */
export function getStageWarnings({
  keepsData,
  alarmEmail,
  allowedOrigins,
  budget,
}: Stage): string[] {
  const placeholders = Object.entries({
    allowedOrigins: allowedOrigins.filter((origin) =>
      placeholder.test(origin.replace(/:\d+$/, '')),
    ),
    alarmEmail: [alarmEmail].filter((address) => placeholder.test(address ?? '')),
    'budget.email': [budget?.email].filter((address) => placeholder.test(address ?? '')),
  });
  return [
    ...(keepsData && !alarmEmail
      ? ['Alarms notify no one: the stage has no alarmEmail in lib/stages.ts.']
      : []),
    ...(keepsData && allowedOrigins.includes('*')
      ? ['Pages from any origin can call the API, because allowedOrigins in lib/stages.ts is *.']
      : []),
    ...placeholders.flatMap(([setting, values]) =>
      values.map((value) => `${setting} in lib/stages.ts is still the placeholder ${value}.`),
    ),
  ];
}
