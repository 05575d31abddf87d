/** Zip archives by their published layout (APPNOTE 6.3.10), so that every field can be made wrong. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer | string;
  /** Attributes of Unix in the upper half: 0o120777 is a symbolic link. */
  readonly mode?: number;
  readonly isStored?: boolean;
  /** False entries for the directory. */
  readonly claimedSize?: number;
  readonly claimedCrc?: number;
  readonly method?: number;
  readonly isEncrypted?: boolean;
}

export function makeZip(entries: readonly ZipEntry[], more: { claimedCount?: number } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const packed = entry.isStored ? content : deflateRawSync(content);
    const name = Buffer.from(entry.name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800 | (entry.isEncrypted ? 1 : 0), 2);
    shared.writeUInt16LE(entry.method ?? (entry.isStored ? 0 : 8), 4);
    shared.writeUInt32LE(entry.claimedCrc ?? crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(entry.claimedSize ?? content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed]);
    const central = Buffer.alloc(16);
    central.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    central.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, shared, central.subarray(0, 14), name]));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(more.claimedCount ?? entries.length, 8);
  end.writeUInt16LE(more.claimedCount ?? entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}
