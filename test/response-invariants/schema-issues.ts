import * as v from 'valibot';

export const formatIssues = ({
  issues = [],
}: {
  issues?: readonly v.BaseIssue<unknown>[] | undefined;
}) => issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`).join('; ');
