import { collapse, operations } from './collapse.ts';
import { type Arrow, type BoxType, boxTypes, type Graph } from './graph.ts';

/** Brackets that set a node's shape in Mermaid, by resource type. */
const shapes: Record<BoxType, [open: string, close: string]> = {
  'AWS::WAFv2::WebACL': ['{{', '}}'],
  'AWS::ApiGateway::RestApi': ['{{', '}}'],
  'AWS::Lambda::Function': ['[', ']'],
  'AWS::DynamoDB::GlobalTable': ['[(', ')]'],
  'AWS::SQS::Queue': ['[[', ']]'],
  'AWS::SNS::Topic': ['>', ']'],
  'AWS::Events::Rule': ['([', '])'],
  'AWS::Cognito::UserPool': ['([', '])'],
  'AWS::CodeDeploy::Application': ['([', '])'],
};

export function toMermaid(graph: Graph): string {
  const { groups, arrows } = collapse(graph.arrows);
  const nodeIds = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const grouped = new Set(groups.flat());
  const tables = graph.boxes.filter(({ id }) =>
    [...nodeIds].some((one) => one.startsWith(`${id}/`)),
  );
  return [
    'flowchart LR',
    ...frame(
      operations,
      'functions of the operations',
      groups.map((ids) => box(ids[0] ?? '', 'AWS::Lambda::Function', ids.map(plainName))),
    ),
    ...tables.flatMap(({ id, type }) =>
      frame(`${plainName(id)}s`, boxTypes[type], [
        box(id, type, ['items']),
        ...[...nodeIds]
          .filter((one) => one.startsWith(`${id}/`))
          .sort()
          .map((one) => box(one, type, [one.split('/')[1] ?? ''])),
      ]),
    ),
    ...graph.boxes
      .filter((one) => nodeIds.has(one.id) && !grouped.has(one.id) && !tables.includes(one))
      .map((one) => `  ${box(one.id, one.type, [plainName(one.id), boxTypes[one.type]])}`),
    '  Clients((clients))',
    `  Clients --> ${findEntryPoint(graph)}`,
    ...lines(arrows),
  ].join('\n');
}

/** Returns the node that receives the clients' requests. */
function findEntryPoint({ boxes }: Graph): string {
  const findByType = (type: BoxType) => boxes.find((one) => one.type === type);
  const first = findByType('AWS::WAFv2::WebACL') ?? findByType('AWS::ApiGateway::RestApi');
  return nodeName(first?.id ?? '');
}

const frame = (id: string, title: string, content: string[]) => [
  `  subgraph ${id}["${title}"]`,
  ...content.map((line) => `    ${line}`),
  '  end',
];

function box(id: string, type: BoxType, texts: string[]): string {
  const [open, close] = shapes[type];
  return `${nodeName(id)}${open}"${texts.join('<br/>')}"${close}`;
}

/** Draws parallel arrows as one, with all their labels. Alarm arrows are dotted and unlabeled. */
function lines(arrows: readonly Arrow[]): string[] {
  const routes = Map.groupBy(arrows, ({ from, to, label }) =>
    JSON.stringify([nodeName(from), label === 'alarm' ? '-.->' : '-->', nodeName(to)]),
  );
  return [...routes].map(([route, parallel]) => {
    const [from, line, to] = JSON.parse(route);
    const label = parallel.map((arrow) => arrow.label).sort();
    return `  ${from} ${line}${line === '-->' ? `|"${label.join(', ')}"|` : ''} ${to}`;
  });
}

const nodeName = (id: string) => id.split('/').map(plainName).join('_');

/** Removes the hash that the CDK appends: MessagesSendE023A027 becomes MessagesSend. */
const plainName = (id: string) => id.replace(/[0-9A-F]{8}$/, '');
