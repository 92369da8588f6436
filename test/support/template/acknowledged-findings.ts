import { type Stack, Validations } from 'aws-cdk-lib';

export interface Finding {
  rule: string;
  /** Path of the resource in the app. */
  at: string;
}

/** A rule that is suppressed, with a reason, for the resources at or below a path. */
export type Acknowledgement = Finding;

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

export const compareFindings = (
  findings: readonly Finding[],
  acknowledgements: readonly Acknowledgement[],
) => ({
  unanswered: findings.filter((finding) => !acknowledgements.some((one) => isOf(one, finding))),
  unneeded: acknowledgements.filter((one) => !findings.some((finding) => isOf(one, finding))),
});

export const noFindings: ReturnType<typeof compareFindings> = { unanswered: [], unneeded: [] };
