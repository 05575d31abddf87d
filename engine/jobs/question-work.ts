/** The code of each question; runs in a worker process. It writes no database, so a running import does not delay it. */

import { bookOptions } from '../book/book-fields.ts';
import { estimateBook } from '../book/estimate-book.ts';
import { readingOf } from '../importing/formats/parcel-source.ts';
import { applyChoices } from '../importing/guess/apply-choices.ts';
import { chooseMapping } from '../importing/guess/choose-mapping.ts';
import { type ProposeOptions, proposeMapping } from '../importing/guess/propose-mapping.ts';
import { sampleMapping } from '../importing/guess/sample-mapping.ts';
import { proposeComps } from '../importing/lists/propose-comps.ts';
import { proposeContacts } from '../importing/lists/propose-contacts.ts';
import { look } from '../importing/look.ts';
import { parseJoins } from '../importing/mapping/mapping.ts';
import { loadNamedMapping, savedMappingNames } from '../importing/mapping/saved-mappings.ts';
import { findCounty } from '../importing/sources-counties.ts';
import { mappingTargets } from '../importing/values/mapping-target.ts';
import { parseJoinRows } from '../spec/join-rows.ts';
import { normalFips } from '../spec/value-schemas.ts';
import { openLandStore } from '../store/land-store.ts';
import type { QuestionInput, questions } from './question-kinds.ts';
import { joinFilesOf, type Works } from './task-kind.ts';
import type { DoWork } from './worker-messages.ts';

/** @param today ISO day */
const proposeOptions = (input: QuestionInput<'choose_mapping'>, today: string): ProposeOptions => ({
  file: input.path,
  state: input.county === undefined ? null : (findCounty(normalFips(input.county))?.state ?? null),
  today,
  reading: readingOf(input),
  joinFiles: joinFilesOf(input.join),
  ...(input.join_rows !== undefined && { joinRows: parseJoinRows(input.join_rows) }),
});

interface Asked {
  readonly home: string;
  readonly now: Date;
  /** ISO day. */
  readonly today: string;
}

const answers: Works<typeof questions, Asked> = {
  look_file: ({ purpose = 'parcels', ...input }) => look(input.path, { ...readingOf(input), purpose }),
  propose_mapping: (input, { today }) => {
    const { joins } = input;
    const options = { ...proposeOptions(input, today), ...(joins && { joins: parseJoins(joins, 'of these tables') }) };
    return applyChoices(options, proposeMapping(options), input.choices ?? {});
  },
  choose_mapping: (input, { today }) => chooseMapping(proposeOptions(input, today)),
  propose_list: ({ path, as, choices, kept, header_row: row }, { home, today }) => {
    const target = mappingTargets[as];
    const isKept = kept !== undefined && savedMappingNames(home, target).includes(kept);
    const mapping = isKept ? loadNamedMapping(home, kept, target) : null;
    return as === 'contacts'
      ? proposeContacts(path, choices, mapping, row)
      : proposeComps(path, choices, mapping, today, row);
  },
  plan_book: (input, { home, now }) => {
    const land = openLandStore(home, () => performance.now());
    try {
      return land.file.snapshot(() => estimateBook(land, bookOptions(input, now)));
    } finally {
      land.close();
    }
  },
  preview_mapping: ({ path: file, mapping, join, ...reading }) =>
    sampleMapping({ file, mapping, reading: readingOf(reading), joinFiles: joinFilesOf(join) }),
};

export const doWork: DoWork = async ({ kind, input, home, now: at }) => {
  const now = new Date(at);
  return answers[kind as keyof typeof questions](input as never, { home, now, today: now.toISOString().slice(0, 10) });
};
