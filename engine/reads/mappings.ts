/** The mappings that are saved in the home, and those bundled with Platbook. */
import Type from 'typebox';
import { listKinds } from '../importing/guess/list-proposal.ts';
import { loadMapping, type Mapping, profileNames } from '../importing/mapping/mapping.ts';
import { loadNamedMapping, savedMappingNames } from '../importing/mapping/saved-mappings.ts';
import { mappingTargets } from '../importing/values/mapping-target.ts';
import { EngineError } from '../spec/errors.ts';
import { noInput, oneOf, strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();

const namedMapping = Type.Object({
  name: text,
  title: text,
  isSaved: Type.Boolean({ description: 'Saved by the user; else a profile bundled with Platbook.' }),
  mapping: Type.Unsafe<Mapping>(Type.Unknown()),
});
type NamedMapping = ValueOf<typeof namedMapping>;

export const listMappings = defineRead({
  name: 'list_mappings',
  docs: 'The mappings saved in the home, and the profiles bundled with Platbook.',
  input: noInput,
  output: Type.Array(namedMapping),
  run: (_input, { home }) => [
    ...savedMappingNames(home).flatMap((name) => named(name, true, () => loadNamedMapping(home, name))),
    ...profileNames().map((name) => describe(name, false, loadMapping(name))),
  ],
});

export const keptListMappings = defineRead({
  name: 'kept_list_mappings',
  docs: 'Names of the mappings of contacts or comps saved in the home.',
  input: Type.Object({ as: oneOf(listKinds) }, strict),
  output: Type.Array(Type.String()),
  run: ({ as: kind }, { home }) => savedMappingNames(home, mappingTargets[kind]),
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
