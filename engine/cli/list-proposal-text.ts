/** How a file of contacts or comps is understood, for the terminal. */
import type { ListProposal } from '../importing/guess/list-proposal.ts';
import { quoted, suggestedName } from './arguments.ts';
import { tableText } from './output.ts';

export function listProposalText({ fields, profile, unused, lack, first }: ListProposal): string[] {
  const rows = fields
    .filter(({ source }) => source !== null)
    .map(({ field, source, reason, sample, options }) => ({
      field,
      from: source?.slice(0, 40) ?? '',
      'in the file': options ? '' : (sample?.slice(0, 30) ?? ''),
      why: reason ?? 'as you say',
    }));
  return [
    ...(profile === null ? [] : [`It is of the profile ${profile}.`, '']),
    rows.length === 0 ? 'No column is known.' : tableText(['field', 'from', 'in the file', 'why'], rows),
    ...(unused.length > 0
      ? [
          '',
          `Columns of the file that go nowhere (${unused.length}):`,
          ...unused.map(({ name, sample }) => `  ${name}${sample === null ? ', empty' : `: ${sample.slice(0, 50)}`}`),
        ]
      : []),
    ...(lack === null ? [] : ['', `It lacks ${lack}.`]),
    ...(first.length > 0 ? ['', 'The first rows, as they will be kept:', ...first.map((line) => `  ${line}`)] : []),
  ];
}

/** What to type next, ready to be copied. @param saved the name that it was kept under */
export function listNextText({ file, as, lack, fields }: ListProposal, saved: string | null): string {
  const county = as === 'comps' ? ' --county <FIPS>' : '';
  if (saved !== null && lack === null)
    return `Kept. Next:\n  platbook import ${as} ${quoted(file)}${county} --mapping ${saved}`;
  const name = suggestedName(file);
  const free = fields.filter(({ source }) => source === null).map(({ field }) => field);
  return [
    ...(lack === null
      ? ['Next:', `  platbook import ${as} ${quoted(file)}${county}`, 'or, to say otherwise and keep it:']
      : ['Say yourself which column is what, and keep it:']),
    `  platbook map ${quoted(file)} --as ${as} --set "FIELD=COLUMN" --save ${saved ?? name}`,
    ...(free.length > 0 ? [`Fields that have no column: ${free.join(', ')}`] : []),
  ].join('\n');
}
