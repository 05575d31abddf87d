/** Which parcels are starred and tagged, for table rows and the map. */
import Type from 'typebox';
import { noInput, strict } from '../spec/value-schemas.ts';
import { type Tag, tagSchema } from '../work/tags.ts';
import { defineRead } from './read.ts';

const ids = Type.Array(Type.Integer());

const output = Type.Object(
  {
    starred: ids,
    tags: Type.Array(Type.Object({ ...tagSchema.properties, ids }, strict)),
  },
  strict,
);

export const marks = defineRead({
  name: 'marks',
  docs: 'All starred parcels, and all tags with their colors and parcels.',
  input: noInput,
  output,
  run: (_input, { account: { file } }) => ({
    starred: file.column<number>('SELECT property_id FROM stars ORDER BY property_id'),
    tags: file.all<Tag>('SELECT tag_id, name, color FROM tags ORDER BY name').map((tag) => ({
      ...tag,
      ids: file.column<number>('SELECT property_id FROM parcel_tags WHERE tag_id = ? ORDER BY property_id', tag.tag_id),
    })),
  }),
});
