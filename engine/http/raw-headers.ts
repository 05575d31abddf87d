/** Reads headers as sent: `request.headers` joins or drops repeated ones, which a guard must see. */
import type { IncomingMessage } from 'node:http';

/** Every value of a header, in the order sent. @param name in lower case */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const { rawHeaders } = request;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** 1 to 128 visible ASCII characters: no spaces and no control characters, which could break a log or a header. */
export const isVisibleText = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text);
