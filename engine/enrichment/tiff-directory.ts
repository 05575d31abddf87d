/**
 * Checks the directories of a TIFF before a library reads them: a tag that counts more values than the file has bytes would
 * have gigabytes allocated (64 bytes of file, 1.1 GB), and directories in a circle have no end.
 */
import fs from 'node:fs';
import { openForReading } from '../importing/formats/bytes/byte-window.ts';
import { EngineError } from '../spec/errors.ts';

/** Bytes of a value, by field type. */
const valueBytes: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8 },
};

/** Files of many overviews and masks have some dozens. */
const mostDirectories = 1000;

/** Where numbers stand: classic, and BigTIFF. */
const forms = {
  42: { headerAt: 4, countBytes: 2, entryBytes: 12, valuesAt: 4, offsetBytes: 4 },
  43: { headerAt: 8, countBytes: 8, entryBytes: 20, valuesAt: 4, offsetBytes: 8 },
} as const;

/** @throws EngineError import_refused for a tag that cannot lie in the file, and directories in a circle; file_missing */
export function refuseDamagedDirectories(filePath: string): void {
  const descriptor = openForReading(filePath);
  try {
    checkDirectories(descriptor, filePath);
  } finally {
    fs.closeSync(descriptor);
  }
}

const damaged = (filePath: string, why: string): EngineError =>
  new EngineError('import_refused', `${filePath}: the TIFF is damaged: ${why}. Download it again.`);

function checkDirectories(descriptor: number, filePath: string): void {
  const { size } = fs.fstatSync(descriptor);
  const read = (at: number, length: number): DataView => {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - at)));
    fs.readSync(descriptor, bytes, 0, bytes.length, at);
    return new DataView(bytes.buffer);
  };
  const head = read(0, 16);
  // Anything shorter or other is no TIFF, which the library says.
  if (head.byteLength < 16) return;
  const isLittle = head.getUint16(0) === 0x4949;
  const form = forms[head.getUint16(2, isLittle) as keyof typeof forms];
  if (form === undefined) return;
  const numberAt = (view: DataView, at: number, bytes: 2 | 4 | 8): number => {
    if (at + bytes > view.byteLength) return 0;
    if (bytes === 8) return Number(view.getBigUint64(at, isLittle));
    return bytes === 4 ? view.getUint32(at, isLittle) : view.getUint16(at, isLittle);
  };
  let at = numberAt(head, form.headerAt, form.offsetBytes);
  const seen = new Set<number>();
  while (at > 0 && at < size && seen.size < mostDirectories) {
    if (seen.has(at)) throw damaged(filePath, `its directory at byte ${at.toLocaleString('en-US')} comes after itself`);
    seen.add(at);
    const count = numberAt(read(at, form.countBytes), 0, form.countBytes);
    const entries = read(at + form.countBytes, count * form.entryBytes);
    for (let entry = 0; entry + form.entryBytes <= entries.byteLength; entry += form.entryBytes) {
      const values = numberAt(entries, entry + form.valuesAt, form.offsetBytes);
      const bytes = values * (valueBytes[numberAt(entries, entry + 2, 2)] ?? 0);
      if (bytes <= size) continue;
      const tag = numberAt(entries, entry, 2);
      throw damaged(
        filePath,
        `its tag ${tag} counts ${values.toLocaleString('en-US')} values, more than its ${size.toLocaleString('en-US')} bytes can hold`,
      );
    }
    at = numberAt(read(at + form.countBytes + count * form.entryBytes, form.offsetBytes), 0, form.offsetBytes);
  }
}
