import { columns } from '../command/columns.ts';
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
    '',
    ...charges('The month that was asked for', bill.month),
  ].join('\n');
}

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

function perMillion({ perMillion: rows }: Bill): string[] {
  const services = [...new Set(rows.flatMap(({ byService }) => Object.keys(byService)))];
  return columns(
    [
      ['A million of each', ...services, 'US$'],
      ...rows.map(({ operation, byService, usd: total }) => [
        operation,
        ...services.map((service) => usd(byService[service] ?? 0)),
        usd(total),
      ]),
    ],
    1,
  );
}
