/** Keeping a mapping that the user looked through, and those that there are. */
import Type from 'typebox';
import { type ListKind, listKinds } from '../importing/list-proposal.ts';
import { loadMapping, type Mapping, parseMapping, profileNames } from '../importing/mapping.ts';
import { savedListMappings, saveListMapping } from '../importing/profiles/saved-list-mappings.ts';
import { loadNamedMapping, savedMappingNames, saveMapping } from '../importing/profiles/saved-mappings.ts';
import { EngineError } from '../spec/errors.ts';
import { defineChange } from './change.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1, maxLength: 4096 });
export const saveMappingChange = defineChange<{ name: string; mapping: Record<string, unknown> }, { path: string }>({
  name: 'save_mapping',
  docs: 'Keeps a mapping as `<home>/mappings/NAME.json`, checked first; one of the same name is replaced.',
  input: Type.Object({ name: text, mapping: Type.Record(Type.String(), Type.Unknown()) }, strict),
  output: Type.Object({ path: text }, strict),
  run: ({ name, mapping }, { home }) => ({
    data: { path: saveMapping(home, name, parseMapping({ ...mapping, name }, name)) },
  }),
});

export interface NamedMapping {
  readonly name: string;
  readonly title: string;
  /** Kept by the user, or a profile that comes with Platbook. */
  readonly isSaved: boolean;
  readonly mapping: Mapping;
}

export const listMappings = defineChange<Record<string, never>, NamedMapping[]>({
  name: 'list_mappings',
  docs: 'The mappings that are kept in the home, and the profiles that come with Platbook.',
  input: Type.Object({}, strict),
  output: Type.Array(Type.Unknown()),
  run: (_input, { home }) => ({
    data: [
      ...savedMappingNames(home).flatMap((name) => named(name, true, () => loadNamedMapping(home, name))),
      ...profileNames().map((name) => describe(name, false, loadMapping(name))),
    ],
  }),
});

const as = Type.Union(listKinds.map((kind) => Type.Literal(kind)));

export const saveListMappingChange = defineChange<
  { as: ListKind; name: string; mapping: Record<string, unknown> },
  { path: string }
>({
  name: 'save_list_mapping',
  docs: 'Keeps a mapping of contacts or comps as `<home>/mappings/contacts/NAME.json` or `…/comps/NAME.json`, checked first.',
  input: Type.Object({ as, name: text, mapping: Type.Record(Type.String(), Type.Unknown()) }, strict),
  output: Type.Object({ path: text }, strict),
  run: ({ as: kind, name, mapping }, { home }) => ({ data: { path: saveListMapping(home, kind, name, mapping) } }),
});

export const keptListMappings = defineChange<{ as: ListKind }, string[]>({
  name: 'kept_list_mappings',
  docs: 'Names of the mappings of contacts or comps that are kept in the home.',
  input: Type.Object({ as }, strict),
  output: Type.Array(Type.String()),
  run: ({ as: kind }, { home }) => ({ data: savedListMappings(home, kind) }),
});

const describe = (name: string, isSaved: boolean, mapping: Mapping): NamedMapping => ({
  name,
  title: mapping.title ?? name,
  isSaved,
  mapping,
});

/** One that was spoilt by hand must not hide the others. */
function named(name: string, isSaved: boolean, load: () => Mapping): NamedMapping[] {
  try {
    return [describe(name, isSaved, load())];
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}
