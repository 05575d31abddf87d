/** What answers each question, in a worker process. It opens no database: an import that runs does not hold it up. */

import type { ReadOptions } from '../importing/formats/parcel-source.ts';
import { proposeMapping } from '../importing/guess/propose-mapping.ts';
import { sampleMapping } from '../importing/guess/sample-mapping.ts';
import { proposeComps } from '../importing/lists/propose-comps.ts';
import { proposeContacts } from '../importing/lists/propose-contacts.ts';
import { look } from '../importing/look.ts';
import { loadNamedMapping, savedMappingNames } from '../importing/mapping/saved-mappings.ts';
import { findCounty } from '../importing/sources-counties.ts';
import { mappingTargets } from '../importing/values/mapping-target.ts';
import { normalFips } from '../spec/value-schemas.ts';
import type { questions, ReadingInput } from './question-kinds.ts';
import type { Works } from './task-kind.ts';
import type { DoWork } from './worker-messages.ts';

const readingOf = ({ layer, crs }: ReadingInput): ReadOptions => ({
  ...(layer === undefined ? {} : { layer }),
  ...(crs === undefined ? {} : { crs }),
});

const joinOf = ({ join }: { readonly join?: string }) => (join === undefined ? {} : { joinFile: join });

const stateOf = (county: string | undefined): string | null =>
  county === undefined ? null : (findCounty(normalFips(county))?.state ?? null);

interface Asked {
  readonly home: string;
  /** ISO day. */
  readonly today: string;
}

const answers: Works<typeof questions, Asked> = {
  look_file: ({ purpose = 'parcels', ...input }) => look(input.path, { ...readingOf(input), purpose }),
  propose_mapping: (input, { today }) =>
    proposeMapping({
      file: input.path,
      state: stateOf(input.county),
      today,
      reading: readingOf(input),
      ...joinOf(input),
    }),
  propose_list: ({ path, as, choices, kept }, { home, today }) => {
    const target = mappingTargets[as];
    const isKept = kept !== undefined && savedMappingNames(home, target).includes(kept);
    const mapping = isKept ? loadNamedMapping(home, kept, target) : null;
    return as === 'contacts' ? proposeContacts(path, choices, mapping) : proposeComps(path, choices, mapping, today);
  },
  preview_mapping: (input) =>
    sampleMapping({ file: input.path, mapping: input.mapping, reading: readingOf(input), ...joinOf(input) }),
};

export const doWork: DoWork = async ({ kind, input, home, now }) =>
  answers[kind as keyof typeof questions](input as never, { home, today: new Date(now).toISOString().slice(0, 10) });
