/** Character sets of tables from before UTF-8. Assessors' systems still write them. */
import { isUtf8 } from 'node:buffer';
import { EngineError } from '../spec/errors.ts';
import { readChunks } from './byte-window.ts';

/** Text of bytes 0x80 to 0xFF in the character sets of DOS, which TextDecoder does not know. */
const dosUpperHalves = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
} as const;

export type Decoder = (bytes: Buffer) => string;

const windows1252 = new TextDecoder('windows-1252');

/** Bytes at the end that begin a UTF-8 character without finishing it. */
export function unfinishedUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthFromLead(byte) ? back : 0;
  }
  return 0;
}

/** Bytes of the UTF-8 character that begins so. */
function lengthFromLead(byte: number): number {
  if (byte >= 0xf0) return 4;
  return byte >= 0xe0 ? 3 : 2;
}

/**
 * UTF-8 where the bytes are that, else Windows-1252: other text is hardly ever valid UTF-8 by accident. A character cut
 * in half by the width of its field is dropped.
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

/** The decoder for a code page number or the name of a character set; null when it is not known. */
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
export function fileIsUtf8(filePath: string): boolean {
  let rest = Buffer.alloc(0);
  for (const chunk of readChunks(filePath)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.length - unfinishedUtf8(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) return false;
    rest = Buffer.from(bytes.subarray(whole));
  }
  return rest.length === 0;
}

/** Spreadsheets save "Unicode text" as UTF-16: said plainly, because every other message would mislead. */
export function refuseUtf16(filePath: string, head: Uint8Array): void {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) {
    throw new EngineError(
      'import_refused',
      `${filePath}: expected text in UTF-8 or Windows-1252, found UTF-16. Save it as "CSV UTF-8".`,
    );
  }
}
