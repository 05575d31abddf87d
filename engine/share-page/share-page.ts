/** Makes one HTML file of parcels to send: map, facts and photos, and of people, money and notes only what is ticked. */
import { safeFileName } from '../exporting/export-shelf.ts';
import { requireChoice, type ShareChoice, type ShareHome } from './share-choice.ts';
import { type PartPreview, type ShareContent, shareContent } from './share-content.ts';
import { shareHtml } from './share-html.ts';
import { shareMap } from './share-map.ts';
import { type ShownPhoto, shownPhotos } from './share-photos.ts';

export type { ShareChoice } from './share-choice.ts';

export interface SharePage {
  /** Of the file, like `9-94.html`. */
  readonly name: string;
  readonly html: string;
  readonly parcels: number;
  readonly photos: number;
  /** What could go, ticked or not: how many, and an example. */
  readonly parts: readonly PartPreview[];
  /** Sentences about what is left out. */
  readonly notes: readonly string[];
}

/**
 * One HTML file of parcels that opens on any phone, without a server or a request to anywhere. Owners, contacts, prices, values,
 * deals, notes and the places of photos go only if `parts` names them; ids, paths, tags and letters never. Free.
 * @example const { html, parts } = await sharePage(engine, { what: { ids: [2] }, parts: ['owners'] });
 * @throws EngineError validation_error, also for more than 500 parcels or an unknown photo; not_found
 */
export async function sharePage(engine: ShareHome, choice: ShareChoice): Promise<SharePage> {
  requireChoice(choice);
  const content = engine.land.file.snapshot(() => shareContent(engine, choice));
  const { shown, notes: photoNotes } = await shownPhotos(engine, content, choice);
  const { html, notes } = drawn(engine, content, shown, choice, photoNotes);
  return {
    ...{ name: safeFileName(content.title, 'html'), html, notes },
    ...{ parcels: content.parcels.length, photos: shown.length, parts: content.parts },
  };
}

/** What a page could hold, before it is made, and its bytes without photos. @throws EngineError as `sharePage` does */
export function lookAtShare(engine: ShareHome, choice: ShareChoice): ShareContent & { readonly bytes: number } {
  requireChoice(choice);
  const content = engine.land.file.snapshot(() => shareContent(engine, choice));
  return { ...content, bytes: Buffer.byteLength(drawn(engine, content, [], choice, []).html) };
}

function drawn(
  { land, now }: ShareHome,
  content: ShareContent,
  photos: readonly ShownPhoto[],
  { parts = [] }: ShareChoice,
  more: readonly string[],
) {
  const places = new Map(content.photos.map((photo) => [photo.photo_id, photo]));
  const pins = photos.flatMap(({ id, number }) => {
    const { longitude = null, latitude = null } = places.get(id) ?? {};
    return longitude === null || latitude === null ? [] : [{ number, longitude, latitude }];
  });
  const shownPins = parts.includes('photo_places') ? pins : [];
  const map = land.file.snapshot(() => shareMap(land, content.parcels, shownPins));
  const notes = [...content.notes, ...more, ...(map?.notes ?? ['No parcel here has a shape: there is no map.'])];
  return { html: shareHtml({ content, map, photos, madeOn: now().toISOString().slice(0, 10), notes }), notes };
}
