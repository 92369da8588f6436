/** Pattern of contact and group ids, for an input's `pattern` attribute. */
export const idPattern = '[A-Za-z0-9_.:@\\|+=,\\-]{1,128}';
