/** Receivers: a serial port or anything that can be read like one, gpsd on this machine, and lines that are played back. */
import fs from 'node:fs';
import net from 'node:net';
import type { Readable } from 'node:stream';
import tty from 'node:tty';
import { type GpsdAddress, gpsdWatch, parseGpsd } from './gpsd.ts';
import { parseNmea } from './nmea.ts';
import type { Position, PositionSource } from './position.ts';

/** A line of a receiver has at most 82 characters, of gpsd at most 10,240: more is no receiver. */
const longestLine = 16_384;

/** @returns what takes chunks of text, wherever lines break */
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
  // Bytes of a receiver that is just switched on may be anything.
  stream.setEncoding('latin1');
  stream.on('data', (chunk: string) => read(chunk));
  stream.on('error', (error) => onProblem(`The GPS cannot be read: ${error.message}.`));
  stream.on('end', () => onProblem('The GPS has stopped.'));
}

/**
 * A receiver on a serial port, by its device (`/dev/ttyUSB0`, `\\.\COM3`), at the speed that the system has set for it
 * (4800 or 9600 baud by default for most).
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
    readLines(stream, parseNmea, onPosition, (sentence) => isOver || onProblem(sentence));
    return () => {
      isOver = true;
      stream.destroy();
    };
  },
});

/**
 * A terminal is listened to, not read: a reading that waits for a silent receiver holds one of the process's few threads for
 * good. Raw, or the system would echo to the receiver what it says. What is no terminal is read as it comes.
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
    readLines(socket, parseGpsd, onPosition, (sentence) => isOver || onProblem(sentence));
    return () => {
      isOver = true;
      socket.destroy();
    };
  },
});

/** Lines of a receiver played back, for tests and for trying out at a desk. */
export const simulatedSource = (lines: readonly string[], everyMilliseconds = 1000): PositionSource => ({
  start: (onPosition, onProblem) => {
    let next = 0;
    const timer = setInterval(() => {
      const line = lines[next++];
      if (line === undefined) {
        clearInterval(timer);
        onProblem('The GPS has stopped.');
        return;
      }
      const position = parseNmea(line) ?? parseGpsd(line);
      if (position) onPosition(position);
    }, everyMilliseconds);
    return () => clearInterval(timer);
  },
});

/** A recording is small: a day of one fix a second is 15 MB. */
const mostRecordedBytes = 64 * 1024 * 1024;

/** What a receiver once said, played back from a file, a fix each second. */
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
