/** Questions about files: answered in a process of their own, so that nothing else waits for them. */
import Type, { type TObject, type TProperties, type TUnsafe } from 'typebox';
import type { BookEstimate } from '../book/estimate-book.ts';
import type { ChosenMapping } from '../importing/guess/choose-mapping.ts';
import type { ListProposal } from '../importing/guess/list-proposal.ts';
import type { Proposal } from '../importing/guess/propose-mapping.ts';
import type { MappingSample } from '../importing/guess/sample-mapping.ts';
import type { Look } from '../importing/look.ts';
import { type TaskInput, type TaskName, tasks } from '../jobs/task-kinds.ts';
import { oneOf, strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const asker = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Who asks, like one screen of one window: a newer question stops the older, which fails as taken back.',
});

export const askerField = { asker: Type.Optional(asker) };

export interface Answers {
  look_file: Look;
  choose_mapping: ChosenMapping;
  propose_mapping: Proposal;
  preview_mapping: MappingSample;
  propose_list: ListProposal;
  plan_book: BookEstimate;
}

const question = <Name extends TaskName<'newest wins'>, Fields extends TProperties>(
  name: Name,
  { docs, input }: { readonly docs: string; readonly input: TObject<Fields> },
) =>
  defineRead({
    name,
    docs: `${docs} In a process of its own; changes nothing. A newer question of the same \`asker\` stops it.`,
    input: Type.Object({ ...input.properties, ...askerField } as Fields & typeof askerField, strict),
    output: Type.Unsafe<Answers[Name]>(Type.Unknown()),
    run: async (given, { jobs }) => {
      const { asker: who, ...asked } = given as { readonly asker?: string };
      return (await jobs.ask(name, asked as TaskInput<Name>, who)) as ValueOf<TUnsafe<Answers[Name]>>;
    },
  });

export const lookFile = question('look_file', tasks.look_file);
export const proposeMapping = question('propose_mapping', tasks.propose_mapping);
export const previewMapping = question('preview_mapping', tasks.preview_mapping);
export const proposeList = question('propose_list', tasks.propose_list);

export const dropQuestion = defineRead({
  name: 'drop_question',
  docs: 'Stops what an `asker` waits for; without a question nothing happens.',
  input: Type.Object({ asker }, strict),
  output: Type.Null(),
  run: async ({ asker: who }, { jobs }) => {
    jobs.drop(who);
    return null;
  },
});

const path = Type.String({ minLength: 1, maxLength: 4096 });

const imageryKindSchema = Type.Object(
  { kind: oneOf(['photo', 'heights', 'tiles', 'unknown']), words: Type.String(), needs_crs: Type.Boolean() },
  strict,
);

export const imageryKind = defineRead({
  name: 'imagery_kind',
  docs: 'What a file on this computer is to the map: a photo of the air, heights, tiles, or, with the reason, none of them. Of a photo whose coordinate system is missing or does not fit, `needs_crs` is true and `words` say so; `crs` tries one.',
  input: Type.Object({ path, crs: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }, strict),
  output: imageryKindSchema,
  run: async (asked, { jobs }) => (await jobs.inTurn('imagery_kind', asked)) as Type.Static<typeof imageryKindSchema>,
});
