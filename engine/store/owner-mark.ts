/** The names of temporary folders identify their process, which distinguishes leftovers of a killed process from folders in use. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';

/** A hash that identifies this machine: on a shared disk a process id may belong to another one. */
const machine = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);

/** `1a2b3c4d-4711`: machine and process. */
export const ownMark = `${machine}-${process.pid}`;

/** The pattern of a mark, without groups. */
export const markForm = '[0-9a-f]{8}-\\d+';

/** Whether the process of a mark has ended; false for one of another machine, of which nothing is known. */
export function isOfDead(mark: string): boolean {
  const [of, number] = mark.split('-');
  return of === machine && !isAlive(Number(number));
}

export function isAlive(number: number): boolean {
  try {
    process.kill(number, 0);
    return !isZombie(number);
  } catch (error) {
    // EPERM: the process belongs to another user but is alive.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Ended, and its parent has not asked for the outcome: where no process adopts orphans, as in many containers, for good. */
function isZombie(number: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const stat = fs.readFileSync(`/proc/${number}/stat`, 'latin1');
    return stat.startsWith(') Z', stat.lastIndexOf(')'));
  } catch {
    return false;
  }
}
