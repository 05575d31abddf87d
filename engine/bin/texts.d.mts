export function writeTexts(options: { out: string; sum: (file: string) => string | undefined; time: Date }): void;
