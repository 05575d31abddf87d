/** Questions about files: answered in a process of their own, so that nothing else waits for them. They change nothing. */
import Type from 'typebox';
import type { ListProposal } from '../importing/list-proposal.ts';
import type { Look } from '../importing/look.ts';
import type { Proposal } from '../importing/profiles/propose-mapping.ts';
import type { MappingSample } from '../importing/profiles/sample-mapping.ts';
import { type QuestionInputs, type QuestionName, questions } from '../jobs/question-kinds.ts';
import { type ChangeDefinition, defineChange } from './change.ts';

const strict = { additionalProperties: false };
const asker = Type.String({ minLength: 1, maxLength: 100 });

interface Answers {
  look_file: Look;
  propose_mapping: Proposal;
  preview_mapping: MappingSample;
  propose_list: ListProposal;
}

/** Who asks, like one screen of one window: a newer question stops the older, which fails as taken back. */
export type Asked<Input> = Input & { readonly asker?: string };

const question = <Name extends QuestionName>(
  name: Name,
): ChangeDefinition<Asked<QuestionInputs[Name]>, Answers[Name]> => {
  const { docs, input } = questions[name];
  return defineChange({
    name,
    docs: `${docs} In a process of its own; changes nothing. A newer question of the same \`asker\` stops it.`,
    input: Type.Object({ ...input.properties, asker: Type.Optional(asker) }, strict),
    output: Type.Unknown(),
    run: async ({ asker: who, ...asked }, { questions: runner }) => ({
      data: (await runner.ask(name, asked as unknown as QuestionInputs[Name], who)) as Answers[Name],
    }),
  });
};

export const lookFile = question('look_file');
export const proposeMappingChange = question('propose_mapping');
export const previewMapping = question('preview_mapping');
export const proposeList = question('propose_list');

export const dropQuestion = defineChange<{ asker: string }, null>({
  name: 'drop_question',
  docs: 'Stops what an `asker` waits for; without a question nothing happens.',
  input: Type.Object({ asker }, strict),
  output: Type.Null(),
  run: ({ asker: who }, { questions: runner }) => {
    runner.drop(who);
    return { data: null };
  },
});
