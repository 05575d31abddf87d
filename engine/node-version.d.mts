/** The sentence for a Node that cannot run Platbook; null when it can. */
export function unfitNodeSentence(version: string): string | null;
