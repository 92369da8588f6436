import type { Stage } from './stages.ts';

/** Domains that belong to nobody: whoever left one in a stage has not said yet what should be there (RFC 2606). */
const placeholder = /(^|[/@.])example(\.(com|net|org|edu))?$/;

/** What somebody should know before the stage is deployed: settings that are allowed, and hardly meant. */
export function adviceOn({ keepsData, alarmEmail, allowedOrigins, budget }: Stage): string[] {
  const placeholders = Object.entries({
    allowedOrigins: allowedOrigins.filter((origin) =>
      placeholder.test(origin.replace(/:\d+$/, '')),
    ),
    alarmEmail: [alarmEmail].filter((address) => placeholder.test(address ?? '')),
    'budget.email': [budget?.email].filter((address) => placeholder.test(address ?? '')),
  });
  return [
    ...(keepsData && !alarmEmail
      ? ['Nobody is told of alarms: the stage has no alarmEmail in lib/stages.ts.']
      : []),
    ...(keepsData && allowedOrigins.includes('*')
      ? ['Pages of every origin may call the API: allowedOrigins in lib/stages.ts is *.']
      : []),
    ...placeholders.flatMap(([setting, values]) =>
      values.map((value) => `${setting} in lib/stages.ts is still the placeholder ${value}.`),
    ),
  ];
}
