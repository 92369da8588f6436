/** Environment variables of a function that rejects unknown parameters. */
export const strictVariables = { STRICT: 'true' };

export const isStrict = (): boolean => process.env.STRICT === strictVariables.STRICT;
