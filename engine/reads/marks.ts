/** Which parcels are starred and tagged: what table rows and the map draw beside what the county says. */
import Type from 'typebox';
import { type Tag, tagSchema } from '../work/tags.ts';
import { defineRead } from './read.ts';

export interface Marks {
  readonly starred: number[];
  /** Every tag by its name, with its parcels. */
  readonly tags: (Tag & { readonly ids: number[] })[];
}

const ids = Type.Array(Type.Integer());

export const marks = defineRead<Record<string, never>, Marks>({
  name: 'marks',
  docs: 'All starred parcels, and all tags with their colours and parcels.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    {
      starred: ids,
      tags: Type.Array(Type.Object({ ...tagSchema.properties, ids }, { additionalProperties: false })),
    },
    { additionalProperties: false },
  ),
  run: (_input, { account: { file } }) => ({
    starred: file.column<number>('SELECT property_id FROM stars ORDER BY property_id'),
    tags: file.all<Tag>('SELECT tag_id, name, color FROM tags ORDER BY name').map((tag) => ({
      ...tag,
      ids: file.column<number>('SELECT property_id FROM parcel_tags WHERE tag_id = ? ORDER BY property_id', tag.tag_id),
    })),
  }),
});
