import { columns } from '../cli/columns.ts';
import type { Bill, Charges } from './bill.ts';

const usd = (amount: number) =>
  amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const quantity = (amount: number) =>
  amount.toLocaleString('en-US', { maximumFractionDigits: amount < 100 ? 2 : 0 });

/** The bill as tables to read, in US dollars. */
export function billText(stage: string, bill: Bill): string {
  return [
    `What the stage ${stage} costs a month, in US dollars: ${bill.region}, list prices known on ${bill.pricesAsOf}, no tax;`,
    bill.free
      ? 'what every account has for nothing is taken off (--no-free leaves it in).'
      : 'nothing is taken off for what every account has for nothing.',
    '',
    ...charges('With nothing sent', bill.idle),
    '',
    ...perMillion(bill),
    ...(bill.listening ? ['', ...listeningExplained(bill)] : []),
    '',
    ...charges('The month that was asked for', bill.month),
  ].join('\n');
}

const listeningExplained = ({ listeners }: Bill) => [
  `What changes something is told of: in feeds, for 30 days, and to ${quantity(listeners)} connections (--listeners).`,
  'AppSync counts a publication for each inbox, a delivery for each connection, each connection and each subscription.',
  'An hour of listening is one connection’s in which nothing happens: its minutes, a subscription to each channel, which',
  'the channel authorizer is asked about, and what its client asks of the API (--listening-hours has those of the month).',
];

function charges(title: string, { lines, usd: total }: Charges): string[] {
  return [
    ...columns(
      [
        [title, '', 'quantity', 'US$'],
        ...lines.map((line) => [line.service, line.unit, quantity(line.quantity), usd(line.usd)]),
        ['Total', '', '', usd(total)],
      ],
      2,
    ),
  ];
}

function perMillion({ perMillion: ofOperations, listening }: Bill): string[] {
  const rows = listening ? [...ofOperations, listening] : ofOperations;
  const services = [...new Set(rows.flatMap(({ byService }) => Object.keys(byService)))];
  return columns(
    [
      ['A million of each', ...services, 'US$'],
      ...rows.map(({ of, byService, usd: total }) => [
        of,
        ...services.map((service) => usd(byService[service] ?? 0)),
        usd(total),
      ]),
    ],
    1,
  );
}
