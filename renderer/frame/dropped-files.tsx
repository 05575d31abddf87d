/**
 * Files that are dropped on the window or opened with the app: walks come into the field notes, photos of the air under
 * the map, all others go to Import.
 */
import type { ChangeInputOf, ChangeOutputOf } from '../../engine/work/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { fieldMarks } from '../field/field-layers.ts';
import { addPhotos, isPhoto } from '../map/add-photos.ts';
import { mapMemory, showBounds } from '../map/map-state.ts';
import { goTo } from '../state/navigation.ts';
import { openedFiles } from '../state/opened-files.ts';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { areOfPhotos, importPhotos } from '../visits/import-photos.ts';
import { makeChange } from '../work/make-change.ts';
import { DialogWindow } from './overlay.tsx';

export type DroppedFile = ChangeInputOf<'import_field_notes'>['files'][number];

/** Endings of files that may hold a walk; what they hold decides. */
export const mayBeWalk = (name: string): boolean => /\.(?:gpx|kml|kmz|geojson|json|csv)$/i.test(name);

const nameOf = ({ path, name }: DroppedFile): string => name ?? path?.split(/[/\\]/).at(-1) ?? '';

type Holds = 'walk' | 'parcels' | 'both' | 'air' | 'snapshot';

async function holdsOf(client: EngineClient, file: DroppedFile): Promise<Holds> {
  const name = nameOf(file);
  if (file.path !== undefined && (await isPhoto(client, file.path))) return 'air';
  if (await areOfPhotos(client, file)) return 'snapshot';
  // Never parcels: what is wrong with it is told by its own import.
  if (/\.gpx$/i.test(name)) return 'walk';
  return mayBeWalk(name) ? (await client.read('tell_walk', file)).holds : 'parcels';
}

/** @param toImport takes the files that hold parcels */
export async function takeFiles(
  client: EngineClient,
  dropped: readonly DroppedFile[],
  toImport: (files: readonly DroppedFile[]) => void,
): Promise<void> {
  try {
    const told = await Promise.all(dropped.map((file) => holdsOf(client, file)));
    const of = (wanted: string) => dropped.filter((_, index) => told[index] === wanted);
    const [walks, parcels, both, snapshots] = [of('walk'), of('parcels'), of('both'), of('snapshot')];
    const ofTheAir = of('air').flatMap(({ path }) => path ?? []);
    if (ofTheAir.length > 0) void addPhotos(client, ofTheAir);
    if (snapshots.length > 0) void importPhotos(client, snapshots);
    const go = (walking: readonly DroppedFile[], rest: readonly DroppedFile[]) => {
      if (walking.length > 0) void bringIn(client, walking);
      if (rest.length > 0) toImport(rest);
    };
    if (both.length === 0) go(walks, parcels);
    else
      openedFiles.set({
        asked: {
          names: both.map(nameOf),
          answer: (isWalk) => go(isWalk ? [...walks, ...both] : walks, isWalk ? parcels : [...parcels, ...both]),
        },
      });
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

async function bringIn(client: EngineClient, files: readonly DroppedFile[]): Promise<void> {
  const done = await makeChange(client, 'import_field_notes', { files: [...files] });
  if (!done) return;
  const { box } = done.data;
  toast(restWords(done.data), ...(box ? [{ label: 'Show on map', run: () => showWalk(box) }] : []));
}

/** What the note of the change itself does not say. */
function restWords({ waypoints, tracks, already, left_out: left }: ChangeOutputOf<'import_field_notes'>): string {
  const parts = [
    waypoints + tracks === 0 ? 'Nothing new came in.' : 'It is in your field notes.',
    already === 0 ? '' : `${already.toLocaleString()} of the file were here already.`,
    left.length === 0 ? '' : `Left out: ${left.map(({ what, count }) => `${count} ${what}`).join(', ')}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function showWalk(box: readonly [number, number, number, number]): void {
  const { layers } = mapMemory.get();
  mapMemory.set({ layers: { ...layers, [fieldMarks]: { isOn: true, opacity: 100 } } });
  goTo('explore');
  showBounds(box);
}

export function WalkQuestion() {
  const { asked } = useStore(openedFiles);
  const close = (isWalk?: boolean) => {
    openedFiles.set({ asked: null });
    if (isWalk !== undefined) asked?.answer(isWalk);
  };
  return (
    <DialogWindow
      title="A walk or parcels?"
      isTitled
      isOpen={asked !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : close())}
    >
      <div className="dialog-form">
        <p>{asked?.names.join(', ')} holds places or lines of a walk, and parcels.</p>
        <div className="line dialog-buttons">
          <button type="button" className="button" onClick={() => close(false)}>
            Import the parcels
          </button>
          <button type="button" className="button primary" onClick={() => close(true)}>
            Bring in the walk
          </button>
        </div>
      </div>
    </DialogWindow>
  );
}
