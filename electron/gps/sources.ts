/** Position sources: a serial port or anything read like one, gpsd on this machine, and replayed lines. */
import fs from 'node:fs';
import net from 'node:net';
import type { Readable } from 'node:stream';
import tty from 'node:tty';
import { type GpsdAddress, gpsdParser, gpsdWatch, parseGpsd } from './gpsd.ts';
import { nmeaParser, nmeaSeconds, parseNmea } from './nmea.ts';
import type { Position, PositionSource } from './position.ts';

/** A receiver's line has at most 82 characters, gpsd's at most 10,240: longer ones come from something else. */
const longestLine = 16_384;

/** @returns a function that takes chunks of text with line breaks anywhere */
export function lineReader(onLine: (line: string) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = (lines.pop() ?? '').slice(-longestLine);
    for (const line of lines) onLine(line);
  };
}

function readLines(
  stream: Readable,
  parse: (line: string) => Position | null,
  onPosition: (position: Position) => void,
  onProblem: (sentence: string) => void,
): void {
  const read = lineReader((line) => {
    const position = parse(line);
    if (position) onPosition(position);
  });
  // A receiver that was just switched on may send any bytes.
  stream.setEncoding('latin1');
  stream.on('data', (chunk: string) => read(chunk));
  stream.on('error', (error) => onProblem(`The GPS cannot be read: ${error.message}.`));
  stream.on('end', () => onProblem('The GPS has stopped.'));
}

/**
 * A receiver on a serial port, by its device (`/dev/ttyUSB0`, `\\.\COM3`), at the system's speed for it (4800 or 9600
 * baud by default for most).
 */
export const serialSource = (device: string): PositionSource => ({
  start: (onPosition, onProblem) => {
    let isOver = false;
    let stream: Readable;
    try {
      stream = openDevice(device);
    } catch (error) {
      onProblem(`The GPS cannot be read: ${(error as Error).message}.`);
      return () => {};
    }
    readLines(stream, nmeaParser(), onPosition, (sentence) => isOver || onProblem(sentence));
    return () => {
      isOver = true;
      stream.destroy();
    };
  },
});

/**
 * A terminal is listened to, not read: a blocking read of a silent receiver would hold one of the process's few threads
 * forever. Raw, or the system would echo the receiver's output back to it. Other files are read as usual.
 */
function openDevice(device: string): Readable {
  const { O_RDONLY, O_NOCTTY = 0, O_NONBLOCK = 0 } = fs.constants;
  const handle = fs.openSync(device, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (!tty.isatty(handle)) return fs.createReadStream(device, { fd: handle, highWaterMark: 256 });
  return new tty.ReadStream(handle).setRawMode(true);
}

export const gpsdSource = ({ host, port }: GpsdAddress): PositionSource => ({
  start: (onPosition, onProblem) => {
    const socket = net.connect({ host, port }, () => socket.write(gpsdWatch));
    let isOver = false;
    readLines(socket, gpsdParser(), onPosition, (sentence) => isOver || onProblem(sentence));
    return () => {
      isOver = true;
      socket.destroy();
    };
  },
});

/** Replays a receiver's lines, for tests and for trying out at a desk: those of one moment together. */
export const simulatedSource = (lines: readonly string[], everyMilliseconds = 1000): PositionSource => ({
  start: (onPosition, onProblem) => {
    const moments = momentsOf(lines);
    const [fromNmea, fromGpsd] = [nmeaParser(), gpsdParser()];
    let next = 0;
    const timer = setInterval(() => {
      const moment = moments[next++];
      if (moment === undefined) {
        clearInterval(timer);
        onProblem('The GPS has stopped.');
        return;
      }
      for (const line of moment) {
        const position = fromNmea(line) ?? fromGpsd(line);
        if (position) onPosition(position);
      }
    }, everyMilliseconds);
    return () => clearInterval(timer);
  },
});

/** A receiver says each moment in several sentences; a line without a time is a moment of its own. */
function momentsOf(lines: readonly string[]): string[][] {
  const moments: string[][] = [];
  let latest: number | null = null;
  for (const line of lines) {
    const seconds = nmeaSeconds(line);
    if (seconds !== null && seconds === latest) moments.at(-1)?.push(line);
    else moments.push([line]);
    latest = seconds;
  }
  return moments;
}

/** A recording is small: a day with a fix per second is 15 MB. */
const mostRecordedBytes = 64 * 1024 * 1024;

/** Replays a receiver's recorded lines from a file, a fix each second. */
export const playbackSource = (file: string): PositionSource => ({
  start: (onPosition, onProblem) => {
    try {
      const { size } = fs.statSync(file);
      if (size > mostRecordedBytes) throw new Error('expected a recording of at most 64 MB');
      const lines = fs.readFileSync(file, 'latin1').split(/\r?\n/);
      return simulatedSource(lines.filter((line) => parseNmea(line) ?? parseGpsd(line))).start(onPosition, onProblem);
    } catch (error) {
      onProblem(`The recording cannot be read: ${(error as Error).message}.`);
      return () => {};
    }
  },
});
