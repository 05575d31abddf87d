/** A proposal for a file of contacts or comps, as text for the terminal. */
import type { ListProposal } from '../importing/guess/list-proposal.ts';
import { quoted, suggestedName } from './arguments.ts';
import { tableText } from './output.ts';

export function listProposalText({ fields, profile, unused, lack, left_out: leftOut, first }: ListProposal): string[] {
  const rows = fields
    .filter(({ source }) => source !== null)
    .map(({ field, source, reason, sample, options }) => ({
      field,
      from: source?.slice(0, 40) ?? '',
      'in the file': options ? '' : (sample?.slice(0, 30) ?? ''),
      why: reason ?? 'as you say',
    }));
  return [
    ...(profile === null ? [] : [`It matches the profile ${profile}.`, '']),
    rows.length === 0 ? 'No column was recognized.' : tableText(['field', 'from', 'in the file', 'why'], rows),
    ...(unused.length > 0
      ? [
          '',
          `Unused columns of the file (${unused.length}):`,
          ...unused.map(({ name, sample }) => `  ${name}${sample === null ? ', empty' : `: ${sample.slice(0, 50)}`}`),
        ]
      : []),
    ...(leftOut === null ? [] : ['', `Not read: ${leftOut}.`]),
    ...(lack === null ? [] : ['', `It lacks ${lack}.`]),
    ...(first.length > 0 ? ['', 'The first rows, as they will be stored:', ...first.map((line) => `  ${line}`)] : []),
  ];
}

/** The next commands, ready to copy. @param saved the name it was saved under */
export function listNextText({ file, as, lack, fields }: ListProposal, saved: string | null): string {
  const county = as === 'comps' ? ' --county <FIPS>' : '';
  if (saved !== null && lack === null)
    return `Kept. Next:\n  platbook import ${as} ${quoted(file)}${county} --mapping ${saved}`;
  const name = suggestedName(file);
  const free = fields.filter(({ source }) => source === null).map(({ field }) => field);
  return [
    ...(lack === null
      ? ['Next:', `  platbook import ${as} ${quoted(file)}${county}`, 'or, to change it and save it:']
      : ['Name the columns yourself, and save them:']),
    `  platbook map ${quoted(file)} --as ${as} --set "FIELD=COLUMN" --save ${saved ?? name}`,
    ...(free.length > 0 ? [`Fields without a column: ${free.join(', ')}`] : []),
  ].join('\n');
}
