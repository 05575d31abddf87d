/** Applies a person's choice of columns to a proposal, and shows the effect. */

import { defined } from '../../spec/defined.ts';
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { parseMapping } from '../mapping/mapping.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { columnsRead } from './fit-mapping.ts';
import { checkChoices, type ListChoices } from './list-proposal.ts';
import { identityColumns, type Proposal, type ProposedColumn, type ProposeOptions } from './propose-mapping.ts';
import { sampleMapping } from './sample-mapping.ts';

/**
 * @param choices from a column of the file to one of the dictionary; an empty text for none
 * @throws EngineError mapping_invalid for an unknown column; otherwise like `sampleMapping`
 */
export function applyChoices(options: ProposeOptions, proposal: Proposal, choices: ListChoices): Proposal {
  if (Object.keys(choices).length === 0) return proposal;
  const guesses = [...proposal.columns, ...proposal.undecided];
  const known = [
    ...guesses.flatMap(({ expression }) => (expression === '$id' ? '$id' : columnsRead(expression))),
    ...proposal.unmapped.map(({ name }) => name),
  ];
  /** The unit, date format and decimal comma of a guess stay: the person has named the column alone. */
  const expressionOf = (column: string, heading: string): Expression =>
    guesses.find((one) => one.column === column && columnsRead(one.expression).join() === heading)?.expression ??
    heading;
  checkChoices(choices, [...parcelColumnsByName.keys()], known);
  const columns: Record<string, Expression> = { ...proposal.mapping?.columns };
  for (const [column, heading] of Object.entries(choices)) {
    if (heading === '') delete columns[column];
    else columns[column] = expressionOf(column, heading);
  }
  const mapping = parseMapping({ name: 'chosen', ...proposal.mapping, columns }, 'chosen');
  const { file, joinFiles, reading } = options;
  const sampled = sampleMapping({ file, mapping: { ...mapping }, ...defined({ joinFiles, reading }) });
  const said = new Set(Object.values(choices));
  const questions = proposal.questions.filter(({ about }) => choices[about] === undefined);
  const areKnown = identityColumns.every((name) => columns[name] !== undefined || choices[name] === '');
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
    questions,
    isSure: questions.length === 0 && (proposal.isSure || areKnown),
  };
}
