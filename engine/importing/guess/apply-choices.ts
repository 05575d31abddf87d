/** Applies a person's choice of columns to a proposal, and shows the effect. */

import { defined } from '../../spec/defined.ts';
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { parseMapping } from '../mapping/mapping.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { checkChoices, type ListChoices } from './list-proposal.ts';
import { identityColumns, type Proposal, type ProposedColumn, type ProposeOptions } from './propose-mapping.ts';
import { sampleMapping } from './sample-mapping.ts';

/**
 * @param choices from a column of the file to one of the dictionary; an empty text for none
 * @throws EngineError mapping_invalid for an unknown column; otherwise like `sampleMapping`
 */
export function applyChoices(options: ProposeOptions, proposal: Proposal, choices: ListChoices): Proposal {
  if (Object.keys(choices).length === 0) return proposal;
  const names = [...proposal.columns.map(({ expression }) => expression), ...proposal.unmapped.map(({ name }) => name)];
  const known = names.filter((name): name is string => typeof name === 'string');
  checkChoices(choices, [...parcelColumnsByName.keys()], known);
  const columns: Record<string, Expression> = { ...proposal.mapping?.columns };
  for (const [column, heading] of Object.entries(choices)) {
    if (heading === '') delete columns[column];
    else columns[column] = heading;
  }
  const mapping = parseMapping({ name: 'chosen', ...proposal.mapping, columns }, 'chosen');
  const { file, joinFiles, reading } = options;
  const sampled = sampleMapping({ file, mapping: { ...mapping }, ...defined({ joinFiles, reading }) });
  const said = new Set(Object.values(choices));
  return {
    ...proposal,
    mapping,
    columns: sampled.columns.map((made): ProposedColumn => {
      const { column } = made;
      const guessed = proposal.columns.find((one) => one.column === column);
      const source = choices[column];
      if (source === undefined && guessed) return guessed;
      const expression = columns[column] ?? '';
      return { ...made, source: source ?? '', expression, confidence: 1, reasons: ['as you say'] };
    }),
    undecided: proposal.undecided.filter(({ column }) => choices[column] === undefined),
    unmapped: proposal.unmapped.filter(({ name }) => !said.has(name)),
    notes: identityColumns.every((name) => columns[name] !== undefined) ? [] : proposal.notes,
    isSure: identityColumns.every((name) => choices[name] !== undefined && choices[name] !== '') || proposal.isSure,
  };
}
