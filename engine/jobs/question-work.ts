/** What answers each question, in a worker process. It opens no database: an import that runs does not hold it up. */
import { look } from '../importing/look.ts';
import { proposeMapping } from '../importing/profiles/propose-mapping.ts';
import { sampleMapping } from '../importing/profiles/sample-mapping.ts';
import {
  loadContactMapping,
  loadNamedCompMapping,
  savedListMappings,
} from '../importing/profiles/saved-list-mappings.ts';
import { proposeComps } from '../importing/propose-comps.ts';
import { proposeContacts } from '../importing/propose-contacts.ts';
import type { ReadOptions } from '../importing/readers/parcel-source.ts';
import { findCounty } from '../importing/sources-counties.ts';
import { normalFips } from '../spec/value-schemas.ts';
import type { LookInput, QuestionInputs, QuestionName } from './question-kinds.ts';

const readingOf = ({ layer, crs }: LookInput): ReadOptions => ({
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

const answers: { readonly [Name in QuestionName]: (input: QuestionInputs[Name], asked: Asked) => unknown } = {
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
    const isKept = kept !== undefined && savedListMappings(home, as).includes(kept);
    return as === 'contacts'
      ? proposeContacts(path, choices, isKept ? loadContactMapping(home, kept) : null)
      : proposeComps(path, choices, isKept ? loadNamedCompMapping(home, kept) : null, today);
  },
  preview_mapping: (input) =>
    sampleMapping({ file: input.path, mapping: input.mapping, reading: readingOf(input), ...joinOf(input) }),
};

/** @throws EngineError as the functions that it calls */
export const answerQuestion = (name: QuestionName, input: unknown, asked: Asked): unknown =>
  answers[name](input as never, asked);
