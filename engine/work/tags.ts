/** Tags: the user's own labels for parcels, each with a color of spec/tag-colors.ts. */
import Type from 'typebox';
import { EngineError, validationError } from '../spec/errors.ts';
import { type TagColor, tagColors } from '../spec/tag-colors.ts';
import { choiceSchema, strict, textSchema, type ValueOf } from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange } from './change.ts';
import { idSchema, idsSchema, parcelWords, requireParcels } from './chosen-parcels.ts';

export const tagSchema = Type.Object(
  { tag_id: Type.Integer(), name: Type.String(), color: choiceSchema(tagColors) },
  strict,
);
export type Tag = ValueOf<typeof tagSchema>;

const colorSchema = choiceSchema(tagColors);

/** @throws EngineError not_found */
function getTag({ engine }: ChangeContext, id: number): Tag {
  const tag = engine.account.file.get<Tag>('SELECT tag_id, name, color FROM tags WHERE tag_id = ?', id);
  if (!tag) throw new EngineError('not_found', `There is no tag ${id}: it may have been deleted.`);
  return tag;
}

/** The tag of this name, in any case; created if missing, in the least used color. */
function tagNamed(context: ChangeContext, given: string, color: TagColor | undefined): Tag {
  const { engine, at } = context;
  const { file } = engine.account;
  const name = given.trim();
  const standing = file.get<Tag>('SELECT tag_id, name, color FROM tags WHERE name = ?', name);
  if (standing) return standing;
  const used = file.column<TagColor>('SELECT color FROM tags');
  const times = (one: TagColor) => used.filter((other) => other === one).length;
  const fewest = tagColors.reduce((best, one) => (times(one) < times(best) ? one : best));
  const { lastInsertRowid } = file.run(
    'INSERT INTO tags (name, color, made_at) VALUES (?, ?, ?)',
    name,
    color ?? fewest,
    at,
  );
  return getTag(context, Number(lastInsertRowid));
}

export const tag = defineChange({
  name: 'tag',
  docs: 'Tags parcels; creates a missing tag, in the given color or the least used one.',
  input: Type.Object({ name: textSchema(), ids: idsSchema, color: Type.Optional(colorSchema) }, strict),
  output: tagSchema,
  write: ({ name, ids, color }, context) => {
    const { engine, at } = context;
    requireParcels(engine, ids);
    const found = tagNamed(context, name, color);
    engine.account.file.run(
      `INSERT INTO parcel_tags (tag_id, property_id, tagged_at) SELECT ?, value, ? FROM json_each(?) WHERE true
       ON CONFLICT (tag_id, property_id) DO NOTHING`,
      found.tag_id,
      at,
      JSON.stringify(ids),
    );
    return { data: found, sentence: `Tagged ${parcelWords(engine, ids)} “${found.name}”` };
  },
});

export const untag = defineChange({
  name: 'untag',
  docs: 'Removes a tag from parcels; the tag itself stays.',
  input: Type.Object({ tag_id: idSchema, ids: idsSchema }, strict),
  output: Type.Null(),
  write: ({ tag_id: id, ids }, context) => {
    const { engine } = context;
    const { name } = getTag(context, id);
    engine.account.file.run(
      'DELETE FROM parcel_tags WHERE tag_id = ? AND property_id IN (SELECT value FROM json_each(?))',
      id,
      JSON.stringify(ids),
    );
    return { data: null, sentence: `Took “${name}” off ${parcelWords(engine, ids)}` };
  },
});

export const changeTag = defineChange({
  name: 'change_tag',
  docs: 'Changes a tag’s name or color.',
  input: Type.Object(
    { tag_id: idSchema, name: Type.Optional(textSchema()), color: Type.Optional(colorSchema) },
    strict,
  ),
  output: tagSchema,
  write: ({ tag_id: id, name: given, color }, context) => {
    const { file } = context.engine.account;
    const before = getTag(context, id);
    const name = given?.trim() ?? before.name;
    if (file.get('SELECT 1 FROM tags WHERE name = ? AND tag_id <> ?', name, id))
      throw validationError({ name: [`there is another tag ${JSON.stringify(name)}`] });
    file.run('UPDATE tags SET name = ?, color = ? WHERE tag_id = ?', name, color ?? before.color, id);
    return { data: getTag(context, id), sentence: `Changed the tag “${name}”` };
  },
});

export const deleteTag = defineChange({
  name: 'delete_tag',
  docs: 'Deletes a tag and removes it from all parcels.',
  input: Type.Object({ tag_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ tag_id: id }, context) => {
    const { file } = context.engine.account;
    const { name } = getTag(context, id);
    file.run('DELETE FROM parcel_tags WHERE tag_id = ?', id);
    file.run('DELETE FROM tags WHERE tag_id = ?', id);
    return { data: null, sentence: `Deleted the tag “${name}”` };
  },
});
