export type Rule = readonly [expected: string, holds: boolean];

export const getBrokenRules = (rules: readonly Rule[]): string[] =>
  rules.flatMap(([expected, holds]) => (holds ? [] : [expected]));
