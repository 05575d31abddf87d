/** The paper of a printed page, as an option of every door. */
import type Type from 'typebox';
import { type PaperName, paperNames } from './sheet-paper.ts';
import { choiceSchema } from './value-schemas.ts';

export const paperField = choiceSchema(paperNames, {
  description: `${paperNames.join(', ')}; letter without it`,
}) as ReturnType<typeof Type.Unsafe<PaperName>>;
