/** Character sets of tables from before UTF-8. Assessors' systems still use them. */
import { isUtf8 } from 'node:buffer';
import { readChunks, readHead } from './byte-window.ts';

/** Text of bytes 0x80 to 0xFF in DOS code pages, which TextDecoder lacks. */
const dosUpperHalves = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
} as const;

export type Decoder = (bytes: Buffer) => string;

const windows1252 = new TextDecoder('windows-1252');

/** Number of bytes at the end that begin an unfinished UTF-8 character. */
function unfinishedUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthFromLead(byte) ? back : 0;
  }
  return 0;
}

/** Length of the UTF-8 character with this first byte. */
function lengthFromLead(byte: number): number {
  if (byte >= 0xf0) return 4;
  return byte >= 0xe0 ? 3 : 2;
}

/**
 * Decodes valid UTF-8 as such, everything else as Windows-1252: other text is hardly ever valid UTF-8 by accident.
 * Drops a character that the field's width cut in half.
 */
export const decodeUtf8Or1252: Decoder = (bytes) => {
  if (isUtf8(bytes)) return bytes.toString();
  const whole = bytes.subarray(0, bytes.length - unfinishedUtf8(bytes));
  return whole.length < bytes.length && whole.some((byte) => byte >= 0x80) && isUtf8(whole)
    ? whole.toString()
    : windows1252.decode(bytes);
};

function decoderFromUpperHalf(upperHalf: string): Decoder {
  return (bytes) => {
    let text = '';
    for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : (upperHalf[byte - 0x80] ?? '');
    return text;
  };
}

/** The decoder for a code page number or the name of a character set; null if unknown. */
export function decoderFor(name: string): Decoder | null {
  const label = name.trim().toLowerCase();
  const number = /^(?:cp|ansi|oem|windows-?|ibm)?[ _-]?(\d{3,5})$/.exec(label)?.[1];
  if (label === 'utf-8' || label === 'utf8' || number === '65001') return decodeUtf8Or1252;
  if (number === '437') return decoderFromUpperHalf(dosUpperHalves.cp437);
  if (number === '850') return decoderFromUpperHalf(dosUpperHalves.cp850);
  const iso = /^iso[ _-]?8859[ _-]?(\d{1,2})$/.exec(label)?.[1];
  try {
    const decoder = new TextDecoder(iso ? `iso-8859-${iso}` : number ? `windows-${number}` : label);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Whether a whole file is UTF-8. */
function fileIsUtf8(filePath: string): boolean {
  let rest = Buffer.alloc(0);
  for (const chunk of readChunks(filePath)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.length - unfinishedUtf8(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) return false;
    rest = Buffer.from(bytes.subarray(whole));
  }
  return rest.length === 0;
}

/** The encoding of a text file. `mixed`: UTF-8, except for some bytes. */
export interface TextEncoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'mixed';
  /** For reports. */
  readonly words: string;
}

/** Length of the UTF-8 character at this offset; 0 if none is there. */
function utf8LengthAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const character = bytes.subarray(at, at + lengthFromLead(lead));
  return character.length === lengthFromLead(lead) && isUtf8(character) ? character.length : 0;
}

/**
 * Decodes UTF-8 where it is valid and the stray bytes as Windows-1252: one row pasted from an old system must not
 * garble every other name of the file.
 */
function decodeMixed(bytes: Buffer): string {
  let text = '';
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = (bytes[at] as number) < 0x80 ? 1 : utf8LengthAt(bytes, at);
    if (length === 0) {
      text += bytes.toString('utf8', start, at) + windows1252.decode(bytes.subarray(at, at + 1));
      start = at + 1;
    }
    at += Math.max(length, 1);
  }
  return text + bytes.toString('utf8', start);
}

/** Chunks that cut no character in two. */
export function* wholeCharacters(chunks: Iterable<Buffer>): Generator<Buffer> {
  let rest = Buffer.alloc(0);
  for (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.length - unfinishedUtf8(bytes);
    rest = Buffer.from(bytes.subarray(whole));
    yield bytes.subarray(0, whole);
  }
  if (rest.length > 0) yield rest;
}

interface NonAscii {
  /** Multi-byte UTF-8 characters. */
  characters: number;
  /** Bytes outside such characters. */
  strays: number;
  /** Line of the first stray byte. */
  line: number;
}

/** Counts a character of this length, or a stray byte; returns the bytes to skip. */
function countOne(length: number, line: number, found: NonAscii): number {
  if (length > 0) found.characters++;
  else if (found.strays++ === 0) found.line = line;
  return Math.max(length, 1);
}

function countNonAscii(filePath: string): NonAscii {
  const found: NonAscii = { characters: 0, strays: 0, line: 0 };
  let line = 1;
  for (const bytes of wholeCharacters(readChunks(filePath))) {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === 0x0a) line++;
      if (byte >= 0x80) at += countOne(utf8LengthAt(bytes, at), line, found) - 1;
    }
  }
  return found;
}

/**
 * Decided by majority for a whole file: Windows-1252 is hardly ever UTF-8 by accident, so if UTF-8 characters outnumber
 * stray bytes, those are the exception.
 */
export function findTextEncoding(filePath: string): TextEncoding {
  const utf16 = utf16Of(readHead(filePath, 2));
  if (utf16) return { name: utf16, words: 'UTF-16' };
  if (fileIsUtf8(filePath)) return { name: 'utf-8', words: 'UTF-8' };
  const { characters, strays, line } = countNonAscii(filePath);
  if (strays >= characters) return { name: 'windows-1252', words: 'Windows-1252' };
  const [those, are] = strays === 1 ? ['1 byte', 'is'] : [`${strays} bytes`, 'are'];
  return { name: 'mixed', words: `UTF-8, but ${those}, first in line ${line}, ${are} read as Windows-1252` };
}

/** The byte order mark of UTF-16, in which spreadsheets save "Unicode text"; null for other text. */
export function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}

/** The beginning of a text, in UTF-8 where it is UTF-16. */
export function headText(head: Buffer): Buffer {
  const utf16 = utf16Of(head);
  return utf16 ? Buffer.from(new TextDecoder(utf16).decode(head)) : head;
}

/** The whole file in UTF-8, chunk by chunk, each with a buffer of its own. */
export function* utf8Chunks(filePath: string, { name }: TextEncoding): Generator<Buffer> {
  if (name === 'utf-8') for (const chunk of readChunks(filePath)) yield Buffer.from(chunk);
  else if (name === 'mixed') {
    for (const bytes of wholeCharacters(readChunks(filePath))) yield Buffer.from(decodeMixed(bytes));
  } else {
    const decoder = new TextDecoder(name);
    for (const chunk of readChunks(filePath)) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  }
}
