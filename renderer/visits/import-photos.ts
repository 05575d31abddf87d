/** Photos into the field notes: kept one by one, with progress; then placed by one change, once what is open has been asked. */
import type { ChangeInputOf } from '../../engine/work/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { base64Of } from '../parts/base64.ts';
import { plural } from '../parts/format.ts';
import { openedFiles, type PhotoImport } from '../state/opened-files.ts';
import { toast } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';

/** A file of the browser, or a path of this computer; a path may be a folder. */
type Given = File | { readonly path?: string | undefined };

export type PhotoAnswers = Pick<ChangeInputOf<'import_photos'>, 'clocks' | 'known' | 'property_id'>;

export const mayBePhotos = (name: string): boolean => /\.(?:jpe?g|png|heic|heif)$/i.test(name);

/** Photos and folders of them; a path without an ending may be a folder, which may hold parcels as well. */
export async function areOfPhotos(
  client: EngineClient,
  { path, name }: { path?: string; name?: string },
): Promise<boolean> {
  if (mayBePhotos(name ?? path ?? '')) return true;
  if (path === undefined || /\.[^/\\]*$/.test(path)) return false;
  return (await client.read('photos_in', { path })).files.some(mayBePhotos);
}

const say = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The files of a drop; of a folder those in it. */
export async function filesDropped(transfer: DataTransfer | null): Promise<File[]> {
  const entries = [...(transfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files = [...(transfer?.files ?? [])];
  if (!entries.some(({ isDirectory }) => isDirectory)) return files;
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileSystemEntry[] = [];
  // It answers a hundred at a time, then none.
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (more.length === 0) return (await Promise.all(found.map(filesOf))).flat();
    found.push(...more);
  }
}

export async function importPhotos(client: EngineClient, given: readonly Given[]): Promise<void> {
  if (openedFiles.get().photos) return void toast('Photos are being brought in: these can follow.');
  try {
    const parts = await Promise.all(
      given.map((one) => ('path' in one && one.path ? inFolder(client, one.path) : [one])),
    );
    await keepAll(client, parts.flat());
  } catch (error) {
    openedFiles.set({ photos: null });
    toast(say(error));
  }
}

const inFolder = async (client: EngineClient, path: string): Promise<Given[]> =>
  (await client.read('photos_in', { path })).files.map((file) => ({ path: file }));

async function keepAll(client: EngineClient, items: readonly Given[]): Promise<void> {
  if (items.length === 0) return void toast('There is no photo in it: JPEG, HEIC and PNG are.');
  const show = (part: Partial<PhotoImport>) => {
    const { photos } = openedFiles.get();
    if (photos) openedFiles.set({ photos: { ...photos, ...part } });
  };
  openedFiles.set({ photos: { done: 0, of: items.length, photos: [], refused: [], plan: null } });
  const kept = new Map<string, string>();
  const refused: string[] = [];
  for (const [at, item] of items.entries()) {
    // Closed meanwhile: what was kept goes by itself.
    if (!openedFiles.get().photos) return;
    try {
      const input =
        item instanceof File ? { name: item.name, bytes: await base64Of(item) } : { path: item.path as string };
      const { data } = await client.change('stage_photo', input);
      kept.set(data.file, data.name);
    } catch (error) {
      refused.push(say(error));
    }
    show({ done: at + 1, refused });
  }
  const photos = [...kept].map(([file, name]) => ({ file, name }));
  if (photos.length === 0) throw new Error(refused[0] ?? 'No photo could be kept.');
  show({ photos });
  await replan(client, {});
  const plan = openedFiles.get().photos?.plan;
  if (plan && plan.asked.length === 0 && plan.left.length === 0 && refused.length === 0) await addPhotos(client, {});
}

/** What is known of the places under these answers. */
export async function replan(client: EngineClient, answers: PhotoAnswers): Promise<void> {
  const { photos } = openedFiles.get();
  if (!photos) return;
  const { property_id: _parcel, ...asked } = answers;
  const plan = await client.read('plan_photos', { photos: photos.photos.map(({ file }) => file), ...asked });
  openedFiles.set({ photos: { ...photos, plan } });
}

export async function addPhotos(client: EngineClient, answers: PhotoAnswers): Promise<void> {
  const { photos } = openedFiles.get();
  if (!photos) return;
  const done = await makeChange(client, 'import_photos', { photos: photos.photos.map(({ file }) => file), ...answers });
  if (!done) return;
  openedFiles.set({ photos: null });
  const { added, left } = done.data;
  const out = left.reduce((sum, { count }) => sum + count, 0) - done.data.on_parcel;
  if (out > 0)
    toast(`${plural(added, 'photo is', 'photos are')} in your field notes; ${plural(out, 'stays', 'stay')} out.`);
}
