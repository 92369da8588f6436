import { expect, test } from '@jest/globals';
import { getTemplate, prepareTemplates } from '../support/template/get-template.ts';
import { stageVariants } from '../support/template/stage-variants.ts';

prepareTemplates(stageVariants);

/** Lambda's default quota of filters per event source mapping. */
const maxFilters = 5;

test.each(stageVariants)(
  'Each event source of stage %s has at most five filters',
  (name, stage) => {
    const mappings = getTemplate(name, stage).findResources('AWS::Lambda::EventSourceMapping');
    const counts = Object.entries(mappings).map(([id, { Properties }]) => ({
      id,
      filters: Properties.FilterCriteria?.Filters?.length ?? 0,
    }));
    expect(counts.filter(({ filters }) => filters > maxFilters)).toEqual([]);
  },
);
