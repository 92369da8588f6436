import * as v from 'valibot';
import { arrayOf, integerBetween, strictRecord } from './business-field-types.ts';

const Opening = strictRecord({ hour: integerBetween(0, 23), minute: integerBetween(0, 59) });

/** Closing time. Accepts 24:00, the end of the day. */
const Closing = v.pipe(
  strictRecord({ hour: integerBetween(0, 24), minute: integerBetween(0, 59) }),
  v.check(({ hour, minute }) => hour < 24 || minute === 0, 'must not be after 24:00'),
);

export const Hours = v.pipe(
  strictRecord({ open: Opening, close: Closing }),
  v.description(
    'If `close` is not after `open`, as in 22:00 to 02:00, the hours end on the next day.',
  ),
);

const Day = v.nullable(arrayOf(Hours));

export const WorkTime = v.pipe(
  strictRecord({
    monday: Day,
    tuesday: Day,
    wednesday: Day,
    thursday: Day,
    friday: Day,
    saturday: Day,
    sunday: Day,
  }),
  v.description('Hours of each day of the week; null if closed.'),
);
