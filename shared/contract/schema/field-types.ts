import * as v from 'valibot';
import { isInlineText, isWellFormed, wellFormedRule } from './characters.ts';
import { isObject } from './objects.ts';

/** Returns the second half of an error message, which follows the name of the parameter. */
const textRule = (min: number, max: number) => `must be a string of ${min} to ${max} characters`;

/** Returns a schema for text of `min` to `max` Unicode code points. */
export const text = (min: number, max: number) => {
  const rule = textRule(min, max);
  return v.pipe(
    v.string(rule),
    v.minCodePoints(min, rule),
    v.maxCodePoints(max, rule),
    checkWellFormed,
  );
};

const checkWellFormed = v.check((value: string) => isWellFormed(value), wellFormedRule);

/** Inline text; may be empty. */
export const Label = v.pipe(
  v.string('must be a string'),
  v.check(
    (value) => value === '' || isInlineText(value),
    'must contain a visible character, and no control characters, line breaks or characters that change the text direction',
  ),
);

/** Matches https URLs (RFC 3986). Characters that the RFC forbids must be percent-encoded. */
const httpsUriPattern =
  /^https:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[\dA-F]{2})*@)?(?:\[[\dA-F:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-F]{2})+)(?::\d*)?(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[\dA-F]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[\dA-F]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\dA-F]{2})*)?$/i;
const httpsRule = 'must be an https URL';
export const HttpsUrl = v.pipe(
  v.string(httpsRule),
  v.url(httpsRule),
  v.startsWith('https://', httpsRule),
  v.check(
    (url) => httpsUriPattern.test(url),
    'must be a URL as defined in RFC 3986: percent-encode the characters that it does not allow',
  ),
);

export const objectRule = 'must be an object';
/** Rejects arrays, which object schemas of valibot accept. */
export const PlainObject = v.custom<object>(isObject, objectRule);

export const integer = (min: number, max: number) => {
  const rule = `must be an integer from ${min} to ${max}`;
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(min, rule), v.maxValue(max, rule));
};

export const boolean = v.boolean('must be true or false');

/** Returns the schema of a boolean parameter that is false by default. */
export const flag = (description: string) =>
  v.optional(v.pipe(boolean, v.description(description)), false);

const timestampRule = 'must be a time in whole seconds since 1970';
/** Unix seconds. For display, not for ordering. */
export const Timestamp = v.pipe(
  v.number(timestampRule),
  v.integer(timestampRule),
  v.minValue(0, timestampRule),
  v.maxValue(253_402_300_799, timestampRule),
  v.description('Unix time in seconds.'),
);

export const maxExternalIdLength = 128;
const externalIdRule = `must be 1 to ${maxExternalIdLength} characters of A-Z a-z 0-9 _ . : @ | + = , -`;
/** Id of a contact, group or business. The id may be new to this service. */
export const ExternalId = v.pipe(
  v.string(externalIdRule),
  v.regex(new RegExp(`^[A-Za-z0-9_.:@|+=,-]{1,${maxExternalIdLength}}$`), externalIdRule),
);

/** Prefix of the group id of a business. The group id is also the contact id of the business. */
export const businessGroupPrefix = 'business:';

/** Prefix of the ids of groups that users create. A token cannot claim these groups. */
export const userGroupPrefix = 'grp_';

/** Id of a user. Rejects the contact ids of businesses. */
export const ContactId = v.pipe(
  ExternalId,
  v.check(
    (id) => !id.startsWith(businessGroupPrefix),
    `must not start with ${businessGroupPrefix}, because it must be the id of a user`,
  ),
);

/** Opaque id that this service assigned. The schema does not check the id's format. */
export const Id = v.pipe(v.string('must be an id'), v.nonEmpty('must be an id'));
