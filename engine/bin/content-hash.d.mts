export function contentHash(sources: readonly string[]): string;
