export function findBundle(): string | null;
export function makeBundle(): Promise<string>;
