/** Photos into the field notes: kept one by one, with progress; then placed by one change, once what is open has been asked. */
import { mostPhotos } from '../../engine/spec/field-limits.ts';
import type { ChangeInputOf } from '../../engine/work/index.ts';
import { ClientError, type EngineClient } from '../client/engine-client.ts';
import { base64Of } from '../parts/base64.ts';
import { plural } from '../parts/format.ts';
import { openedFiles, type PhotoImport } from '../state/opened-files.ts';
import { toast } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';

/** A file of the browser, or a path of this computer; a path may be a folder. */
type Given = File | { readonly path?: string | undefined };

export type PhotoAnswers = Pick<ChangeInputOf<'import_photos'>, 'clocks' | 'known' | 'property_id'>;

export const mayBePhotos = (name: string): boolean => /^(?!\._).*\.(?:jpe?g|png|heic|heif)$/i.test(name);

/** Photos and folders of them, whatever their names; what holds no photo may hold parcels. */
export async function areOfPhotos(
  client: EngineClient,
  { path, name }: { path?: string; name?: string },
): Promise<boolean> {
  if (mayBePhotos(name ?? path ?? '')) return true;
  if (path === undefined) return false;
  try {
    return (await client.read('photos_in', { path })).files.some(mayBePhotos);
  } catch (error) {
    // Too many: that is told by their import; what is wrong with a path is told by Import.
    return error instanceof ClientError && error.code === 'validation_error';
  }
}

const say = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The files of a drop; of a folder with photos its photos and walks, without what a camera or a computer put beside them. */
export async function filesDropped(
  transfer: DataTransfer | null,
  mayBeWalk: (name: string) => boolean,
): Promise<File[]> {
  const entries = [...(transfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files = [...(transfer?.files ?? [])];
  if (!entries.some(({ isDirectory }) => isDirectory)) return files;
  const found = await Promise.all(
    entries.map(async (entry) => {
      const inside = await filesOf(entry);
      const isOfPhotos = entry.isDirectory && inside.some(({ name }) => mayBePhotos(name));
      return isOfPhotos ? inside.filter(({ name }) => mayBePhotos(name) || mayBeWalk(name)) : inside;
    }),
  );
  return found.flat();
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

/** Those that are brought in now: closed and begun again, they are others. */
let turn = 0;
const isNow = (own: number): boolean => own === turn && openedFiles.get().photos !== null;

function show(own: number, part: Partial<PhotoImport>): void {
  const { photos } = openedFiles.get();
  if (photos && isNow(own)) openedFiles.set({ photos: { ...photos, ...part } });
}

async function keepAll(client: EngineClient, items: readonly Given[]): Promise<void> {
  if (items.length === 0) return void toast('There is no photo in it: JPEG, HEIC and PNG are.');
  if (items.length > mostPhotos)
    return void toast(`${plural(items.length, 'photo', 'photos')}: at most ${mostPhotos.toLocaleString()} at once.`);
  turn++;
  const own = turn;
  openedFiles.set({ photos: { done: 0, of: items.length, photos: [], refused: [], plan: null } });
  const kept = new Map<string, string>();
  const refused: string[] = [];
  for (const [at, item] of items.entries()) {
    // Closed meanwhile: what was kept goes by itself.
    if (!isNow(own)) return;
    try {
      const input =
        item instanceof File ? { name: item.name, bytes: await base64Of(item) } : { path: item.path as string };
      const { data } = await client.change('stage_photo', input);
      kept.set(data.file, data.name);
    } catch (error) {
      refused.push(say(error));
    }
    show(own, { done: at + 1, refused });
  }
  const photos = [...kept].map(([file, name]) => ({ file, name }));
  if (photos.length === 0) throw new Error(refused[0] ?? 'No photo could be kept.');
  show(own, { photos });
  await replan(client, {});
  if (!isNow(own)) return;
  const plan = openedFiles.get().photos?.plan;
  if (plan && plan.asked.length === 0 && plan.left.length === 0 && refused.length === 0) await addPhotos(client, {});
}

/** An answer to older questions is dropped. */
let planned = 0;

/** What is known of the places under these answers. */
export async function replan(client: EngineClient, answers: PhotoAnswers): Promise<void> {
  const { photos } = openedFiles.get();
  if (!photos) return;
  const own = turn;
  const asking = ++planned;
  const { property_id: _parcel, ...asked } = answers;
  const plan = await client.read('plan_photos', { photos: photos.photos.map(({ file }) => file), ...asked });
  if (asking === planned) show(own, { plan });
}

export async function addPhotos(client: EngineClient, answers: PhotoAnswers): Promise<void> {
  const { photos } = openedFiles.get();
  if (!photos) return;
  const done = await makeChange(client, 'import_photos', { photos: photos.photos.map(({ file }) => file), ...answers });
  if (!done) return;
  openedFiles.set({ photos: null });
  const { added, left } = done.data;
  const out = left.reduce((sum, { why, count }) => sum + (why === 'here' ? 0 : count), 0) - done.data.on_parcel;
  if (out > 0)
    toast(`${plural(added, 'photo is', 'photos are')} in your field notes; ${plural(out, 'stays', 'stay')} out.`);
}
