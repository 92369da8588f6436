import { alignColumns } from '../cli/align-columns.ts';
import type { Bill, Charges } from './bill.ts';

const usd = (amount: number) =>
  amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const quantity = (amount: number) =>
  amount.toLocaleString('en-US', { maximumFractionDigits: amount < 100 ? 2 : 0 });

export function formatBill(stage: string, bill: Bill): string {
  return [
    `Monthly cost of the stage ${stage} in US dollars: ${bill.region}, list prices of ${bill.pricesAsOf}, without tax.`,
    bill.free
      ? 'The free tier is deducted. To omit the deduction, add --no-free.'
      : 'The free tier is not deducted.',
    '',
    ...formatCharges('Without traffic', bill.idle),
    '',
    ...formatPerMillion(bill),
    ...(bill.listening ? ['', ...explainListening(bill)] : []),
    '',
    ...formatCharges('With the given traffic', bill.month),
  ].join('\n');
}

const explainListening = ({ listeners }: Bill) => [
  `Events are stored in feeds for 30 days, and published to ${quantity(listeners)} connections (--listeners).`,
  'AppSync bills each publication to an inbox, each delivery, each connection and each subscription.',
  'A listening hour (--listening-hours) is one connection for an hour without events. It includes the connection',
  'minutes, occasional reconnects, a subscription per channel, the API requests of the client, and a channel',
  'authorizer invocation for each connection and subscription.',
];

function formatCharges(title: string, { lines, usd: total }: Charges): string[] {
  return [
    ...alignColumns(
      [
        [title, '', 'quantity', 'US$'],
        ...lines.map((line) => [line.service, line.unit, quantity(line.quantity), usd(line.usd)]),
        ['Total', '', '', usd(total)],
      ],
      2,
    ),
  ];
}

function formatPerMillion({ perMillion: ofOperations, listening }: Bill): string[] {
  const rows = listening ? [...ofOperations, listening] : ofOperations;
  const services = [...new Set(rows.flatMap(({ byService }) => Object.keys(byService)))];
  return alignColumns(
    [
      ['One million of each', ...services, 'US$'],
      ...rows.map(({ of, byService, usd: total }) => [
        of,
        ...services.map((service) => usd(byService[service] ?? 0)),
        usd(total),
      ]),
    ],
    1,
  );
}
