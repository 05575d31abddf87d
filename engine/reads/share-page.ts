/** One HTML file of parcels to send, and beforehand what could go along. Both free. */
import fs from 'node:fs';
import Type from 'typebox';
import { shareFields } from '../share-page/share-choice.ts';
import { lookAtShare, sharePage as makeSharePage } from '../share-page/share-page.ts';
import { partNames } from '../share-page/share-parts.ts';
import { count, oneOf, orNull, strict } from '../spec/value-schemas.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { defineRead } from './read.ts';

export const lookShare = defineRead({
  name: 'look_share',
  docs: 'What a shared page of these parcels can hold: each part with a count and an example, and the photos to choose from. Makes nothing.',
  input: Type.Object({ what: shareFields.what }, strict),
  output: Type.Object(
    {
      parcels: count(),
      bytes: count('Of the file without photos, and without what is ticked.'),
      parts: Type.Array(
        Type.Object(
          {
            name: oneOf(partNames),
            label: Type.String(),
            docs: Type.String(),
            count: count('Parcels that have it; photos with a place.'),
            example: orNull(Type.String()),
          },
          strict,
        ),
      ),
      photos: Type.Array(
        Type.Object({ photo_id: Type.Integer(), name: Type.String(), apn: orNull(Type.String()) }, strict),
      ),
    },
    strict,
  ),
  run: (choice, engine) => {
    const { parcels, bytes, parts, photos } = lookAtShare(engine, choice);
    return {
      ...{ parcels: parcels.length, bytes },
      parts: [...parts],
      photos: photos.map(({ photo_id, name, apn }) => ({ photo_id, name, apn })),
    };
  },
});

export const sharePage = defineRead({
  name: 'share_page',
  docs: 'Writes parcels into one HTML file for download from /app/download/<id>: map, facts, chosen photos. It asks no server for anything; owners, contacts, prices, values, deals, notes and places of photos only if `parts` names them.',
  input: Type.Object(shareFields, strict),
  output: Type.Object(
    { ...madeFileSchema.properties, parcels: count(), photos: count(), notes: Type.Array(Type.String()) },
    strict,
  ),
  run: async (choice, engine) => {
    const { name, html, parcels, photos, notes } = await makeSharePage(engine, choice);
    const { made } = await shelve(engine, name, (target) => fs.promises.writeFile(target, html));
    return { ...made, parcels, photos, notes: [...notes] };
  },
});
