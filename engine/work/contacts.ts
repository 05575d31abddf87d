/** Deleting a person from the contact records, and taking one off the opt-out list. */
import Type from 'typebox';
import { count, strict, textSchema, wantedPersonSchema } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { tellLocal } from './tell-local.ts';

const unwanted = Type.Object({ person: Type.Optional(wantedPersonSchema), phone: Type.Optional(textSchema()) }, strict);

export const deleteContactChange = defineChange({
  name: 'delete_contact',
  docs: 'Deletes a person, by name and place or by number, from the contact records of the home with what traces found, and keeps later lists from bringing the person back. It cannot be undone.',
  input: unwanted,
  output: Type.Object(
    {
      records: count('Contact records that are gone.'),
      numbers: count('Numbers that are on the opt-out list now.'),
      other_records: count('Records of others that lost one of these numbers.'),
      traces: count('Kept traces that are gone, or lost a number.'),
      copies: Type.Array(Type.String(), {
        description: 'Folders of the home whose older people.sqlite was cleaned too.',
      }),
      still_held: Type.Array(Type.String(), { description: 'Sentences: what still holds the person, or may.' }),
    },
    strict,
  ),
  run: async (unwanted, engine) => {
    const deleted = await tellLocal(() => engine.deleteContact(unwanted));
    return { data: { ...deleted, copies: [...deleted.copies], still_held: [...deleted.still_held] } };
  },
});

export const allowContactChange = defineChange({
  name: 'allow_contact',
  docs: 'Takes a person, by name and place, or a number off the opt-out list: lists that are imported from now on may bring them again. Nothing that was deleted comes back.',
  input: unwanted,
  output: Type.Object({ entries: count('Entries of the list that are gone; 0: it did not hold them.') }, strict),
  run: async (wanted, engine) => ({ data: { entries: await tellLocal(async () => engine.allowContact(wanted)) } }),
});
