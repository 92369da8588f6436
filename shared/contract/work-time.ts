import * as v from 'valibot';
import { integerFrom, listOfEach, record } from './business-values.ts';

const Opening = record({ hour: integerFrom(0, 23), minute: integerFrom(0, 59) });

/** 24:00 is the end of the day. */
const Closing = v.pipe(
  record({ hour: integerFrom(0, 24), minute: integerFrom(0, 59) }),
  v.check(({ hour, minute }) => hour < 24 || minute === 0, 'must not be after 24:00'),
);

export const Hours = v.pipe(
  record({ open: Opening, close: Closing }),
  v.description('Hours that end before they begin, such as 22:00 to 02:00, end on the next day.'),
);

const Day = v.nullable(listOfEach(Hours));

export const WorkTime = v.pipe(
  record({
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
