/** Ids of contacts and groups, as an input's `pattern`. */
export const idPattern = '[A-Za-z0-9_.:@\\|+=,\\-]{1,128}';
