import { type Stack, Validations } from 'aws-cdk-lib';

/** A rule that a resource does not keep. */
export interface Finding {
  rule: string;
  /** Path of the resource in the app. */
  at: string;
}

/** A rule that is put aside, with a reason, for what is at or below that path. */
export type Acknowledgement = Finding;

/** What the code of the stack acknowledges of the rules whose names begin so. */
export const findAcknowledgements = (stack: Stack, prefix: string): Acknowledgement[] =>
  stack.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.keys(data))
      .map((key) => ({ rule: key.replace(/^annotation::/i, ''), at: node.path }))
      .filter(({ rule }) => rule.startsWith(prefix)),
  );

const isOf = (acknowledgement: Acknowledgement, { rule, at }: Finding) =>
  rule === acknowledgement.rule && `${at}/`.startsWith(`${acknowledgement.at}/`);

/** Findings that nobody has acknowledged, and acknowledgements that there is no finding for. */
export const compareFindings = (
  findings: readonly Finding[],
  acknowledgements: readonly Acknowledgement[],
) => ({
  unanswered: findings.filter((finding) => !acknowledgements.some((one) => isOf(one, finding))),
  unneeded: acknowledgements.filter((one) => !findings.some((finding) => isOf(one, finding))),
});

/** Every finding has its answer, and every answer its finding. */
export const noFindings: ReturnType<typeof compareFindings> = { unanswered: [], unneeded: [] };
