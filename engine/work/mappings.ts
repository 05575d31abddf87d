/** Saves reviewed mappings, and lists saved ones. */
import Type from 'typebox';
import { listKinds } from '../importing/guess/list-proposal.ts';
import { loadMapping, type Mapping, profileNames } from '../importing/mapping/mapping.ts';
import { loadNamedMapping, savedMappingNames, saveMapping } from '../importing/mapping/saved-mappings.ts';
import { mappingTargets } from '../importing/values/mapping-target.ts';
import { EngineError } from '../spec/errors.ts';
import { noInput, oneOf, strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

const text = Type.String({ minLength: 1, maxLength: 4096 });
export const saveMappingChange = defineChange({
  name: 'save_mapping',
  docs: 'Checks a mapping and saves it as `<home>/mappings/NAME.json`; replaces one of the same name.',
  input: Type.Object({ name: text, mapping: Type.Record(Type.String(), Type.Unknown()) }, strict),
  output: Type.Object({ path: text }, strict),
  run: ({ name, mapping }, { home }) => ({ data: { path: saveMapping(home, name, mapping) } }),
});

const namedMapping = Type.Object({
  name: text,
  title: text,
  isSaved: Type.Boolean({ description: 'Saved by the user; else a profile bundled with Platbook.' }),
  mapping: Type.Unsafe<Mapping>(Type.Unknown()),
});
type NamedMapping = ValueOf<typeof namedMapping>;

export const listMappings = defineChange({
  name: 'list_mappings',
  docs: 'The mappings saved in the home, and the profiles bundled with Platbook.',
  input: noInput,
  output: Type.Array(namedMapping),
  run: (_input, { home }) => ({
    data: [
      ...savedMappingNames(home).flatMap((name) => named(name, true, () => loadNamedMapping(home, name))),
      ...profileNames().map((name) => describe(name, false, loadMapping(name))),
    ],
  }),
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

export const keptListMappings = defineChange({
  name: 'kept_list_mappings',
  docs: 'Names of the mappings of contacts or comps saved in the home.',
  input: Type.Object({ as }, strict),
  output: Type.Array(Type.String()),
  run: ({ as: kind }, { home }) => ({ data: savedMappingNames(home, mappingTargets[kind]) }),
});

const describe = (name: string, isSaved: boolean, mapping: Mapping): NamedMapping => ({
  name,
  title: mapping.title ?? name,
  isSaved,
  mapping,
});

/** A mapping file broken by hand must not hide the others. */
function named(name: string, isSaved: boolean, load: () => Mapping): NamedMapping[] {
  try {
    return [describe(name, isSaved, load())];
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}
