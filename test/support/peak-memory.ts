/** The most memory that this process has held. */
import fs from 'node:fs';

/**
 * Peak resident memory in bytes. Linux hands `maxRSS` of the parent on to a child that it starts, so a small child of a
 * large test process would show the parent's: the high-water mark of this process alone is in /proc.
 */
export function peakBytes(): number {
  const status = fs.existsSync('/proc/self/status') ? fs.readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) * 1024;
}
