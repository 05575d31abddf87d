/**
 * Unpacks a zip archive into a folder, by its directory, under new names. Archives come from strangers: everything the
 * directory reveals is checked before a byte is inflated, the rest while inflating.
 */
import fs from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { bytesWords, freeWords } from '../../../spec/bytes-words.ts';
import { makeRoom } from '../../../store/temporary-disk.ts';
import { answerJob, NoRoom, Refusal } from '../bytes/answer-job.ts';
import type { UnzipInput, ZipMember } from './zip-archive.ts';

const maxEntries = 5000;
const maxRatio = 200;
/** Up to this size any compression ratio is harmless: blank tables compress well. */
const harmlessBytes = 64 * 1024 * 1024;
/** Reserves free space for what the import itself writes. */
const shareOfDisk = 2.5;
const maxNameLength = 512;

/** Files that accompany parcels: drawings, notes, indexes of other programs. */
const ignoredEndings = new Set(
  'pdf xml html htm jpg jpeg png gif tif tiff doc docx lyr lyrx mxd aprx sbn sbx qix qpj qmd fix ain aih ixs mxs atx qlr qgz'.split(
    ' ',
  ),
);

const endingOf = (name: string): string => path.posix.extname(name).slice(1).toLowerCase();

/** Every file of a File Geodatabase belongs to the whole, and needs its name. */
const geodatabasePart = /(?:^|\/)([^/]+\.gdb)\/([^/]+)$/i;
const isIgnored = (name: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$)/i.test(name) ||
  (!geodatabasePart.test(name) && ignoredEndings.has(endingOf(name)));

const isSymbolicLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0xf000) === 0xa000;

const shown = (name: string): string => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);

function judgeName(name: string): void {
  const parts = name.split('/');
  const isSafe =
    name.length <= maxNameLength &&
    !/[\p{Cc}\\]/u.test(name) &&
    !/^(?:\/|[A-Za-z]:)/.test(name) &&
    !parts.includes('..');
  if (!isSafe) throw new Refusal(`it names a file outside the archive, ${shown(name)}: it is damaged or malicious`);
}

function judgeEntry(entry: Entry): void {
  const { fileName } = entry;
  judgeName(fileName);
  if (isSymbolicLink(entry)) throw new Refusal(`expected files, found a symbolic link, ${shown(fileName)}`);
  if (entry.isEncrypted()) throw new Refusal(`${shown(fileName)} is encrypted; unpack it with its password first`);
  if (endingOf(fileName) === 'zip') throw new Refusal(`it holds another zip, ${shown(fileName)}; unpack that first`);
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new Refusal(
      `${shown(fileName)} is packed by method ${entry.compressionMethod}; expected deflate. Create the archive again`,
    );
  }
}

/** The entries that are files, checked one by one and together. */
async function readDirectory(zip: ZipFile, input: UnzipInput): Promise<Entry[]> {
  if (zip.entryCount > maxEntries) throw new Refusal(`expected at most ${maxEntries} entries, found ${zip.entryCount}`);
  const entries: Entry[] = [];
  const names = new Set<string>();
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    if (fileName.endsWith('/')) judgeName(fileName);
    else {
      judgeEntry(entry);
      if (names.has(fileName)) throw new Refusal(`it holds ${shown(fileName)} twice`);
      names.add(fileName);
      entries.push(entry);
    }
  }
  const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  const packed = fs.statSync(input.zip).size;
  if (total > harmlessBytes && total > maxRatio * packed) {
    throw new Refusal(
      `${packed} bytes would unpack to ${total}, more than ${maxRatio} times as much: it was not unpacked`,
    );
  }
  const { bavail, bsize } = fs.statfsSync(input.folder);
  if (total > (bavail * bsize) / shareOfDisk) {
    throw new NoRoom(
      `it unpacks to ${bytesWords(total)}, and the disk has too little room (${freeWords(bavail * bsize)}; ${shareOfDisk} times as much is needed): ${makeRoom()}`,
    );
  }
  return entries;
}

/** The path of a member: numbered, except that parts of a geodatabase keep their names in a numbered folder. */
function placeFor(name: string, number: number, folder: string, geodatabases: Map<string, string>): string {
  const part = geodatabasePart.exec(name);
  if (!part) {
    const ending = endingOf(name);
    return path.join(folder, /^[a-z0-9]{1,10}$/.test(ending) ? `${number}.${ending}` : `${number}`);
  }
  const [, , own = ''] = part;
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(own))
    throw new Refusal(`${shown(name)} is not the name of a geodatabase part`);
  const whole = name.slice(0, name.length - own.length);
  const place = geodatabases.get(whole) ?? path.join(folder, `${number}.gdb`);
  if (!geodatabases.has(whole)) fs.mkdirSync(place);
  geodatabases.set(whole, place);
  return path.join(place, own);
}

/** yauzl refuses more bytes than the directory declares; the checksum tells whether they are the right ones. */
async function inflate(zip: ZipFile, entry: Entry, place: string): Promise<void> {
  let sum = 0;
  let size = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(await zip.openReadStreamPromise(entry), watch, fs.createWriteStream(place, { flags: 'wx' }));
  if (sum !== entry.crc32 || size !== entry.uncompressedSize) {
    throw new Refusal(`${shown(entry.fileName)} is damaged: its checksum differs. Download it again`);
  }
}

async function unzip(input: UnzipInput): Promise<ZipMember[]> {
  const zip = await openPromise(input.zip, { lazyEntries: true, autoClose: false });
  try {
    const members: ZipMember[] = [];
    const geodatabases = new Map<string, string>();
    const only = input.only === undefined ? null : new RegExp(input.only);
    for (const entry of await readDirectory(zip, input)) {
      const name = entry.fileName;
      if (only ? !only.test(name) : isIgnored(name)) continue;
      const place = placeFor(name, members.length + 1, input.folder, geodatabases);
      await inflate(zip, entry, place);
      members.push({ name, path: place });
    }
    return members;
  } finally {
    zip.close();
  }
}

await answerJob(unzip);
