import * as v from 'valibot';
import { isBlank, isWellFormed, wellFormedRule } from '../schema/characters.ts';
import { objectRule, PlainObject, text } from '../schema/field-types.ts';
import { messageLimits } from '../schema/message-limits.ts';
import { reservedNames } from '../schema/objects.ts';

/** Creates a schema for an object that allows only the given fields. */
export const strictRecord = <Fields extends v.ObjectEntries>(fields: Fields) =>
  v.pipe(PlainObject, v.strictObject(fields, objectRule));

/** Creates a check that imported values are well-formed Unicode. Replies are not checked. */
const checkWellFormed = <Value>() =>
  v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (dataset.typed && !isWellFormed(dataset.value)) addIssue({ message: wellFormedRule });
  });

const freeFormRule = `must not have a field named ${reservedNames.join(', ')}`;

/** Accepts an object with any fields except `reservedNames`, and leaves it unchanged. */
export const FreeForm = v.pipe(
  PlainObject,
  v.check((value) => !reservedNames.some((name) => Object.hasOwn(value, name)), freeFormRule),
  v.looseObject({}),
  checkWellFormed(),
);

export const Text = v.pipe(v.string('must be a string'), checkWellFormed());

export const arrayOf = <Item extends v.GenericSchema>(item: Item) =>
  v.array(item, 'must be an array');

const httpUrlRule = 'must be an http or https URL';
export const HttpUrl = v.pipe(
  v.string(httpUrlRule),
  v.regex(/^https?:\/\/\S+$/, httpUrlRule),
  v.url(httpUrlRule),
);

const anyUrlRule = 'must be an absolute URL, such as https://… or tel:…';
/** Accepts any scheme, because a link may also start a call or an e-mail. */
export const AnyUrl = v.pipe(
  v.string(anyUrlRule),
  v.regex(/^[A-Za-z][A-Za-z0-9+.-]*:\S+$/, anyUrlRule),
  v.url(anyUrlRule),
);

const emailRule = 'must be an e-mail address';
/** Accepts letters of any script. */
export const EmailAddress = v.pipe(v.string(emailRule), v.regex(/^[^\s@]+@[^\s@]+$/, emailRule));

const countryRule = 'must be an ISO 3166 code of two upper-case letters';
export const CountryCode = v.pipe(v.string(countryRule), v.regex(/^[A-Z]{2}$/, countryRule));

const localTimeRule =
  'must be a local date and time without a time zone, such as 2026-03-01T09:30:00';
export const LocalTime = v.pipe(
  v.string(localTimeRule),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/, localTimeRule),
  v.check(
    (text) => new Date(`${text}Z`).toJSON()?.slice(0, 16) === text.slice(0, 16),
    localTimeRule,
  ),
);

/** Returns 0 for -0 and absolute values below 1e-100, because some stores cannot represent them. */
const roundTinyToZero = (value: number) => (Math.abs(value) < 1e-100 ? 0 : value);

export const degrees = (limit: number) => {
  const rule = `must be a number from ${-limit} to ${limit}`;
  return v.pipe(
    v.number(rule),
    v.minValue(-limit, rule),
    v.maxValue(limit, rule),
    v.transform(roundTinyToZero),
  );
};

export const integerBetween = (
  min: number,
  max: number,
  rule = `must be an integer from ${min} to ${max}`,
) =>
  v.pipe(
    v.number(rule),
    v.integer(rule),
    v.minValue(min, rule),
    v.maxValue(max, rule),
    v.transform(roundTinyToZero),
  );

const { MIN_SAFE_INTEGER: minInteger, MAX_SAFE_INTEGER: maxInteger } = Number;
export const AnyInteger = integerBetween(minInteger, maxInteger, 'must be an integer');
export const Count = integerBetween(0, maxInteger, 'must be an integer of at least 0');

/** Accepts the same text as the `message` field of a message, except the empty string. */
export const AutoReply = v.pipe(
  text(1, messageLimits.textCharacters),
  v.check((value) => !isBlank(value), 'must not be blank'),
);

const priceLevels = ['inexpensive', 'moderate', 'expensive', 'very_expensive'] as const;
export const PriceLevel = v.picklist(priceLevels, `must be one of ${priceLevels.join(', ')}`);
