/** Saves reviewed mappings. */
import Type from 'typebox';
import { listKinds } from '../importing/guess/list-proposal.ts';
import { saveMapping } from '../importing/mapping/saved-mappings.ts';
import { mappingTargets } from '../importing/values/mapping-target.ts';
import { oneOf, strict } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

const text = Type.String({ minLength: 1, maxLength: 4096 });
export const saveMappingChange = defineChange({
  name: 'save_mapping',
  docs: 'Checks a mapping and saves it as `<home>/mappings/NAME.json`; replaces one of the same name.',
  input: Type.Object({ name: text, mapping: Type.Record(Type.String(), Type.Unknown()) }, strict),
  output: Type.Object({ path: text }, strict),
  run: ({ name, mapping }, { home }) => ({ data: { path: saveMapping(home, name, mapping) } }),
});

const as = oneOf(listKinds);

export const saveListMappingChange = defineChange({
  name: 'save_list_mapping',
  docs: 'Checks a mapping of contacts or comps and saves it as `<home>/mappings/contacts/NAME.json` or `…/comps/NAME.json`.',
  input: Type.Object({ as, name: text, mapping: Type.Record(Type.String(), Type.Unknown()) }, strict),
  output: Type.Object({ path: text }, strict),
  run: ({ as: kind, name, mapping }, { home }) => ({
    data: { path: saveMapping(home, name, mapping, mappingTargets[kind]) },
  }),
});
