/** Makes one HTML file of parcels to send: map, facts and photos, and of people, money and notes only what is ticked. */
import { safeFileName } from '../exporting/export-shelf.ts';
import { requireChoice, type ShareChoice, type ShareHome } from './share-choice.ts';
import { type PartPreview, type ShareContent, shareContent } from './share-content.ts';
import { shareHtml } from './share-html.ts';
import { shareMap } from './share-map.ts';
import { shownPhotos } from './share-photos.ts';

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
  const content = shareContent(engine, choice);
  const { shown, notes: photoNotes } = await shownPhotos(engine, content, choice);
  const hasPlaces = choice.parts?.includes('photo_places') ?? false;
  const pins = content.photos.flatMap(({ photo_id: id, longitude, latitude }) => {
    const one = shown.find((photo) => photo.id === id);
    return hasPlaces && one && longitude !== null && latitude !== null
      ? [{ number: one.number, longitude, latitude }]
      : [];
  });
  const map = engine.land.file.snapshot(() => shareMap(engine.land, content.parcels, pins));
  const notes = [...content.notes, ...photoNotes, ...(map?.notes ?? ['No parcel here has a shape: there is no map.'])];
  const html = shareHtml({ content, map, photos: shown, madeOn: engine.now().toISOString().slice(0, 10), notes });
  return {
    ...{ name: safeFileName(content.title, 'html'), html, notes },
    ...{ parcels: content.parcels.length, photos: shown.length, parts: content.parts },
  };
}

/** What a page could hold, before it is made: counts and examples of every part, and the photos to choose from. */
export function lookAtShare(engine: ShareHome, choice: ShareChoice): ShareContent {
  requireChoice(choice);
  return shareContent(engine, choice);
}
