/** What the portable folder's launcher starts. */
export function openCommand(platform: string, address: string): { command: string; args: string[] };
export function linkIn(line: string): string | null;
