/** The code of tasks that look at files. They write no database, so a running import does not delay them. */
import { readingOf } from '../../importing/formats/parcel-source.ts';
import { applyChoices } from '../../importing/guess/apply-choices.ts';
import { chooseMapping } from '../../importing/guess/choose-mapping.ts';
import { type ProposeOptions, proposeMapping } from '../../importing/guess/propose-mapping.ts';
import { sampleMapping } from '../../importing/guess/sample-mapping.ts';
import { proposeComps } from '../../importing/lists/propose-comps.ts';
import { proposeContacts } from '../../importing/lists/propose-contacts.ts';
import { look } from '../../importing/look.ts';
import { parseJoins } from '../../importing/mapping/mapping.ts';
import { loadNamedMapping, savedMappingNames } from '../../importing/mapping/saved-mappings.ts';
import { findCounty } from '../../importing/sources-counties.ts';
import { mappingTargets } from '../../importing/values/mapping-target.ts';
import { parseJoinRows } from '../../spec/join-rows.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import { joinFilesOf } from '../task-fields.ts';
import type { TaskInput } from '../task-kinds.ts';
import type { Code, TaskTools } from './on-land.ts';

/** ISO day. */
const dayOf = ({ now }: Pick<TaskTools, 'now'>): string => now().toISOString().slice(0, 10);

/** @param today ISO day */
const proposeOptions = (input: TaskInput<'choose_mapping'>, today: string): ProposeOptions => ({
  file: input.path,
  state: input.county === undefined ? null : (findCounty(normalFips(input.county))?.state ?? null),
  today,
  reading: readingOf(input),
  joinFiles: joinFilesOf(input.join),
  ...(input.join_key !== undefined && { joinKeys: joinFilesOf(input.join_key) }),
  ...(input.join_rows !== undefined && { joinRows: parseJoinRows(input.join_rows) }),
});

export const code: Code<'look_file' | 'propose_mapping' | 'choose_mapping' | 'propose_list' | 'preview_mapping'> = {
  look_file: ({ purpose = 'parcels', ...input }) => look(input.path, { ...readingOf(input), purpose }),
  propose_mapping: (input, tools) => {
    const { joins } = input;
    const options = {
      ...proposeOptions(input, dayOf(tools)),
      ...(joins && { joins: parseJoins(joins, 'of these tables') }),
    };
    return applyChoices(options, proposeMapping(options), input.choices ?? {});
  },
  choose_mapping: (input, tools) => chooseMapping(proposeOptions(input, dayOf(tools)), input.choices),
  propose_list: ({ path, as, choices, kept, header_row: row }, { home, ...tools }) => {
    const target = mappingTargets[as];
    const isKept = kept !== undefined && savedMappingNames(home, target).includes(kept);
    const mapping = isKept ? loadNamedMapping(home, kept, target) : null;
    return as === 'contacts'
      ? proposeContacts(path, choices, mapping, row)
      : proposeComps(path, choices, mapping, dayOf(tools), row);
  },
  preview_mapping: ({ path: file, mapping, join, ...reading }) =>
    sampleMapping({ file, mapping, reading: readingOf(reading), joinFiles: joinFilesOf(join) }),
};
